import { defineResource } from '../../../platform/resource/resource.ts'
import { routes } from './routes.ts'

export default defineResource({
  name: 'events',
  title: 'Events',
  group: { title: 'Integration', place: 51 },
  scopes: { family: 'events', roles: { agent: 'read', lead: 'read' } },
  description: 'The journal of all changes: each change adds its event in the same transaction.',
  routes,
  events: [],
})
