import { typeId } from '../../platform/kernel/ids.ts'
import { read, remove, write } from '../../platform/resource/resource.ts'
import { Shape, Text } from '../../platform/resource/schema.ts'
import { content } from '../../platform/resource/streams.ts'
import { completeFile, createFile, removeFile } from './actions.ts'
import { contentOf, requireScopesOf } from './content.ts'
import { readEmailedFileToken } from './emailed-tokens.ts'
import { files } from './entity.ts'
import { fileTable, findFileWithEnvironment } from './queries.ts'
import { fileExample, fileWire, fileWithUploadWire, NewFile } from './schema.ts'

const path = '/files'
const one = `${path}/{id}`
const params = { id: 'file' }

export const routes = [
  write({
    method: 'POST',
    path,
    name: 'createFile',
    summary: 'Create a file',
    description:
      'Announces a file and returns the URL to which the client sends its bytes with `PUT`, within an hour. Then call `POST /v1/files/{id}/complete`. A file that nothing uses is deleted after 24 hours.',
    scope: 'files:write',
    status: 201,
    body: NewFile,
    bodyExample: { filename: 'receipt.png', content_type: 'image/png', size_bytes: 48213 },
    reply: fileWithUploadWire,
    storedReply: fileWire,
    location: ({ id }) => `${path}/${typeId('file', id)}`,
    handle: (change, { body }) => createFile(change, body),
  }),
  write({
    method: 'POST',
    path: `${one}/complete`,
    name: 'completeFile',
    summary: 'Complete a file',
    description:
      'Compares the uploaded bytes with what was announced: length, SHA-256 if it was given, and type. The file becomes `ready`, or `scanning` where a scanner is configured, or `rejected`; see `rejected_reason`.',
    scope: 'files:write',
    params,
    errors: ['file_not_ready', 'file_rejected'],
    reply: fileWire,
    replyExample: fileExample,
    handle: async (change, { params }) => completeFile(change, await change.rows.load(files, params.id)),
  }),
  read({
    path: one,
    name: 'getFile',
    summary: 'Get a file',
    description: 'Returns what is known about the file. `GET /v1/files/{id}/content` returns its bytes.',
    scope: 'files:read',
    params,
    reply: fileWire,
    handle: (ctx, { params }) => fileTable.find(ctx.db, ctx.env.tenantId, params.id),
  }),
  content({
    path: `${one}/content`,
    name: 'getFileContent',
    summary: 'Get the bytes of a file',
    description:
      'Returns the bytes, also in ranges, or redirects to a URL of the store that can be used for five minutes. Raster images, PDF and plain text can be shown inline; anything else is an attachment. The files of an export need `jobs:read` and the read scopes of what they have, too.',
    scope: 'files:read',
    params,
    errors: ['file_not_ready', 'file_rejected'],
    handle: async (ctx, { params }) => {
      const file = await fileTable.find(ctx.db, ctx.env.tenantId, params.id)
      if (file) requireScopesOf(ctx, file)
      return file && contentOf(ctx, file)
    },
  }),
  content({
    path: '/emailed_files/{token}',
    name: 'getEmailedFile',
    summary: 'Get a file of a mail',
    description:
      'Returns the bytes of a file that was too large to go with a mail, or redirects to them. The mail has the URL, which can be used for 30 days. 404 afterwards, and once the file is deleted.',
    credential: 'none',
    texts: Shape({
      token: Text(1, 1_000, { description: 'The token in the mail.', examples: ['AsSxkq3T'] }),
    }),
    environmentOf: async (db, { token }, box) => {
      const named = await readEmailedFileToken(box, token!)
      return named && ((await findFileWithEnvironment(db, named.tenantId, named.fileId))?.environment ?? null)
    },
    async handle(ctx, { params }) {
      const named = await readEmailedFileToken(ctx.services.secretBox, params.token!)
      if (!named || named.until <= ctx.now()) return null
      const file = await fileTable.find(ctx.db, ctx.env.tenantId, named.fileId)
      return file?.status === 'ready' ? contentOf(ctx, file) : null
    },
  }),
  remove({
    path: one,
    name: 'deleteFile',
    summary: 'Delete a file',
    description: 'A file that a message or an article uses cannot be deleted (409).',
    scope: 'files:write',
    params,
    errors: ['resource_in_use'],
    handle: (change, { params }) => removeFile(change, params.id),
  }),
]
