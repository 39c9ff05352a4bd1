import { defineResource } from '../../../platform/resource/resource.ts'

export default defineResource({
  name: 'erasures',
  title: 'Erasures',
  group: { title: 'Data', place: 46 },
  scopes: { family: 'erasure', roles: { agent: 'none', lead: 'none' } },
  description: 'Certificates of the erasure of people.',
  routes: [],
  events: [],
})
