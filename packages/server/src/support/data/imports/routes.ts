import { typeId } from '../../../platform/kernel/ids.ts'
import { write } from '../../../platform/resource/resource.ts'
import { jobWire, newJobExample } from '../../jobs/schema.ts'
import { startImport } from './actions.ts'
import { NewImport } from './schema.ts'

const example = { file_id: 'file_01kah1x2pje4x8ywz5v3k0t6ab', source: 'zendesk' }

export const routes = [
  write({
    method: 'POST',
    path: '/imports',
    name: 'startImport',
    summary: 'Import objects',
    description:
      'Starts a job that imports objects of another system from a file of one JSON object a line: operators, companies, end users, tags, categories, departments, conversations, messages, articles, FAQs and macros, with references by `external_id`. Conversations and messages keep their times, authors and states, and start no clock, routing, automatic closing or webhook, except `conversation.imported` where it is named. An object that was imported before is not imported again. A line with faults is a result with its number, and the job goes on. Each line also requires the write scope of its family.',
    scope: 'jobs:write',
    status: 202,
    body: NewImport,
    bodyExample: example,
    reply: jobWire,
    replyExample: newJobExample('import', { ...example, on_conflict: 'skip' }),
    location: ({ id }) => `/jobs/${typeId('job', id)}`,
    handle: (change, { body }) => startImport(change, body),
  }),
]
