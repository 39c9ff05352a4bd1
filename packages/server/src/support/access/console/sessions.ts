import { LRUCache } from 'lru-cache'
import { toInstant } from '../../../platform/kernel/clock.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Principal } from '../../../platform/unit-of-work/principal.ts'
import { listEnvironments } from '../../admin/workspace/queries.ts'
import { hasShape, workspaceOfToken } from '../../vocabulary/credentials.ts'
import { consoleSessionInvalid } from '../../vocabulary/errors.ts'
import { factsOf, principalOf } from '../../vocabulary/principal.ts'
import { roleAllows } from '../../vocabulary/roles.ts'
import { secretHash } from '../console-sessions/actions.ts'
import { type ConsoleRecord, findConsoleSession, touchConsoleSessions } from '../console-sessions/queries.ts'
import { type AuthenticationDeps, credentialCache, touchIntervalMs } from '../credential-cache.ts'
import { sessionUses } from '../session-batches.ts'
import { tokenInCookie } from './cookies.ts'
import { type ConsoleClaim, requireOwnOrigin } from './requests.ts'

/** A session ends this long after its last request. */
const idleMs = 12 * 3_600_000

export type ConsoleAuthentication = {
  /**
   * Authenticates a request of the console.
   * @param former the principal of an open stream that is checked again, which is no use and keeps no session alive
   * @throws ApiError `console_session_invalid`, `origin_not_allowed`, `bad_request`, `rate_limited`
   */
  authenticate(claim: ConsoleClaim, address: string, former: Principal | undefined): Promise<Principal>
  /** The session of a request, whether or not it can be used; null for none. @throws ApiError `rate_limited` */
  recognize(claim: ConsoleClaim, address: string): Promise<Principal | null>
  /** The session with a token in the environment of this kind; null unless it can be used. Not a use. */
  find(kind: Environment['kind'], token: string, address: string): Promise<ConsoleRecord | null>
  /** Invalidates the cache. */
  forget(): void
}

/** Sessions live in real time: a test clock that moves signs nobody out. */
export function authenticateConsole(
  { db, clock, unknownLimit, uses }: AuthenticationDeps,
  publicUrl: string,
): ConsoleAuthentication {
  const tenantOf = environmentsByWorkspace(db)
  const noteUse = sessionUses<{ id: string }>(
    (tenantId, uses, at) => touchConsoleSessions(db.home(tenantId), tenantId, uses, at),
    uses,
  )
  const cache = credentialCache<Known>(async (_hash, text) => {
    const [kind, token] = text.split(' ') as [Environment['kind'], string]
    const workspaceId = workspaceOfToken(token)
    const tenantId = workspaceId && (await tenantOf(workspaceId, kind))
    const record = tenantId ? await findConsoleSession(db.home(tenantId), tenantId, secretHash(token)) : null
    return record && { record, usedAt: Date.parse(record.lastUsedAt) }
  }, unknownLimit)

  return {
    async authenticate(claim, address, former) {
      requireOwnOrigin(claim, publicUrl)
      const kind = claim.environment
      if (kind !== 'live' && kind !== 'test')
        throw new ApiError('bad_request', {}, { detail: 'Backline-Console must be live or test.' })
      const token = tokenInCookie(claim.cookie, publicUrl)
      if (token === null) throw consoleSessionInvalid('missing')
      if (!hasShape('console_token', token)) throw consoleSessionInvalid('malformed')
      const known = await cache.find(`${kind} ${token}`, address)
      if (!known) throw consoleSessionInvalid('unknown')
      const { record } = known
      const nowMs = clock()
      const fault = faultOf(known, nowMs)
      if (fault) throw consoleSessionInvalid(fault)
      if (former === undefined && nowMs - known.usedAt >= touchIntervalMs) {
        known.usedAt = nowMs
        noteUse(record.environment.tenantId, { id: record.id }, toInstant(nowMs))
      }
      // What a stream shows was chosen by the role at its start.
      if (former && factsOf(former).consoleSession?.role !== record.operator.role)
        throw consoleSessionInvalid('revoked')
      return toPrincipal(record, token)
    },
    async recognize({ environment, cookie }, address) {
      const token = tokenInCookie(cookie, publicUrl)
      if (token === null || !hasShape('console_token', token)) return null
      if (environment !== 'live' && environment !== 'test') return null
      const known = await cache.find(`${environment} ${token}`, address)
      return known && toPrincipal(known.record, token)
    },
    async find(kind, token, address) {
      const known = hasShape('console_token', token) ? await cache.find(`${kind} ${token}`, address) : null
      return known && faultOf(known, clock()) === null ? known.record : null
    },
    forget: cache.forget,
  }
}

/** A session counts as a secret key with the scopes of the role. */
function toPrincipal({ id, environment, operator }: ConsoleRecord, token: string): Principal {
  const operatorId = typeId('op', operator.id)
  return principalOf({
    environment,
    actor: { type: 'operator', id: operatorId, operator_id: operatorId },
    credential: 'secret_key',
    token,
    holderId: operator.id,
    countedAs: 'console_session',
    allows: (scope) => roleAllows(operator.role, scope),
    viewerId: operator.id,
    logged: { operator_id: operatorId },
    facts: { consoleSession: { id, role: operator.role } },
  })
}

const maxWorkspaces = 10_000

/** Finds the ids of environments, which never change, by workspace and kind. */
function environmentsByWorkspace(db: Db) {
  const known = new LRUCache<string, string>({ max: maxWorkspaces })
  return async (workspaceId: string, kind: Environment['kind']): Promise<string | null> => {
    const name = `${workspaceId} ${kind}`
    const cached = known.get(name)
    if (cached) return cached
    const environments = await listEnvironments(db, workspaceId)
    for (const each of environments) known.set(`${workspaceId} ${each.kind}`, each.tenantId)
    return known.get(name) ?? null
  }
}

type Known = { record: ConsoleRecord; usedAt: number }

/** The reason why a session cannot be used; null if it can. */
function faultOf({ record, usedAt }: Known, nowMs: number): 'revoked' | 'expired' | null {
  const { revokedAt, isArchived, expiresAt } = record
  if (revokedAt !== null || isArchived) return 'revoked'
  return expiresAt <= toInstant(nowMs) || nowMs - usedAt >= idleMs ? 'expired' : null
}
