import { hash } from 'node:crypto'
import { parseInstant, plusSeconds, toUnixMs } from '../../../platform/kernel/clock.ts'
import { ApiError, type FieldError, invalidBody } from '../../../platform/kernel/errors.ts'
import { newUuid } from '../../../platform/kernel/ids.ts'
import { parseCidr } from '../../../platform/kernel/networks.ts'
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
  refuseInvalid(change, input, expiresAt)
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
  change.effects.write(insertSecret(key.id, hash('sha256', secret, 'buffer')))
  return { ...key, secret }
}

const credentialOfKind = { secret: 'secret_key', publishable: 'publishable_key' } as const

function refuseInvalid(change: Change, input: NewApiKey, expiresAt: string | null): void {
  const faults = [...faultsOfScopes(input), ...faultsOfOrigins(input)]
  for (const [i, cidr] of (input.allowed_cidrs ?? []).entries()) {
    if (parseCidr(cidr)) continue
    faults.push({
      pointer: `/allowed_cidrs/${i}`,
      code: 'bad_format',
      detail: 'must be a CIDR block or an IP address',
    })
  }
  if (expiresAt !== null && expiresAt <= change.now) {
    faults.push({ pointer: '/expires_at', code: 'too_small', detail: 'must be in the future' })
  }
  if (faults.length > 0) throw invalidBody(...faults)
}

function faultsOfScopes({ kind, scopes }: NewApiKey): FieldError[] {
  if (kind === 'publishable')
    return scopes === undefined || scopes.length === 0
      ? []
      : [{ pointer: '/scopes', code: 'not_allowed', detail: 'must be empty for a publishable key' }]
  if (scopes === undefined)
    return [{ pointer: '/scopes', code: 'required', detail: 'is required for a secret key' }]
  return scopes.length > 0 ? [] : [{ pointer: '/scopes', code: 'too_short', detail: 'must not be empty' }]
}

function faultsOfOrigins({ kind, allowed_origins: origins = [] }: NewApiKey): FieldError[] {
  if (kind !== 'publishable')
    return origins.length === 0
      ? []
      : [{ pointer: '/allowed_origins', code: 'not_allowed', detail: 'is for publishable keys only' }]
  return origins.flatMap((origin, i): FieldError[] =>
    URL.canParse(origin)
      ? []
      : [{ pointer: `/allowed_origins/${i}`, code: 'bad_format', detail: 'must be an origin' }],
  )
}

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
  change.effects.write(endSecrets(key.id, plusSeconds(change.now, graceSeconds)))
  change.effects.write(insertSecret(key.id, hash('sha256', secret, 'buffer')))
  return { ...rotated, secret }
}

/** Revokes a key at once; it stays readable. */
export async function revokeApiKey(change: Change, id: string): Promise<void> {
  const key = await change.rows.load(apiKeys, id)
  if (!key.revoked_at) change.rows.update(apiKeys, key, { revoked_at: change.now }, 'api_key.revoked')
}
