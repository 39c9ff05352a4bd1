import { defineResource } from '../../resource.ts'
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
  description: 'What conversations can be put on hold for, and what a hold for that reason does.',
  routes,
  events: [
    event('created', 'A hold reason was created.'),
    event('updated', 'A hold reason was changed or archived.'),
    event('deleted', 'A hold reason that nothing used was deleted.'),
  ],
})
