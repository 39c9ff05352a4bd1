import { typeId } from '../../../../platform/kernel/ids.ts'
import { publicUrl } from '../../../../platform/kernel/public-url.ts'
import {
  type Check,
  Distinct,
  Enum,
  Id,
  Int,
  List,
  Nullable,
  Optional,
  Shape,
  type Static,
  Text,
  Type,
} from '../../../../platform/resource/schema.ts'
import { maxFileBytes } from '../../../files/schema.ts'
import type { Attachment, FileStates } from './queries.ts'

export const maxAttachments = 25
/** The maximum length of the files of one message together, in bytes. */
export const maxAttachedBytes = 100 * 2 ** 20

const Disposition = (notes = {}) =>
  Enum(['attachment', 'inline'], {
    description: '`inline` for an image that the Markdown of the message shows by `![](file:file_…)`.',
    ...notes,
  })

/** The files that a message shows. */
export const Attachments = () =>
  List(
    Shape(
      {
        file_id: Id('file', { description: 'The file.' }),
        filename: Text(1, 255, { description: 'The name of the file.' }),
        content_type: Text(1, 255, { description: 'The media type of the file.' }),
        size_bytes: Int(0, maxFileBytes, { description: 'The length in bytes.' }),
        disposition: Disposition(),
        status: Enum(['scanning', 'ready', 'rejected', 'deleted'], {
          description: 'The present status of the file; `deleted` once the message is redacted.',
        }),
        url: Nullable(Type.String({ format: 'uri', maxLength: 2048 }), {
          description: 'The route that returns the bytes, with the same credential; null once it is deleted.',
        }),
      },
      { title: 'Attachment', description: 'A file of a message.' },
    ),
    maxAttachments,
    { description: 'The files of the message, in the order in which they were given.' },
  )

/** The files that a request attaches. */
export const NewAttachments = () =>
  Distinct(
    List(
      Shape({
        file_id: Id('file', { description: 'The file.' }),
        disposition: Optional(Disposition({ default: 'attachment' })),
      }),
      maxAttachments,
      {
        description:
          'Files to attach: `ready` or `scanning`, together at most 100 MiB. A file belongs to the conversation whose message uses it first.',
      },
    ),
    'must not be repeated',
    ({ file_id }) => file_id,
    '/file_id',
  )
export type NewAttachments = Static<ReturnType<typeof NewAttachments>>

type Content = { body?: string; attachments?: NewAttachments }

/** The check of a message that has a text or files. */
export const hasContent: [Check<Content>, (keyof Content)[]] = [
  ({ body, attachments = [] }) => {
    if (body || attachments.length > 0) return []
    const code = body === undefined ? 'required' : 'too_short'
    return [{ pointer: '/body', code, detail: 'must not be empty unless files are attached' }]
  },
  ['body', 'attachments'],
]

/** @param files the path of the files for whoever reads the message */
export const presentAttachments = (
  { attachments, file_states }: { attachments: Attachment[] | null; file_states: FileStates },
  files: '/v1/files' | '/v1/me/files',
): Record<string, unknown>[] =>
  (attachments ?? []).map((each) => {
    const file_id = typeId('file', each.file_id)
    const status = file_states?.[each.file_id] ?? 'deleted'
    const url = status === 'deleted' ? null : publicUrl(`${files}/${file_id}/content`)
    return { ...each, file_id, status, url }
  })
