import { typeId } from '../../../platform/kernel/ids.ts'
import { write } from '../../../platform/resource/resource.ts'
import { jobExample, jobWire, newJobExample } from '../../jobs/schema.ts'
import { startBulk } from './actions.ts'
import { NewBulk } from './schema.ts'

const filter = { field: 'tags', op: 'contains', value: 'outage' }

export const routes = [
  write({
    method: 'POST',
    path: '/bulk',
    name: 'startBulk',
    summary: 'Change many conversations',
    description:
      'Starts a job that performs actions on many conversations. The selection is made when the job starts, of at most 100,000 conversations. Each conversation is one change, with all actions or none; a refusal is a result, and the job goes on. Also requires the scope `conversations:write`, `messages:write` if an action is `reply`, and `macros:read` for `macro_id`. Events of the job name the key and operator that started it, with the id of the job as the id of the request.',
    scope: 'jobs:write',
    status: 202,
    body: NewBulk,
    bodyExample: { selection: { filter }, actions: [{ type: 'resolve' }] },
    reply: jobWire,
    replyExample: newJobExample('bulk', jobExample.params),
    location: ({ id }) => `/jobs/${typeId('job', id)}`,
    handle: (change, { body }) => startBulk(change, body),
  }),
]
