import { everyEnvironment } from '../../../../platform/journal/every-environment.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { stateOf } from '../../../../platform/postgres/process-state.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'

/** A server of an earlier version that still runs can add such conversations, so nothing is known for ever. */
const knownForMs = 60_000

/** The environments in which every conversation refers to its end user: until when this is known. */
const newLinked = () => new Map<string, number>()

/** Does the environment have conversations from before end users, which background work has not reached yet? */
export async function hasUnlinked(db: Db, tenantId: string): Promise<boolean> {
  const known = stateOf(db, newLinked)
  if ((known.get(tenantId) ?? 0) > performance.now()) return false
  const found = await db.maybe(
    sql`select 1 as found from conversations where tenant_id = ${tenantId} and end_user_id is null limit 1`,
  )
  if (found === null) known.set(tenantId, performance.now() + knownForMs)
  return found !== null
}

/** Until when it is known that there are none. */
const newFinished = () => ({ untilMs: 0 })

/** Returns the environments with conversations that do not refer to their end user. */
export async function environmentsWithUnlinked(db: Db): Promise<string[]> {
  const finished = stateOf(db, newFinished)
  if (finished.untilMs > performance.now()) return []
  const rows = await db.slowRows<{ id: string }>(sql`select e.id from ${everyEnvironment}
    cross join lateral (select 1 from conversations where conversations.tenant_id = h.tenant_id
      and conversations.end_user_id is null limit 1) unlinked`)
  if (rows.length === 0) finished.untilMs = performance.now() + 10 * knownForMs
  return rows.map(({ id }) => id)
}

export type Unlinked = { id: string; external_user_id: string }

/** Conversations that do not refer to their end user; those of one end user together, oldest first. */
export const someUnlinked = (db: Db, tenantId: string, limit: number): Promise<Unlinked[]> =>
  db.rows(sql`select id, external_user_id from conversations
    where tenant_id = ${tenantId} and end_user_id is null order by external_user_id, id limit ${limit}`)

/** The end users with these external ids, after merges. */
export const namedEndUsers = (
  db: Db,
  tenantId: string,
  externalIds: string[],
): Promise<{ id: string; external_id: string }[]> =>
  db.rows(sql`select coalesce(merged_into_id, id) as id, external_id from end_users
    where tenant_id = ${tenantId} and external_id = any(${externalIds}::text[])`)

/** Leaves the version as it is: the conversation shows the same person as before. */
export const linkConversations = (tenantId: string, links: { id: string; end_user_id: string }[]): Sql =>
  sql`update conversations set end_user_id = v.end_user_id
    from unnest(${links.map(({ id }) => id)}::uuid[], ${links.map((link) => link.end_user_id)}::uuid[])
      as v (id, end_user_id),
      (select id from conversations where tenant_id = ${tenantId} and id = any(${links.map(({ id }) => id)}::uuid[])
        and end_user_id is null order by id for update skip locked) free
    where conversations.tenant_id = ${tenantId} and conversations.id = v.id and free.id = v.id`
