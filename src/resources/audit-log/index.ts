import { defineResource } from '../../resource.ts'
import { routes } from './routes.ts'

export default defineResource({
  name: 'audit-log',
  title: 'Audit log',
  description:
    'Who did what, when and from where. Entries are sealed into a hash chain, so that nothing can be changed, removed or added unseen.',
  routes,
  events: [],
})
