import { hash } from 'node:crypto'
import { parseInstant, plusSeconds, toUnixMs } from '../../../platform/kernel/clock.ts'
import { ApiError, invalidBody } from '../../../platform/kernel/errors.ts'
import { newUuid } from '../../../platform/kernel/ids.ts'
import { requireScopes } from '../../../platform/resource/scopes.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { newKeySecret, secretHint } from '../../vocabulary/credentials.ts'
import { apiKeys } from './entity.ts'
import { requireLivingIssuer } from './issuer.ts'
import { endSecrets, insertSecret } from './queries.ts'
import type { ApiKeyWithSecret, NewApiKey } from './schema.ts'

/** Creates a key for the environment of the change. Only the result contains its secret; a hash is stored. */
export async function createApiKey(change: Change, input: NewApiKey): Promise<ApiKeyWithSecret> {
  const expiresAt = input.expires_at == null ? null : parseInstant(input.expires_at)!
  const { kind = 'secret', scopes = [], allowed_origins: origins = [] } = input
  requireScopes(change.ctx.principal.allows, ...scopes) // nobody can grant scopes that he does not have
  if (expiresAt !== null && expiresAt <= change.now)
    throw invalidBody({ pointer: '/expires_at', code: 'too_small', detail: 'must be in the future' })
  await requireLivingIssuer(change, scopes)
  const secret = newKeySecret(change.ctx.env.kind, credentialOfKind[kind])
  const key = change.rows.create(apiKeys, {
    id: newUuid(toUnixMs(change.now)),
    kind,
    name: input.name,
    scopes: [...new Set(scopes)],
    allowed_cidrs: input.allowed_cidrs ?? [],
    allowed_origins: [...new Set(origins.map(normalizedOrigin))],
    secret_hint: secretHint(secret),
    expires_at: expiresAt,
    last_used_at: null,
    rotated_at: null,
    revoked_at: null,
    created_at: change.now,
    updated_at: change.now,
    version: 1,
  })
  change.effects.writeEverywhere(insertSecret(key.id, hash('sha256', secret, 'buffer')))
  return { ...key, secret }
}

const credentialOfKind = { secret: 'secret_key', publishable: 'publishable_key' } as const

/** As browsers send it: in lower case, without the default port. */
const normalizedOrigin = (origin: string): string => new URL(origin).origin

/** Rotates the secret of a key; the previous one stays valid for `graceSeconds`. */
export async function rotateApiKey(
  change: Change,
  id: string,
  graceSeconds: number,
): Promise<ApiKeyWithSecret> {
  const key = await change.rows.load(apiKeys, id)
  requireScopes(change.ctx.principal.allows, ...key.scopes)
  await requireLivingIssuer(change, key.scopes, key.id)
  if (key.revoked_at)
    throw new ApiError('invalid_transition', { from: 'revoked', action: 'rotate', allowed: [] })
  const secret = newKeySecret(change.ctx.env.kind, credentialOfKind[key.kind])
  const rotated = change.rows.update(
    apiKeys,
    key,
    { secret_hint: secretHint(secret), rotated_at: change.now },
    'api_key.rotated',
  )
  change.effects.writeEverywhere(endSecrets(key.id, plusSeconds(change.now, graceSeconds)))
  change.effects.writeEverywhere(insertSecret(key.id, hash('sha256', secret, 'buffer')))
  return { ...rotated, secret }
}

/** Revokes a key at once; it stays readable. */
export async function revokeApiKey(change: Change, id: string): Promise<void> {
  const key = await change.rows.load(apiKeys, id)
  if (!key.revoked_at) change.rows.update(apiKeys, key, { revoked_at: change.now }, 'api_key.revoked')
}
