import { defineResource } from '../../../platform/resource/resource.ts'
import { slaConfigs } from './entity.ts'
import { slaConfigReactions } from './reactions.ts'
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
  group: { title: 'Automation', place: 33 },
  scopes: { family: 'sla_configs', roles: { agent: 'read', lead: 'read' } },
  description:
    'Targets for answering and resolving conversations, with the business hours in which time counts.',
  routes,
  entities: [slaConfigs],
  reactions: slaConfigReactions,
  events: [
    event('created', 'An SLA config was created.'),
    event('updated', 'An SLA config was updated or archived.'),
    event('reordered', 'The position of an SLA config changed.'),
    event('deleted', 'An SLA config that nothing refers to was deleted.'),
  ],
})
