import { defineResource } from '../../resource.ts'
import { routes } from './routes.ts'

export default defineResource({
  name: 'events',
  title: 'Events',
  description: 'The journal: one event for every change, written in the same transaction.',
  routes,
  events: [],
})
