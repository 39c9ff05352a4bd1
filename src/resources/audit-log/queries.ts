import type { Db } from '../../db/database.ts'
import { after, before, inOrder, newestFirst, type Position } from '../../db/positions.ts'
import { and, join, none, type Sql, sql } from '../../db/sql.ts'
import type { Instant } from '../../lib/clock.ts'
import { ofTypes } from '../events/queries.ts'

/** An event as the audit log reads it. */
export type AuditRow = Position & {
  id: string
  type: string
  created_at: Instant
  actor_type: string
  actor_id: string | null
  operator_id: string | null
  resource_type: string
  resource_id: string
  request_id: string | null
  ip: string | null
  user_agent: string | null
  /** JSON text; null where nothing is said to have changed, and it is not needed. */
  object: string | null
  /** JSON text. */
  previous: string
  erased_digest: Buffer | null
}

const columns = sql`epoch, xid, ordinal, id, type, created_at, actor_type, actor_id, operator_id, resource_type, resource_id,
  request_id, ip, user_agent, case when previous::text = '{}' then null else object::text end as object, previous::text, erased_digest`

export type AuditFilter = {
  /** Of an API key or an operator. */
  actorId: string | null
  /** Names of types of events. */
  types: string[] | null
  /** Found by its stream. */
  target: { streamId: string; id: string } | null
  createdAfter: Instant | null
  createdBefore: Instant | null
}

/** A stretch of the journal between two places, neither of them included. */
export type Range = { after: Position | null; before: Position | null }
export type Direction = 'forwards' | 'backwards'

const inRange = (tenantId: string, { target }: AuditFilter, range: Range, direction: Direction): Sql =>
  sql`where tenant_id = ${tenantId}${target ? sql` and stream_id = ${target.streamId}` : none}${after(range.after)}${before(range.before)}${direction === 'forwards' ? inOrder : newestFirst}`

/** What no index finds. */
function conditionsOf({ actorId, types, target, createdAfter, createdBefore }: AuditFilter): Sql[] {
  const conditions: Sql[] = []
  if (actorId !== null) conditions.push(sql`(actor_id = ${actorId} or operator_id = ${actorId})`)
  if (types !== null) conditions.push(ofTypes(types))
  if (target !== null) conditions.push(sql`resource_id = ${target.id}`)
  if (createdAfter !== null) conditions.push(sql`created_at > ${createdAfter}`)
  if (createdBefore !== null) conditions.push(sql`created_at < ${createdBefore}`)
  return conditions
}

/** Does every event of a range pass? */
export const passesAll = (filter: AuditFilter): boolean => conditionsOf(filter).length === 0

const passing = (filter: AuditFilter): Sql =>
  passesAll(filter) ? sql`true` : join(conditionsOf(filter), and)

/** Of the next `scan` events of a range those that pass, at most `limit` of them. */
export const findEntries = (
  db: Db,
  tenantId: string,
  filter: AuditFilter,
  range: Range,
  direction: Direction,
  { scan, limit }: { scan: number; limit: number },
): Promise<AuditRow[]> =>
  db.slowRows(sql`select ${columns} from (
      select * from events ${inRange(tenantId, filter, range, direction)} limit ${scan}) events
    where ${passing(filter)}${direction === 'forwards' ? inOrder : newestFirst} limit ${limit}`)

/** Where the next `scan` events of a range end, how many these are, and how many of them pass; null when there are none. */
export async function endOfScan(
  db: Db,
  tenantId: string,
  filter: AuditFilter,
  range: Range,
  direction: Direction,
  scan: number,
): Promise<(Position & { scanned: number; passed: number }) | null> {
  const [end] = await db.slowRows<
    Position & { scanned: number; passed: number }
  >(sql`with scan as materialized (
      select epoch, xid, ordinal, ${passing(filter)} as passes from events ${inRange(tenantId, filter, range, direction)} limit ${scan})
    select epoch, xid, ordinal, (select count(*) from scan) as scanned, (select count(*) from scan where passes) as passed
    from scan events${direction === 'forwards' ? newestFirst : inOrder} limit 1`)
  return end ?? null
}
