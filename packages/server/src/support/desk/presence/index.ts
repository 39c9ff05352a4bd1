import { defineResource } from '../../../platform/resource/resource.ts'
import { routes } from './routes.ts'

export default defineResource({ name: 'presence', routes, events: [] })
