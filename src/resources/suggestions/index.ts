import { defineResource } from '../../resource.ts'
import { suggestionRoutes } from './routes.ts'

export default defineResource({ name: 'suggestions', routes: suggestionRoutes, events: [] })
