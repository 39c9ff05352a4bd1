import { defineResource } from '../../resource.ts'
import { routes } from './routes.ts'
import { operatorExample } from './schema.ts'
import { statusDuties } from './status.ts'

const event = (verb: string, description: string) => ({
  type: `operator.${verb}`,
  description,
  example: operatorExample,
})

export default defineResource({
  name: 'operators',
  title: 'Operators',
  description: 'The people who answer, whether they are there, and since when.',
  routes,
  events: [
    event('created', 'An operator was created.'),
    event('updated', 'An operator was changed or archived, or joined or left a department.'),
    event('status_changed', 'An operator has another status, or another reason or end of it.'),
    event('deleted', 'An operator that no conversation refers to was deleted.'),
  ],
  duties: statusDuties,
})
