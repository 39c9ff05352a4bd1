import { typeId } from '../../../platform/kernel/ids.ts'
import { read, write } from '../../../platform/resource/resource.ts'
import { content } from '../../../platform/resource/streams.ts'
import { completeFile, createFile } from '../../files/actions.ts'
import { contentOf } from '../../files/content.ts'
import { files } from '../../files/entity.ts'
import { fileTable } from '../../files/queries.ts'
import { NewFile } from '../../files/schema.ts'
import { requireUnblocked } from '../access.ts'
import { requireMine } from './rights.ts'
import { meFileWire, meFileWithUploadWire } from './schema.ts'

const path = '/me/files'
const one = `${path}/{id}`
const params = { id: 'file' }
const credential = 'end_user_token'

export const fileRoutes = [
  write({
    method: 'POST',
    path,
    name: 'createMyFile',
    summary: 'Create a file',
    description:
      'Announces a file and returns the URL to which the page sends its bytes with `PUT`, within an hour. Then call `POST /v1/me/files/{id}/complete`, and attach the file to a message. A file that no message uses is deleted after 24 hours.',
    credential,
    status: 201,
    errors: ['end_user_blocked'],
    body: NewFile,
    bodyExample: { filename: 'receipt.png', content_type: 'image/png', size_bytes: 48213 },
    reply: meFileWithUploadWire,
    storedReply: meFileWire,
    versionOf: null,
    location: ({ id }) => `${path}/${typeId('file', id)}`,
    handle: (change, { body }) => {
      requireUnblocked(change.ctx)
      return createFile(change, body)
    },
  }),
  write({
    method: 'POST',
    path: `${one}/complete`,
    name: 'completeMyFile',
    summary: 'Complete a file',
    description:
      'Compares the uploaded bytes with what was announced. The file becomes `ready`, or `scanning` where a scanner is configured, or `rejected`; see `rejected_reason`.',
    credential,
    params,
    errors: ['file_not_ready', 'file_rejected', 'end_user_blocked'],
    reply: meFileWire,
    versionOf: null,
    handle: async (change, { params }) => {
      requireUnblocked(change.ctx)
      const file = await change.rows.load(files, params.id)
      await requireMine(change.ctx, file)
      return completeFile(change, file)
    },
  }),
  read({
    path: one,
    name: 'getMyFile',
    summary: 'Get a file',
    description:
      'Returns an own file that no message uses yet, or one of a message that the end user can see.',
    credential,
    params,
    reply: meFileWire,
    versioned: false,
    handle: async (ctx, { params }) => {
      const file = await fileTable.find(ctx.db, ctx.env.tenantId, params.id)
      if (file) await requireMine(ctx, file)
      return file
    },
  }),
  content({
    path: `${one}/content`,
    name: 'getMyFileContent',
    summary: 'Get the bytes of a file',
    description:
      'Returns the bytes, also in ranges, or redirects to a URL of the store that can be used for five minutes. Pages load it with `fetch` and show an object URL, because an `img` element sends no token.',
    credential,
    params,
    errors: ['file_not_ready', 'file_rejected'],
    handle: async (ctx, { params }) => {
      const file = await fileTable.find(ctx.db, ctx.env.tenantId, params.id)
      if (!file) return null
      await requireMine(ctx, file)
      return contentOf(ctx, file)
    },
  }),
]
