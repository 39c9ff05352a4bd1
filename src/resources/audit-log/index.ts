import { defineResource } from '../../resource.ts'
import { routes } from './routes.ts'

export default defineResource({
  name: 'audit-log',
  title: 'Audit log',
  description:
    'Who did what, when and from where. Entries are sealed into a hash chain: one that was changed, removed or slipped in shows, also to who can write the database, as long as a head of the chain is kept elsewhere.',
  routes,
  events: [],
})
