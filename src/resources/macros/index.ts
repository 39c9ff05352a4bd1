import { defineResource } from '../../resource.ts'
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
  description: 'Several actions on a conversation at once, under one name.',
  routes,
  events: [
    event('created', 'A macro was created.'),
    event('updated', 'A macro was changed or archived.'),
    event('deleted', 'A macro was deleted.'),
  ],
})
