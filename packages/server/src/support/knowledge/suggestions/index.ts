import { defineResource } from '../../../platform/resource/resource.ts'
import { suggestionRoutes } from './routes.ts'

export default defineResource({ name: 'suggestions', routes: suggestionRoutes, events: [] })
