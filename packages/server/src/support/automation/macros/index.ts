import { defineResource } from '../../../platform/resource/resource.ts'
import { macros } from './entity.ts'
import { routes } from './routes.ts'
import { macroExample } from './schema.ts'

const event = (verb: string, description: string) => ({
  type: `macro.${verb}`,
  description,
  example: macroExample,
})

export default defineResource({
  name: 'macros',
  title: 'Macros',
  group: { title: 'Automation', place: 31 },
  scopes: { family: 'macros', roles: { agent: 'read', lead: 'write' } },
  description: 'Named lists of actions that are applied to a conversation together.',
  routes,
  entities: [macros],
  events: [
    event('created', 'A macro was created.'),
    event('updated', 'A macro was updated or archived.'),
    event('deleted', 'A macro was deleted.'),
  ],
})
