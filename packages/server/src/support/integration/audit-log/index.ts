import { defineResource } from '../../../platform/resource/resource.ts'
import { routes } from './routes.ts'

export default defineResource({
  name: 'audit-log',
  title: 'Audit log',
  group: { title: 'Integration', place: 53 },
  scopes: { family: 'audit_log', roles: { agent: 'none', lead: 'none' } },
  description:
    'A record of all changes with their actor, time and origin. Entries are sealed into a hash chain, which reveals entries that were altered, removed or inserted. A head of the chain that is kept elsewhere also reveals changes by somebody with write access to the database.',
  routes,
  events: [],
})
