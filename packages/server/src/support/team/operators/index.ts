import { defineResource } from '../../../platform/resource/resource.ts'
import { operators } from './entity.ts'
import { operatorReactions } from './reactions.ts'
import { routes } from './routes.ts'
import { operatorExample } from './schema.ts'
import { statusJobs } from './status.ts'

const event = (verb: string, description: string) => ({
  type: `operator.${verb}`,
  description,
  example: operatorExample,
})

export default defineResource({
  name: 'operators',
  title: 'Operators',
  group: { title: 'Team', place: 22 },
  scopes: { family: 'operators', roles: { agent: 'read', lead: 'read' } },
  description: 'The people who answer conversations, with their availability status and its history.',
  routes,
  entities: [operators],
  reactions: operatorReactions,
  events: [
    event('created', 'An operator was created.'),
    event('updated', 'An operator was updated, archived, or added to or removed from a department.'),
    event('status_changed', 'The status of an operator changed, or its reason or end time.'),
    event('deleted', 'An operator that no conversation refers to was deleted.'),
  ],
  jobs: statusJobs,
})
