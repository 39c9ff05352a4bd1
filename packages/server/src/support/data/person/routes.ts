import { typeId } from '../../../platform/kernel/ids.ts'
import { write } from '../../../platform/resource/resource.ts'
import { jobWire, newJobExample } from '../../jobs/schema.ts'
import { startPersonExport } from './kind.ts'

export const routes = [
  write({
    method: 'POST',
    path: '/end_users/{id}/export',
    name: 'exportEndUser',
    summary: 'Export the data of a person',
    description:
      'Starts a job that writes all data of the end user and of those merged into it to a file: NDJSON, compressed, with the objects as the API shows them. It has the person and its companies, its conversations with the messages that the person can see or wrote, the files of these without their bytes, the mails that the person sent with their texts, and its sessions. The file is `file_id` of the `result`; reading it needs `files:read`, `jobs:read` and `erasure:write`. It is deleted after 30 days, or when the person is erased.',
    documentedUnder: 'erasure',
    scope: 'erasure:write',
    status: 202,
    params: { id: 'eu' },
    errors: ['identity_conflict'],
    reply: jobWire,
    replyExample: newJobExample('person_export', { end_user_id: 'eu_01kah1vgm0e1tbm5ye8n2m9q7c' }),
    location: ({ id }) => `/jobs/${typeId('job', id)}`,
    handle: (change, { params }) => startPersonExport(change, params.id),
  }),
]
