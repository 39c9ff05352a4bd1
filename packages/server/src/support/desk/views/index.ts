import { defineResource } from '../../../platform/resource/resource.ts'
import { views } from './entity.ts'
import { itemRoutes } from './items/routes.ts'
import { routes } from './routes.ts'
import { viewExample } from './schema.ts'

const event = (verb: string, description: string) => ({
  type: `view.${verb}`,
  description,
  example: viewExample,
})

export default defineResource({
  name: 'views',
  title: 'Views',
  group: { title: 'Fields and views', place: 37 },
  scopes: { family: 'views', roles: { agent: 'read', lead: 'write' } },
  description: 'Saved filters of conversations and end users, with their items and numbers of items.',
  routes: [...itemRoutes, ...routes],
  entities: [views],
  eventsOnlyFor: ['visibility', 'operator_ids'],
  events: [
    event('created', 'A view was created.'),
    event('updated', 'A view was updated or archived.'),
    event('reordered', 'Views were reordered and the position of this one changed.'),
    event('deleted', 'A view was deleted.'),
  ],
})
