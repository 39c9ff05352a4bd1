import type { Instant } from '../../../platform/kernel/clock.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import { nameKey } from '../../../platform/kernel/names.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { none, type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, defineTable } from '../../../platform/tables/table.ts'
import type { Role } from '../../vocabulary/roles.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'

export type ConsoleSession = RowOf<'console_sessions', { created_by: 'link' | 'oidc' }>

export const consoleSessionTable = defineTable<ConsoleSession>({
  name: 'console_sessions',
  columns: tables.console_sessions,
  fixed: ['token_hash', 'operator_id', 'created_by', 'user_agent', 'ip', 'expires_at', 'last_used_at'],
})

export const consoleSessionOrders = byCreation

export const ofOperator = (operatorId: string): Sql => sql`operator_id = ${operatorId}`

/** The sessions of an operator that were not revoked and have not expired, newest first. */
export const findLiving = (
  db: Db,
  tenantId: string,
  operatorId: string,
  at: Instant,
): Promise<ConsoleSession[]> =>
  db.rows(sql`select ${consoleSessionTable.columns(tenantId)} from console_sessions
    where tenant_id = ${tenantId} and operator_id = ${operatorId} and revoked_at is null and expires_at > ${at}
    order by id desc`)

/** Deletes the sessions of an operator that ended before a time. */
export const deleteEnded = (tenantId: string, operatorId: string, before: Instant): Sql =>
  sql`delete from console_sessions where tenant_id = ${tenantId} and operator_id = ${operatorId}
    and (expires_at < ${before} or revoked_at < ${before})`

export const deleteSessions = (tenantId: string, operatorIds: string[]): Sql =>
  sql`delete from console_sessions where tenant_id = ${tenantId} and operator_id = any(${operatorIds}::uuid[])`

/** A session of an operator in one environment, as a request presents it. */
export type ConsoleRecord = {
  id: string
  environment: Environment
  operator: { id: string; name: string; email: string; role: Role }
  isArchived: boolean
  expiresAt: Instant
  revokedAt: Instant | null
  lastUsedAt: Instant
}

/** A session by the SHA-256 of its token, with what its operator may do now. */
export async function findConsoleSession(
  db: Db,
  tenantId: string,
  tokenHash: Buffer,
): Promise<ConsoleRecord | null> {
  type Found = Pick<ConsoleRecord, 'id' | 'expiresAt' | 'revokedAt' | 'lastUsedAt' | 'isArchived'> &
    Environment & { operatorId: string; role: Role; name: string; email: string }
  const found =
    await db.maybe<Found>(sql`select s.id, s.operator_id as "operatorId", s.expires_at as "expiresAt",
      s.revoked_at as "revokedAt", s.last_used_at as "lastUsedAt", o.archived as "isArchived", o.role, o.name, o.email,
      e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from console_sessions s join environments e on e.id = s.tenant_id
    join operators o on o.tenant_id = ${tenantId} and o.id = s.operator_id
    where s.tenant_id = ${tenantId} and s.token_hash = ${tokenHash}`)
  if (!found) return null
  const { workspaceId, kind, clockOffsetMs, operatorId, role, name, email, ...session } = found
  return {
    ...session,
    operator: { id: operatorId, name, email, role },
    environment: { tenantId, workspaceId, kind, clockOffsetMs },
  }
}

/** Increments no versions, because a use is not a change. Rows that are being written are left for the next use. */
export async function touchConsoleSessions(
  db: Db,
  tenantId: string,
  uses: { id: string }[],
  at: Instant,
): Promise<void> {
  const ids = uses.map(({ id }) => id)
  await db.write(sql`update console_sessions set last_used_at = ${at} from (
      select id from console_sessions where tenant_id = ${tenantId} and id = any(${ids}::uuid[])
        and last_used_at < ${at} order by id for update skip locked) used
    where console_sessions.tenant_id = ${tenantId} and console_sessions.id = used.id`)
}

/**
 * True if the environment has an operator who administers it.
 * @param email the address of an operator who does not count
 */
export const hasAdmin = async (db: Db, tenantId: string, email: string | null): Promise<boolean> =>
  (await db.maybe(sql`select 1 as found from operators
    where tenant_id = ${tenantId} and role = 'admin' and not archived
      ${email === null ? none : sql`and email_key <> ${nameKey(email)}`} limit 1`)) !== null
