import { defineResource } from '../../../platform/resource/resource.ts'
import './kind.ts'
import { routes } from './routes.ts'

export default defineResource({ name: 'person', routes, events: [] })
