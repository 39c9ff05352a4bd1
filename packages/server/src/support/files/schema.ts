import { mediaTypePattern } from '../../platform/files/media-types.ts'
import { typeId } from '../../platform/kernel/ids.ts'
import {
  Enum,
  Id,
  Int,
  type Members,
  Name,
  Nullable,
  Optional,
  revision,
  Shape,
  Text,
  Timestamp,
  Type,
  WithCheck,
} from '../../platform/resource/schema.ts'
import { defineWire } from '../../platform/resource/wire.ts'
import type { FileRow } from './queries.ts'

/** The largest object that an S3-compatible store takes in one piece. */
export const maxFileBytes = 5 * 2 ** 30

export const fileStatuses = ['awaiting_upload', 'scanning', 'ready', 'rejected'] as const

/** The name of a file, of whatever origin. */
export const Filename = (notes = {}) =>
  WithCheck(Name(255, notes), (name) =>
    /[\r\n]/.test(name) ? [{ code: 'bad_format', detail: 'must be on one line' }] : [],
  )

const fields = {
  filename: Filename({
    description:
      'The name of the file, for people: any text on one line. Nothing else depends on it but the check of its extension.',
  }),
  content_type: Type.String({
    minLength: 3,
    maxLength: 255,
    pattern: mediaTypePattern,
    examples: ['image/png'],
    description:
      'The media type, with parameters if need be (`name=value` or `name="value"`). `application/octet-stream` if you do not know it.',
  }),
  // The handler knows how many the server takes, and names the number.
  size_bytes: WithCheck(
    Int(0, Number.MAX_SAFE_INTEGER, {
      description: 'The exact length in bytes: at most 25 MiB, or what the server is set to.',
    }),
    (size, { services: { files } }) =>
      size > files.maxBytes ? [{ code: 'too_large', detail: `must be at most ${files.maxBytes}` }] : [],
  ),
}

const Sha256 = () =>
  Type.String({
    minLength: 64,
    maxLength: 64,
    pattern: '^[0-9A-Fa-f]{64}$',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    description: 'The SHA-256 of the bytes in hexadecimal digits.',
  })

export const UploadSchema = Shape(
  {
    method: Enum(['PUT'], { description: 'The method of the request.' }),
    url: Type.String({
      format: 'uri',
      maxLength: 8192,
      description:
        'The URL that takes the bytes. It needs no credential: whoever has it can upload this one file.',
    }),
    headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 500, pattern: '^[ -~]*$' },
      description: 'The headers of the request, besides the `Content-Length` that every client sends.',
    }),
    expires_at: Timestamp({ description: 'The time until which the URL can be used: one hour.' }),
  },
  { title: 'Upload', description: 'How to upload the bytes.' },
)

/** The members of a file but for its upload and revision. */
export const shownOfFile = {
  id: Id('file'),
  object: Enum(['file']),
  filename: fields.filename,
  content_type: Text(3, 255, {
    examples: ['image/png'],
    description: 'The media type. Once the bytes are there, the one that they have.',
  }),
  size_bytes: Int(0, maxFileBytes, { description: 'The exact length in bytes.' }),
  sha256: Nullable(Sha256()),
  status: Enum(fileStatuses, {
    description:
      '`awaiting_upload` until it is completed; `scanning` while a scanner looks for malware; `ready`; `rejected` for good.',
  }),
  rejected_reason: Nullable(Enum(['size', 'hash', 'type', 'infected']), {
    description:
      'Why the file was rejected: its length, its SHA-256 or its type differ from what was announced, its type is denied, or it is infected. Null otherwise.',
  }),
}

export const fileExample = {
  id: 'file_01kah1x2pje4x8ywz5v3k0t6ab',
  object: 'file',
  filename: 'receipt.png',
  content_type: 'image/png',
  size_bytes: 48213,
  sha256: null,
  status: 'ready',
  rejected_reason: null,
  upload: null,
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:30:04.000Z',
  version: 2,
}

export const presentFile = (row: FileRow) => ({
  id: typeId('file', row.id),
  object: 'file',
  filename: row.filename,
  content_type: row.content_type,
  size_bytes: row.size_bytes,
  sha256: row.sha256,
  status: row.status,
  rejected_reason: row.rejected_reason,
  created_at: row.created_at,
  updated_at: row.updated_at,
  version: row.version,
})

export const fileWire = defineWire<FileRow>({
  name: 'File',
  schema: Shape({
    ...shownOfFile,
    upload: Type.Null({ description: 'Shown by the response that creates the file alone.' }),
    ...revision,
  }),
  example: fileExample,
  present: (row) => ({ ...presentFile(row), upload: null }),
})

export const uploadExample = {
  method: 'PUT',
  url: 'https://support.example.com/v1/uploads/AZ1hZm9yZXhhbXBsZQ',
  headers: { 'content-type': 'image/png' },
  expires_at: '2026-11-20T10:30:00.000Z',
}

export type Upload = { method: 'PUT'; url: string; headers: Record<string, string>; expires_at: string }
export type FileWithUpload = FileRow & { upload: Upload }

/** The only response with the URL that takes the bytes. */
export const fileWithUploadWire = defineWire<FileWithUpload>({
  name: 'FileWithUpload',
  schema: Shape({ ...shownOfFile, upload: UploadSchema, ...revision }),
  example: {
    ...fileExample,
    status: 'awaiting_upload',
    upload: uploadExample,
    updated_at: '2026-11-20T09:30:00.000Z',
    version: 1,
  },
  present: (row) => ({ ...presentFile(row), upload: row.upload }),
})

export const NewFile = Shape({
  ...fields,
  sha256: Optional(Nullable(Sha256())),
})
export type NewFile = Members<typeof NewFile>
