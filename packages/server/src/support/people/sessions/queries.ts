import type { Instant } from '../../../platform/kernel/clock.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, defineTable } from '../../../platform/tables/table.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'

export type Session = RowOf<'end_user_sessions', { created_by: 'key' | 'jwt' | 'anonymous' }> & {
  /** The end user that the session belongs to: the target, if its own was merged. */
  holder_id: string
}

export const sessionTable = defineTable<Session>({
  name: 'end_user_sessions',
  columns: tables.end_user_sessions,
  fixed: ['token_hash', 'end_user_id', 'conversation_id', 'created_by', 'lifetime_seconds', 'last_used_at'],
  joined: {
    holder_id: (tenantId) => sql`coalesce((select own.merged_into_id from end_users own
      where own.tenant_id = ${tenantId} and own.id = end_user_sessions.end_user_id), end_user_sessions.end_user_id)`,
  },
})

export const sessionOrders = byCreation

/** Sessions of an end user, and those that became its own by a merge. */
export const ofEndUser = (tenantId: string, endUserId: string): Sql =>
  sql`end_user_id in (select ${endUserId}::uuid union all
    select id from end_users where tenant_id = ${tenantId} and merged_into_id = ${endUserId})`

/** The sessions of an end user that are neither revoked nor past their end. */
export const findOpenSessions = (
  db: Db,
  tenantId: string,
  endUserId: string,
  now: Instant,
): Promise<Session[]> =>
  db.slowRows(sql`select ${sessionTable.columns(tenantId)} from end_user_sessions
    where tenant_id = ${tenantId} and ${ofEndUser(tenantId, endUserId)} and revoked_at is null and expires_at > ${now}
    order by id`)

/** The session with a token, by its SHA-256; null if it is revoked or past its end. */
export const findOpenSession = (
  db: Db,
  tenantId: string,
  tokenHash: Buffer,
  now: Instant,
): Promise<Session | null> =>
  db.maybe(sql`select ${sessionTable.columns(tenantId)} from end_user_sessions
    where tenant_id = ${tenantId} and token_hash = ${tokenHash} and revoked_at is null and expires_at > ${now}`)

/** True if one of these ids, which belong to one person, is the end user of a conversation or takes part in it. */
export const takesPart = async (
  db: Db,
  tenantId: string,
  conversationId: string,
  endUserIds: string[],
  externalId: string | null,
): Promise<boolean> =>
  (await db.maybe(sql`select 1 as found from conversations where tenant_id = ${tenantId} and id = ${conversationId}
    and (end_user_id = any(${endUserIds}::uuid[]) or exists (select 1 from conversation_participants part
        where part.tenant_id = ${tenantId} and part.conversation_id = conversations.id
          and part.end_user_id = any(${endUserIds}::uuid[]) and part.confirmed)
      or (end_user_id is null and external_user_id = ${externalId}))`)) !== null

/** A session of an end user, as a request presents it. */
export type SessionRecord = {
  id: string
  environment: Environment
  /** The end user that the session was made for. */
  ownerId: string
  /** The end user that it belongs to: the target, if the owner was merged. */
  endUserId: string
  /** The only conversation that it may see; null for all of the end user. */
  conversationId: string | null
  expiresAt: Instant
  revokedAt: Instant | null
  lastUsedAt: Instant | null
  blockedAt: Instant | null
  blockedUntil: Instant | null
  erasedAt: Instant | null
}

/** A use of a session, and thereby of its end user. */
export type SessionUse = Pick<SessionRecord, 'id' | 'endUserId'>

/** Sessions by the SHA-256 of their tokens, with the end users that they belong to after merges. */
export async function findSessions(
  db: Db,
  tenantId: string,
  hashes: Buffer[],
): Promise<(SessionRecord & { tokenHash: string })[]> {
  type Found = Omit<SessionRecord, 'environment'> & { tokenHash: string } & Environment
  const found = await db.rows<Found>(sql`select encode(s.token_hash, 'hex') as "tokenHash", s.id,
      s.end_user_id as "ownerId", coalesce(t.id, o.id) as "endUserId", s.conversation_id as "conversationId",
      s.expires_at as "expiresAt", s.revoked_at as "revokedAt", s.last_used_at as "lastUsedAt",
      case when t.id is null then o.blocked_at else t.blocked_at end as "blockedAt",
      case when t.id is null then o.blocked_until else t.blocked_until end as "blockedUntil",
      coalesce(t.erased_at, o.erased_at) as "erasedAt",
      e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from end_user_sessions s join environments e on e.id = s.tenant_id
    join end_users o on o.tenant_id = ${tenantId} and o.id = s.end_user_id
    left join end_users t on t.tenant_id = ${tenantId} and t.id = o.merged_into_id
    where s.tenant_id = ${tenantId} and s.token_hash = any(${hashes}::bytea[])`)
  return found.map(({ tenantId, workspaceId, kind, clockOffsetMs, ...session }) => ({
    ...session,
    environment: { tenantId, workspaceId, kind, clockOffsetMs },
  }))
}

/** Increments no versions, because a use is not a change. Rows that are being written are left for the next use. */
export async function touchSessions(
  db: Db,
  tenantId: string,
  uses: SessionUse[],
  at: Instant,
): Promise<void> {
  const sessionIds = uses.map(({ id }) => id)
  const endUserIds = [...new Set(uses.map(({ endUserId }) => endUserId))]
  await db.write(sql`update end_user_sessions set last_used_at = ${at} from (
      select id from end_user_sessions where tenant_id = ${tenantId} and id = any(${sessionIds}::uuid[])
        and (last_used_at is null or last_used_at < ${at}) order by id for update skip locked) used
    where end_user_sessions.tenant_id = ${tenantId} and end_user_sessions.id = used.id`)
  await db.write(sql`update end_users set last_seen_at = ${at} from (
      select id from end_users where tenant_id = ${tenantId} and id = any(${endUserIds}::uuid[])
        and (last_seen_at is null or last_seen_at < ${at}::timestamptz - interval '1 minute')
      order by id for update skip locked) seen
    where end_users.tenant_id = ${tenantId} and end_users.id = seen.id`)
}
