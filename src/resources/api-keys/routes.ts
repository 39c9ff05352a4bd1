import { typeId } from '../../lib/ids.ts'
import { list, read, remove, write } from '../../resource.ts'
import { createApiKey, revokeApiKey, rotateApiKey } from './actions.ts'
import { apiKeyOrders, apiKeyTable } from './queries.ts'
import { apiKeyWire, apiKeyWithSecretWire, defaultGraceSeconds, NewApiKey, Rotation } from './schema.ts'

const params = { id: 'key' }

export const routes = [
  write({
    method: 'POST',
    path: '/api_keys',
    name: 'createApiKey',
    summary: 'Create an API key',
    description:
      'For the environment of the presented key, with at most its scopes. The secret is shown this once.',
    scope: 'api_keys:write',
    status: 201,
    body: NewApiKey,
    bodyExample: { name: 'Mobile app', scopes: ['conversations:read', 'conversations:write'] },
    reply: apiKeyWithSecretWire,
    storedReply: apiKeyWire,
    location: (row) => `/api_keys/${typeId('key', row.id)}`,
    handle: (change, { body }) => createApiKey(change, body),
  }),
  list({
    path: '/api_keys',
    name: 'listApiKeys',
    summary: 'List API keys',
    description: 'Newest first, revoked ones included.',
    scope: 'api_keys:read',
    item: apiKeyWire,
    sorts: ['-created_at'],
    sortKey: (row, sort) => apiKeyOrders[sort].key(row),
    handle: (ctx, { page }) => apiKeyTable.list(ctx.db, ctx.env.tenantId, [], apiKeyOrders[page.sort], page),
    count: (ctx, _, atMost) => apiKeyTable.count(ctx.db, ctx.env.tenantId, [], atMost),
  }),
  read({
    path: '/api_keys/{id}',
    name: 'getApiKey',
    summary: 'Get an API key',
    scope: 'api_keys:read',
    params,
    reply: apiKeyWire,
    handle: (ctx, { params }) => apiKeyTable.find(ctx.db, ctx.env.tenantId, params.id),
  }),
  write({
    method: 'POST',
    path: '/api_keys/{id}/rotate',
    name: 'rotateApiKey',
    summary: 'Give an API key a new secret',
    description: 'The new secret is shown this once; the former one stays valid for `grace_seconds`.',
    scope: 'api_keys:write',
    params,
    errors: ['invalid_transition'],
    body: Rotation,
    bodyOptional: true,
    bodyExample: { grace_seconds: 86_400 },
    reply: apiKeyWithSecretWire,
    storedReply: apiKeyWire,
    handle: (change, { params, body }) =>
      rotateApiKey(change, params.id, body.grace_seconds ?? defaultGraceSeconds),
  }),
  remove({
    path: '/api_keys/{id}',
    name: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'At once, on every process within a second. The key stays readable with `revoked_at`.',
    scope: 'api_keys:write',
    params,
    handle: (change, { params }) => revokeApiKey(change, params.id),
  }),
]
