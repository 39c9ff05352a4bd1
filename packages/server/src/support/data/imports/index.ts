import { defineResource } from '../../../platform/resource/resource.ts'
import './kind.ts'
import { onJob } from './reactions.ts'
import { routes } from './routes.ts'

export default defineResource({
  name: 'imports',
  title: 'Imports',
  group: { title: 'Data', place: 57 },
  description: 'Objects of other systems, imported from a file with their past.',
  routes,
  reactions: [onJob],
  events: [],
})
