import { defineResource } from '../../../platform/resource/resource.ts'
import { categories } from './entity.ts'
import { routes } from './routes.ts'
import { categoryExample } from './schema.ts'

const event = (verb: string, description: string) => ({
  type: `category.${verb}`,
  description,
  example: categoryExample,
})

export default defineResource({
  name: 'categories',
  title: 'Categories',
  group: { title: 'Conversations', place: 14 },
  scopes: { family: 'categories', roles: { agent: 'read', lead: 'write' } },
  description: 'A tree of topics for conversations, with a default department and priority for each.',
  routes,
  entities: [categories],
  events: [
    event('created', 'A category was created.'),
    event('updated', 'A category was renamed, moved or archived, or its defaults changed.'),
    event('deleted', 'An unused category was deleted.'),
  ],
})
