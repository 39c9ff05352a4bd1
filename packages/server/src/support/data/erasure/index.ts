import { defineResource } from '../../../platform/resource/resource.ts'
import { erasures } from './entity.ts'
import { routes } from './routes.ts'

export default defineResource({
  name: 'erasure',
  title: 'Erasures',
  group: { title: 'Data', place: 46 },
  scopes: { family: 'erasure', roles: { agent: 'none', lead: 'none' } },
  description: 'Certificates of the erasure of people.',
  routes,
  entities: [erasures],
  events: [],
})
