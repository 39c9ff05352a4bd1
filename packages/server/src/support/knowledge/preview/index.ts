import { defineResource } from '../../../platform/resource/resource.ts'
import { previewRoutes } from './routes.ts'

export default defineResource({ name: 'preview', routes: previewRoutes, events: [] })
