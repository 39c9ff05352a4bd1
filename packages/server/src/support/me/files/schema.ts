import { CreatedAt, Shape, Type } from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import type { FileRow } from '../../files/queries.ts'
import {
  type FileWithUpload,
  fileExample,
  presentFile,
  shownOfFile,
  UploadSchema,
  uploadExample,
} from '../../files/schema.ts'

/** A file without its version, which counts what end users may not see. */
const present = (row: FileRow) => {
  const { version: _, updated_at: __, ...shown } = presentFile(row)
  return shown
}

const { version: _, updated_at: __, ...example } = fileExample

export const meFileWire = defineWire<FileRow>({
  name: 'MeFile',
  schema: Shape({
    ...shownOfFile,
    upload: Type.Null({ description: 'Shown by the response that creates the file alone.' }),
    created_at: CreatedAt(),
  }),
  example,
  present: (row) => ({ ...present(row), upload: null }),
})

/** The only response with the URL that takes the bytes. */
export const meFileWithUploadWire = defineWire<FileWithUpload>({
  name: 'MeFileWithUpload',
  schema: Shape({ ...shownOfFile, upload: UploadSchema, created_at: CreatedAt() }),
  example: { ...example, status: 'awaiting_upload', upload: uploadExample },
  present: (row) => ({ ...present(row), upload: row.upload }),
})
