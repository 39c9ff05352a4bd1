import { defineResource } from '../../../platform/resource/resource.ts'
import { identityKeys } from './entity.ts'
import { routes } from './routes.ts'
import { identityKeyExample } from './schema.ts'

const event = (verb: string, description: string, changed = {}) => ({
  type: `identity_key.${verb}`,
  description,
  example: { ...identityKeyExample, ...changed },
})

export default defineResource({
  name: 'identity-keys',
  title: 'Identity keys',
  group: { title: 'People', place: 20 },
  scopes: { family: 'identity_keys', roles: { agent: 'none', lead: 'none' } },
  description: 'Keys that verify the JWTs by which your server tells who somebody is.',
  routes,
  sealed: [{ table: 'identity_keys', columns: ['sealed_secret'] }],
  entities: [identityKeys],
  events: [
    event('created', 'An identity key was created.'),
    event('updated', 'An identity key was updated.', { audience: null, version: 2 }),
    event('deleted', 'An identity key was deleted.'),
  ],
})
