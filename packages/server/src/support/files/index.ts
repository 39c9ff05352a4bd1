import { defineResource } from '../../platform/resource/resource.ts'
import { files } from './entity.ts'
import { deleteUnused } from './removal.ts'
import { routes } from './routes.ts'
import { fileExample } from './schema.ts'

const event = (verb: string, description: string, changed = {}) => ({
  type: `file.${verb}`,
  description,
  example: { ...fileExample, ...changed },
})

export default defineResource({
  name: 'files',
  title: 'Files',
  group: { title: 'Conversations', place: 15 },
  scopes: { family: 'files', roles: { agent: 'write', lead: 'write' } },
  description:
    'Files that messages and articles use. The client uploads the bytes to a signed URL, and completes the file.',
  routes,
  entities: [files],
  jobs: [deleteUnused],
  events: [
    event('created', 'A file was announced. Its bytes are not there yet.', {
      status: 'awaiting_upload',
      version: 1,
    }),
    event('ready', 'The bytes of a file are there, and passed all checks.'),
    event('rejected', 'The bytes of a file were refused.', { status: 'rejected', rejected_reason: 'type' }),
    event('deleted', 'A file was deleted for everybody. Its bytes are removed right after.'),
  ],
})
