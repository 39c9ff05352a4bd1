import { defineResource } from '../../resource.ts'
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
  description:
    'A tree of what conversations are about, with the department and priority that follow from it.',
  routes,
  events: [
    event('created', 'A category was created.'),
    event('updated', 'A category was renamed, moved, archived, or given other defaults.'),
    event('deleted', 'A category that nothing used was deleted.'),
  ],
})
