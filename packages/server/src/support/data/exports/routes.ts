import { typeId } from '../../../platform/kernel/ids.ts'
import { write } from '../../../platform/resource/resource.ts'
import { jobWire, newJobExample } from '../../jobs/schema.ts'
import { startExport } from './actions.ts'
import { NewExport } from './schema.ts'

export const routes = [
  write({
    method: 'POST',
    path: '/exports',
    name: 'startExport',
    summary: 'Export objects',
    description:
      'Starts a job that writes all objects of some families to files, as they are at one moment. The `result` of the job has the files as `parts`, and a `manifest` with the number of objects and the SHA-256 of each family, and the `feed_cursor` of that moment: whoever loads the files and then follows `GET /v1/events` from there has missed nothing. The files are deleted after 30 days. Also requires the read scopes of all families, and `events:read`.',
    scope: 'jobs:write',
    status: 202,
    body: NewExport,
    bodyExample: { objects: ['conversations', 'messages'] },
    reply: jobWire,
    replyExample: newJobExample('export', {
      objects: ['conversations', 'messages'],
      filter: null,
      format: 'ndjson',
      compression: 'gzip',
    }),
    location: ({ id }) => `/jobs/${typeId('job', id)}`,
    handle: (change, { body }) => startExport(change, body),
  }),
]
