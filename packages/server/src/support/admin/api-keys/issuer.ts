import { unauthorized } from '../../../platform/http/auth.ts'
import { consoleSessionInvalid } from '../../../platform/http/console-requests.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { type Role, roleAllows } from '../../vocabulary/roles.ts'
import { apiKeys } from './entity.ts'

/** Nobody can grant scopes that he does not have. @throws ApiError `scope_missing` with the first of them */
export function requireScopes(change: Change, scopes: readonly string[]): void {
  refuseMissing(scopes, (scope) => change.ctx.allows(scope))
}

function refuseMissing(scopes: readonly string[], allows: (scope: string) => boolean): void {
  const missing = scopes.find((scope) => !allows(scope))
  if (missing !== undefined) throw new ApiError('scope_missing', { scope: missing })
}

/**
 * A credential that is revoked concurrently must not create a successor: it must be valid, and have these scopes, when
 * the new one commits. A key or operator that the request changes has its own guard.
 */
export async function requireLivingIssuer(
  change: Change,
  scopes: readonly string[],
  changedId: string | null = null,
): Promise<void> {
  const { type, id } = change.ctx.actor
  if (type === 'operator') await requireLivingSession(change, uuidOf('op', id!)!, scopes)
  const issuerId = type === 'api_key' && id !== null ? uuidOf('key', id) : null
  if (issuerId === null || issuerId === changedId) return
  const issuer = await change.rows.find(apiKeys, issuerId)
  if (!issuer || issuer.revoked_at) throw unauthorized('api_key_invalid')
  change.rows.guard(apiKeys, issuer)
}

/** The session of the console is not revoked, and the role of its operator still has the scopes. */
async function requireLivingSession(
  change: Change,
  operatorId: string,
  scopes: readonly string[],
): Promise<void> {
  const [sessions, operators] = [change.entityOf('console_session'), change.entityOf('operator')]
  const session = await change.rows.find(sessions, change.ctx.consoleSessionId!)
  const operator = await change.rows.find(operators, operatorId)
  const isRevoked = (session as { revoked_at: string | null } | null)?.revoked_at !== null
  if (!session || !operator || operator.archived || isRevoked) throw consoleSessionInvalid('revoked')
  refuseMissing(scopes, (scope) => roleAllows((operator as unknown as { role: Role }).role, scope))
  change.rows.guard(sessions, session)
  change.rows.guard(operators, operator)
}
