import { defineResource } from '../../../platform/resource/resource.ts'
import { apiKeys } from './entity.ts'
import { routes } from './routes.ts'
import { apiKeyExample } from './schema.ts'

const event = (verb: string, description: string, changed = {}) => ({
  type: `api_key.${verb}`,
  description,
  example: { ...apiKeyExample, ...changed },
})

export default defineResource({
  name: 'api-keys',
  title: 'API keys',
  group: { title: 'Administration', place: 62 },
  scopes: { family: 'api_keys', roles: { agent: 'none', lead: 'none' } },
  description: 'Secret bearer tokens with scopes, expiry, allowed addresses and rotation.',
  routes,
  entities: [apiKeys],
  events: [
    event('created', 'An API key was created.'),
    event('rotated', 'The secret of an API key was rotated.', { rotated_at: apiKeyExample.updated_at }),
    event('revoked', 'An API key was revoked.', { revoked_at: apiKeyExample.updated_at }),
  ],
})
