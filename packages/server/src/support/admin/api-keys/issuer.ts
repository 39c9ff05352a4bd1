import { unauthorized } from '../../../platform/kernel/errors.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { requireScopes } from '../../../platform/resource/scopes.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { consoleSessionInvalid } from '../../vocabulary/errors.ts'
import { consoleSessionIdOf } from '../../vocabulary/principal.ts'
import { type Role, roleAllows } from '../../vocabulary/roles.ts'
import { apiKeys } from './entity.ts'

/**
 * A credential that is revoked concurrently must not create a successor: it must be valid, and have these scopes, when
 * the new one commits. A key or operator that the request changes has its own guard. A job has no credential: it acts
 * with what its starter could do at its start.
 */
export async function requireLivingIssuer(
  change: Change,
  scopes: readonly string[],
  changedId: string | null = null,
): Promise<void> {
  const { actor, credential } = change.ctx.principal
  if (credential === null) return
  const { type, id } = actor
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
  const session = await change.rows.find(sessions, consoleSessionIdOf(change.ctx)!)
  const operator = await change.rows.find(operators, operatorId)
  const isRevoked = (session as { revoked_at: string | null } | null)?.revoked_at !== null
  if (!session || !operator || operator.archived || isRevoked) throw consoleSessionInvalid('revoked')
  requireScopes((scope) => roleAllows((operator as unknown as { role: Role }).role, scope), ...scopes)
  change.rows.guard(sessions, session)
  change.rows.guard(operators, operator)
}
