import { defineResource } from '../../../platform/resource/resource.ts'
import './kind.ts'
import { routes } from './routes.ts'

export default defineResource({
  name: 'bulk',
  title: 'Bulk',
  group: { title: 'Data', place: 55 },
  description: 'Changes of many conversations at once, by the actions of macros.',
  routes,
  events: [],
})
