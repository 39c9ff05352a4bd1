import { defineResource } from '../../../platform/resource/resource.ts'
import { routes } from './routes.ts'

export default defineResource({
  name: 'request-log',
  title: 'Request log',
  group: { title: 'Integration' },
  scopes: { family: 'request_log', roles: { agent: 'none', lead: 'none' } },
  description:
    'The requests of the last days, with their response status and error code, for those who build integrations. Rows contain no bodies, headers, queries or tokens.',
  routes,
  events: [],
})
