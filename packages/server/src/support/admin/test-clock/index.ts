import { defineResource } from '../../../platform/resource/resource.ts'
import { routes } from './routes.ts'

export default defineResource({
  name: 'test-clock',
  title: 'Test clock',
  group: { title: 'Administration', place: 63 },
  description: 'The clock of a test environment. Advance it to test in seconds what takes days.',
  routes,
  events: [],
})
