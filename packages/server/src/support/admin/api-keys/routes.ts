import { typeId } from '../../../platform/kernel/ids.ts'
import { list, read, remove, write } from '../../../platform/resource/resource.ts'
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
      'The new key belongs to the environment of the requesting key and can have at most its scopes. The secret is shown only once, in this response.',
    scope: 'api_keys:write',
    changesAdmission: true,
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
    description:
      'Lists the keys of the environment, expired and revoked ones included, without their secrets.',
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
    description: 'Returns a key without its secret, also an expired or revoked one.',
    scope: 'api_keys:read',
    params,
    reply: apiKeyWire,
    handle: (ctx, { params }) => apiKeyTable.find(ctx.db, ctx.env.tenantId, params.id),
  }),
  write({
    method: 'POST',
    path: '/api_keys/{id}/rotate',
    name: 'rotateApiKey',
    summary: 'Rotate an API key',
    description:
      'The new secret is shown only once, in this response. The previous secret stays valid for `grace_seconds`.',
    scope: 'api_keys:write',
    changesAdmission: true,
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
    description:
      'Takes effect within a second on all servers. A revoked key can still be read and has `revoked_at`.',
    scope: 'api_keys:write',
    changesAdmission: true,
    params,
    handle: (change, { params }) => revokeApiKey(change, params.id),
  }),
]
