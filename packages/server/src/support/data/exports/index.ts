import { defineResource } from '../../../platform/resource/resource.ts'
import './kind.ts'
import { routes } from './routes.ts'

export default defineResource({
  name: 'exports',
  title: 'Exports',
  group: { title: 'Data', place: 56 },
  description: 'Copies of all objects at one moment, for a warehouse or a move to another system.',
  routes,
  events: [],
})
