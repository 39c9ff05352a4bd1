import { after, before, inOrder, newestFirst, type Position } from '../../../platform/journal/positions.ts'
import type { Instant } from '../../../platform/kernel/clock.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { and, join, none, type Sql, sql } from '../../../platform/postgres/sql.ts'
import { eventsWithinPage, ofTypes } from '../events/queries.ts'

/** An event in the form of the audit log. */
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
  /** JSON text; null if nothing changed and it is not needed. */
  object: string | null
  /** JSON text. */
  previous: string
  audited: string | null
  /** JSON text: digests of erased values by field. */
  erased: string | null
  /** Does an entry record an erasure for this target? Null without one. */
  is_redacted: boolean | null
}

const uuidPattern = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

/** The resource whose event tells of an erasure: that of the stream, or another one in it. */
const tellingResource = sql`case when events.erased ->> '*resource' ~ ${uuidPattern}
  then (events.erased ->> '*resource')::uuid else erasure.stream_id end`

const columnsOf = (
  tenantId: string,
): Sql => sql`epoch, position, ordinal, id, type, created_at, actor_type, actor_id, operator_id,
  resource_type, resource_id, request_id, ip, user_agent, case when previous::text = '{}' and audited is null then null else object::text end as object,
  previous::text, audited, erased::text, case when erased is not null then exists (
    select 1 from events redaction where redaction.tenant_id = ${tenantId} and redaction.stream_id = events.stream_id
      and redaction.resource_id = events.resource_id and redaction.type = events.resource_type || '.redacted')
    or case when erased ->> '*by' ~ ${uuidPattern} then exists (
      select 1 from events erasure where erasure.tenant_id = ${tenantId} and erasure.stream_id = (events.erased ->> '*by')::uuid
        and erasure.resource_id = ${tellingResource}
        and erasure.type in ('conversation.deleted', 'end_user.erased', 'message.redacted')) else false end
    end as is_redacted`

export type AuditFilter = {
  /** The id of the event. */
  id: string | null
  /** The id of an API key or an operator. */
  actorId: string | null
  /** Names of event types. */
  types: string[] | null
  /** Found by its stream. */
  target: { streamId: string; id: string } | null
  createdAfter: Instant | null
  createdBefore: Instant | null
}

/** The filter that matches all entries. */
export const everything: AuditFilter = {
  id: null,
  actorId: null,
  types: null,
  target: null,
  createdAfter: null,
  createdBefore: null,
}

/** A range of the journal between two places, both exclusive. */
export type Range = { after: Position | null; before: Position | null }
export type Direction = 'forwards' | 'backwards'

const inRange = (tenantId: string, { target }: AuditFilter, range: Range, direction: Direction): Sql =>
  sql`where tenant_id = ${tenantId}${target ? sql` and stream_id = ${target.streamId}` : none}${after(range.after)}${before(range.before)}${direction === 'forwards' ? inOrder : newestFirst}`

/** The conditions without an index. */
function conditionsOf({ id, actorId, types, target, createdAfter, createdBefore }: AuditFilter): Sql[] {
  const conditions: Sql[] = []
  if (id !== null) conditions.push(sql`id = ${id}`)
  if (actorId !== null) conditions.push(sql`(actor_id = ${actorId} or operator_id = ${actorId})`)
  if (types !== null) conditions.push(ofTypes(types))
  if (target !== null) conditions.push(sql`resource_id = ${target.id}`)
  if (createdAfter !== null) conditions.push(sql`created_at > ${createdAfter}`)
  if (createdBefore !== null) conditions.push(sql`created_at < ${createdBefore}`)
  return conditions
}

/** Does every event of a range match? */
export const passesAll = (filter: AuditFilter): boolean => conditionsOf(filter).length === 0

const passing = (filter: AuditFilter): Sql =>
  passesAll(filter) ? sql`true` : join(conditionsOf(filter), and)

/** The matching events among the next `scan` of a range, at most `limit`. */
export const findEntries = (
  db: Db,
  tenantId: string,
  filter: AuditFilter,
  range: Range,
  direction: Direction,
  { scan, limit }: { scan: number; limit: number },
): Promise<AuditRow[]> =>
  db.slowRows(sql`select ${columnsOf(tenantId)} from (
      select * from events ${inRange(tenantId, filter, range, direction)} limit ${scan}) events
    where ${passing(filter)}${direction === 'forwards' ? inOrder : newestFirst} limit ${limit}`)

/** The next events of a range: at most `limit`, and fewer if their texts are long. */
export const nextEntries = (db: Db, tenantId: string, range: Range, limit: number): Promise<AuditRow[]> =>
  db.slowRows(
    eventsWithinPage(
      columnsOf(tenantId),
      sql`select * from events ${inRange(tenantId, everything, range, 'forwards')} limit ${limit}`,
    ),
  )

/**
 * The end of the next `scan` events of a range, their number, and the number of matches; null if there are none.
 */
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
      select epoch, position, ordinal, ${passing(filter)} as passes from events ${inRange(tenantId, filter, range, direction)} limit ${scan})
    select epoch, position, ordinal, (select count(*) from scan) as scanned, (select count(*) from scan where passes) as passed
    from scan events${direction === 'forwards' ? newestFirst : inOrder} limit 1`)
  return end ?? null
}

/** The seals of some entries; its position is that of the last one. */
export type Block = Position & { number: number; entries: Buffer; head: Buffer; sealed_at: Instant }

const blockColumns = sql`number, epoch, position, ordinal, entries, head, sealed_at`

export const findLastBlock = (db: Db, tenantId: string): Promise<Block | null> =>
  db.maybe(
    sql`select ${blockColumns} from audit_blocks where tenant_id = ${tenantId} order by number desc limit 1`,
  )

/** The blocks after number `after` up to number `through`, in order. */
export const findBlocks = (
  db: Db,
  tenantId: string,
  after: number,
  through: number,
  limit: number,
): Promise<Block[]> =>
  db.slowRows(sql`select ${blockColumns} from audit_blocks
    where tenant_id = ${tenantId} and number > ${after} and number <= ${through} order by number limit ${limit}`)

/** The number of the block with this head; null if none has it. */
export async function findBlockNumber(db: Db, tenantId: string, head: Buffer): Promise<number | null> {
  const row = await db.maybe<{ number: number }>(
    sql`select number from audit_blocks where tenant_id = ${tenantId} and head = ${head} order by number limit 1`,
  )
  return row?.number ?? null
}

/** A second block with this number fails on the primary key. */
export function insertBlock(tenantId: string, [block]: Block[]): Sql {
  const { number, epoch, position, ordinal, entries, head, sealed_at } = block!
  return sql`insert into audit_blocks (tenant_id, ${blockColumns})
    values (${tenantId}, ${number}, ${epoch}, ${position}::text::xid8, ${ordinal}, ${entries}, ${head}, ${sealed_at})`
}

/** The last block and the position of the sealing consumer, as of one moment. */
export async function findSealed(
  db: Db,
  tenantId: string,
  consumer: string,
): Promise<{ last: Block | null; position: Position | null }> {
  type Row = { last: number | null; epoch: number | null; position: number; ordinal: number }
  const found =
    await db.maybe<Row>(sql`select b.number as last, p.epoch, p.position, p.ordinal from environments e
    left join journal_positions p on p.tenant_id = ${tenantId} and p.follower = ${consumer}
    left join lateral (select number from audit_blocks where tenant_id = ${tenantId} order by number desc limit 1) b on true
    where e.id = ${tenantId}`)
  const { last = null, epoch = null, position = 0, ordinal = 0 } = found ?? {}
  const [block = null] = last === null ? [] : await findBlocks(db, tenantId, last - 1, last, 1)
  return { last: block, position: epoch === null ? null : { epoch, position, ordinal } }
}

export async function countAfter(db: Db, tenantId: string, position: Position | null): Promise<number> {
  const [row] = await db.slowRows<{ count: number }>(
    sql`select count(*) from events where tenant_id = ${tenantId}${after(position)}`,
  )
  return row!.count
}

/** The number of events with each of these ids. */
export async function countIds(
  db: Db,
  tenantId: string,
  range: Range,
  ids: string[],
): Promise<Map<string, number>> {
  const rows = await db.slowRows<{ id: string; count: number }>(sql`select id, count(*) from events
    where tenant_id = ${tenantId}${after(range.after)}${before(range.before)} and id = any(${ids}::uuid[]) group by id`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}
