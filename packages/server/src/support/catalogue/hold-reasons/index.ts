import { defineResource } from '../../../platform/resource/resource.ts'
import { holdReasons } from './entity.ts'
import { routes } from './routes.ts'
import { holdReasonExample } from './schema.ts'

const event = (verb: string, description: string) => ({
  type: `hold_reason.${verb}`,
  description,
  example: holdReasonExample,
})

export default defineResource({
  name: 'hold-reasons',
  title: 'Hold reasons',
  group: { title: 'Automation', place: 32 },
  scopes: { family: 'hold_reasons', roles: { agent: 'read', lead: 'write' } },
  description: 'Reasons for putting conversations on hold, with the behavior of such a hold.',
  routes,
  entities: [holdReasons],
  events: [
    event('created', 'A hold reason was created.'),
    event('updated', 'A hold reason was updated or archived.'),
    event('deleted', 'An unused hold reason was deleted.'),
  ],
})
