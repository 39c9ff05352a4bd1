import { defineResource } from '../../resource.ts'
import { routes } from './routes.ts'
import { slaConfigExample } from './schema.ts'

const event = (verb: string, description: string) => ({
  type: `sla_config.${verb}`,
  description,
  example: slaConfigExample,
})

export default defineResource({
  name: 'sla-configs',
  title: 'SLA configs',
  description: 'How soon conversations are to be answered and resolved, and when time counts.',
  routes,
  events: [
    event('created', 'An SLA config was created.'),
    event('updated', 'An SLA config was changed or archived.'),
    event('reordered', 'An SLA config got another place in the order of all.'),
    event('deleted', 'An SLA config that nothing refers to was deleted.'),
  ],
})
