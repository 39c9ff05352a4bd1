import { means } from '../../../platform/journal/event-names.ts'
import { keepBeyond } from '../../../platform/journal/heads.ts'
import {
  after,
  afterFloor,
  before,
  fromSortKey,
  inOrder,
  journalOrder,
  newestFirst,
  type Position,
  toSortKey,
  upTo,
} from '../../../platform/journal/positions.ts'
import type { Instant } from '../../../platform/kernel/clock.ts'
import { maxPageBytes, type SortKey } from '../../../platform/kernel/page.ts'
import { countUpTo } from '../../../platform/postgres/count.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { and, join, limitTo, none, type Sql, sql } from '../../../platform/postgres/sql.ts'
import { withinPage } from '../../../platform/tables/within-page.ts'
import { findPosition } from './position-at.ts'

export { positionSlackMs } from './position-at.ts'

export type EventRow = {
  epoch: number
  position: number
  ordinal: number
  id: string
  type: string
  created_at: Instant
  environment: 'live' | 'test'
  actor_type: string
  actor_id: string | null
  operator_id: string | null
  request_id: string | null
  idempotency_key: string | null
  resource_type: string
  /** The conversation of a message; otherwise the resource itself. */
  stream_id: string
  resource_id: string
  resource_version: number
  /** JSON text. */
  object: string
  /** JSON text. */
  previous: string
  /** JSON text: further members of `data`; null without any. */
  related: string | null
}

const headColumns = sql`epoch, position, ordinal, id, type, created_at, stream_id, actor_type, actor_id, operator_id, request_id,
  idempotency_key, resource_type, resource_id, resource_version`
const columns = sql`${headColumns}, object::text, previous::text, related::text`

export const eventSortKey = (row: Position): SortKey => toSortKey(row)

type Tenant = { tenantId: string; kind: 'live' | 'test' }

const inEnvironment = (rows: Omit<EventRow, 'environment'>[], { kind }: Tenant): EventRow[] =>
  rows.map((row) => ({ ...row, environment: kind }))

/** Reads events for an operator, whose id is as the API shows it, by the paths `eventsOnlyFor` of resources. */
type EventReader = { operatorId: string; onlyFor: ReadonlyMap<string, readonly string[]> }

/** Events of some types (`x.*` for all of a resource). Null means all types; without a reader, nothing is withheld. */
export type Readable = { types: string[] | null; reader: EventReader | null }

/** Those of one stream, or of one resource, whose stream is then also given: the index of events begins with it. */
export type EventFilter = Readable & { streamId: string | null; resourceId: string | null }

const isReadable = ({ types, reader }: Readable): Sql =>
  join([ofTypes(types), ...[...(reader?.onlyFor ?? [])].map((only) => isFor(reader!.operatorId, only))], and)

const isFor = (operatorId: string, [resource, path]: [string, readonly string[]]): Sql => {
  const operators = sql`(object::jsonb #> ${path as string[]}::text[])`
  return sql`case when resource_type = ${resource} then coalesce(${operators} = '[]' or ${operators} ? ${operatorId}, true) else true end`
}

/** The same for an event in memory. */
function isForReader(reader: EventReader | null, { resource_type, object }: EventRow): boolean {
  const path = reader?.onlyFor.get(resource_type)
  if (!reader || !path) return true
  const operators = path.reduce((value, name) => value?.[name], JSON.parse(object)) as string[] | undefined
  return !operators?.length || operators.includes(reader.operatorId)
}

export const ofTypes = (types: string[] | null): Sql => {
  if (types === null) return sql`true`
  const whole = types.filter((name) => name.endsWith('.*')).map((name) => name.slice(0, -2))
  return sql`(type = any(${types}::text[]) or split_part(type, '.', 1) = any(${whole}::text[]))`
}

const ofSubject = ({ streamId, resourceId }: EventFilter): Sql =>
  sql`${streamId === null ? none : sql` and stream_id = ${streamId}`}${resourceId === null ? none : sql` and resource_id = ${resourceId}`}`

/** The size of an event. */
export const bytesOfEvent: Sql = sql`(octet_length(object::text) + octet_length(previous::text) + coalesce(octet_length(related::text), 0))`

/** The events of a query that fit on a page. @param columns of the rows, which are named `events` */
export const eventsWithinPage = (columns: Sql, rows: Sql): Sql =>
  withinPage({ columns, rows, name: sql`events`, bytes: bytesOfEvent, by: journalOrder })

/** The rows read, and whether more exist, because of the limit or of their size. */
export type Read = { rows: EventRow[]; hasMore: boolean }

/** @param rows a query of at most `limit` rows of `events` */
async function readSome(read: Db['rows'], rows: Sql, tenant: Tenant, limit: number): Promise<Read> {
  const found = await read<Omit<EventRow, 'environment'> & { found: number }>(eventsWithinPage(columns, rows))
  const count = found[0]?.found ?? 0
  return {
    rows: inEnvironment(
      found.slice(0, limit).map(({ found: _, ...row }) => row),
      tenant,
    ),
    hasMore: count >= limit || found.length < count,
  }
}

/** Events that are larger in total are read in the turns of large statements. */
const smallBytes = 64 * 1024

/** The events after a position, in journal order. Reads at most `limit` of them by index. */
export async function eventsAfter(
  db: Db,
  tenant: Tenant,
  from: Position | null,
  limit: number,
): Promise<Read> {
  const next = sql`select * from events
    where tenant_id = ${tenant.tenantId}${after(from)}${inOrder} ${limitTo(limit)}`
  const isSmall = sql`sum(${bytesOfEvent}) over (order by ${journalOrder}) <= ${smallBytes}`
  const small = await db.rows<Omit<EventRow, 'environment'>>(
    sql`select ${headColumns}, case when is_small then object::text end as object,
        case when is_small then previous::text end as previous, case when is_small then related::text end as related
      from (select events.*, ${isSmall} as is_small from (${next}) events) events${inOrder}`,
  )
  const rows = small.slice(0, limit)
  if (rows.every(({ object }) => object !== null))
    return { rows: inEnvironment(rows, tenant), hasMore: rows.length === limit }
  return readSome((query) => db.largeRows(query, maxPageBytes), next, tenant, limit)
}

/** The events after `from`, up to `end`. */
export type Range = { from: Position; end: Position }

const inRange = (tenantId: string, filter: EventFilter, { from, end }: Range): Sql =>
  sql`where tenant_id = ${tenantId}${ofSubject(filter)}${after(from)}${upTo(end)}`

/** The matching events among the first `scan` events of a range, at most `limit`. */
export const filteredEvents = (
  db: Db,
  tenant: Tenant,
  filter: EventFilter,
  range: Range,
  { scan, limit }: { scan: number; limit: number },
): Promise<Read> =>
  readSome(
    db.slowRows,
    sql`select * from (select * from events ${inRange(tenant.tenantId, filter, range)}${inOrder} limit ${scan}) events
      where ${isReadable(filter)}${inOrder} limit ${limit}`,
    tenant,
    limit,
  )

/** The last of the first `scan` events of a range, and their number; null if there are none. */
export async function endOfScan(
  db: Db,
  tenantId: string,
  filter: EventFilter,
  range: Range,
  scan: number,
): Promise<(Position & { scanned: number }) | null> {
  const [end] = await db.slowRows<Position & { scanned: number }>(sql`with scanned as materialized (
      select epoch, position, ordinal from events ${inRange(tenantId, filter, range)}${inOrder} limit ${scan})
    select epoch, position, ordinal, (select count(*) from scanned) as scanned from scanned events${newestFirst} limit 1`)
  return end ?? null
}

export const countEvents = (
  db: Db,
  tenantId: string,
  filter: EventFilter,
  range: Range,
  atMost: number,
): Promise<number> =>
  countUpTo(
    db,
    sql`select 1 from events ${inRange(tenantId, filter, range)} and ${isReadable(filter)}`,
    atMost,
  )

/** The event with this id between two positions; null if there is none, or it has expired. */
export async function findEvent(
  db: Db,
  tenant: Tenant,
  id: string,
  from: Position,
  end: Position,
): Promise<EventRow | null> {
  const rows = await db.slowRows<Omit<EventRow, 'environment'>>(sql`select ${columns} from events
    where tenant_id = ${tenant.tenantId} and id = ${id}${after(from)}${before(end)}${afterFloor(tenant.tenantId)}`)
  return inEnvironment(rows, tenant)[0] ?? null
}

/** Events by their positions, without expired ones. */
export const eventsAt = async (db: Db, tenant: Tenant, places: Position[]): Promise<EventRow[]> =>
  inEnvironment(
    await db.rows(sql`select ${columns} from events where tenant_id = ${tenant.tenantId}
      and (epoch, position, ordinal) in (select epoch, position::xid8, ordinal from unnest(${places.map(({ epoch }) => epoch)}::integer[],
        ${places.map(({ position }) => String(position))}::text[], ${places.map(({ ordinal }) => ordinal)}::integer[]) place (epoch, position, ordinal))
      ${afterFloor(tenant.tenantId)}`),
    tenant,
  )

/** Does an event match? The same filter in memory. */
export const passes = ({ types, reader, streamId, resourceId }: EventFilter, event: EventRow): boolean =>
  (types === null || means(types, event.type)) &&
  (streamId === null || event.stream_id === streamId) &&
  (resourceId === null || event.resource_id === resourceId) &&
  isForReader(reader, event)

/** A stream, as a whole or only the events of the resource that it is named after. */
export type Stream = { id: string; ownEventsOnly: boolean }

const ofStream = ({ id, ownEventsOnly }: Stream): Sql =>
  ownEventsOnly ? sql`stream_id = ${id} and resource_id = ${id}` : sql`stream_id = ${id}`

/**
 * The events of one stream, oldest first. It is a list, not a feed: it shows committed events at once, and
 * simultaneous changes of different rows (an edit of a message beside a close) can have either order. Changes of one
 * row have the order in which they were made.
 */
export async function streamEvents(
  db: Db,
  environment: Tenant,
  stream: Stream,
  page: { limit: number; after: SortKey | null },
): Promise<EventRow[]> {
  const { tenantId } = environment
  const from = page.after && fromSortKey(page.after)
  const rows = await db.rows<Omit<EventRow, 'environment'>>(sql`select ${columns} from events
    where tenant_id = ${tenantId} and ${ofStream(stream)}${after(from)}${afterFloor(tenantId)}${inOrder} limit ${page.limit}`)
  if (from && rows.length === 0) await keepBeyond(db, tenantId, from)
  return inEnvironment(rows, environment)
}

export const countStreamEvents = (
  db: Db,
  tenantId: string,
  stream: Stream,
  atMost: number,
): Promise<number> =>
  countUpTo(
    db,
    sql`select 1 from events where tenant_id = ${tenantId} and ${ofStream(stream)}${afterFloor(tenantId)}`,
    atMost,
  )

/** The columns needed to rewrite an event. */
export type StoredEvent = Pick<
  EventRow,
  | 'id'
  | 'epoch'
  | 'position'
  | 'ordinal'
  | 'request_id'
  | 'idempotency_key'
  | 'object'
  | 'previous'
  | 'related'
> & {
  audited: string | null
  /** JSON text: digests of values that were erased earlier. */
  erased: string | null
}

/** The events of one resource within a stream. */
export const eventsOfResource = (
  db: Db,
  tenantId: string,
  streamIds: string[],
  resourceId: string,
): Promise<StoredEvent[]> =>
  db.slowRows(sql`
    select id, epoch, position, ordinal, request_id, idempotency_key, object::text, previous::text, related::text, audited, erased::text from events
    where tenant_id = ${tenantId} and stream_id = any(${streamIds}::uuid[]) and resource_id = ${resourceId}`)

/** An event of a stream, with all that can name a person. */
export type StreamEvent = Omit<EventRow, 'environment'> & {
  ip: string | null
  user_agent: string | null
  audited: string | null
  /** JSON text: digests of values that were erased earlier. */
  erased: string | null
}

/** The events of a stream after a position, at most `limit`, and fewer if they are large. */
export async function nextOfStream(
  db: Db,
  tenantId: string,
  streamId: string,
  from: Position | null,
  limit: number,
): Promise<{ events: StreamEvent[]; hasMore: boolean }> {
  const found = await db.slowRows<StreamEvent & { found: number }>(
    eventsWithinPage(
      sql`${columns}, ip, user_agent, audited, erased::text`,
      sql`select * from events where tenant_id = ${tenantId} and stream_id = ${streamId}${after(from)}${inOrder} limit ${limit}`,
    ),
  )
  const count = found[0]?.found ?? 0
  return {
    events: found.map(({ found: _, ...event }) => event),
    hasMore: count === limit || found.length < count,
  }
}

/** The events of a stream about resources of some type whose ids a query finds. */
export const eventsAbout = (
  db: Db,
  tenantId: string,
  streamIds: string[],
  resourceType: string,
  ids: Sql,
): Promise<StreamEvent[]> =>
  db.slowRows(sql`select ${columns}, ip, user_agent, audited, erased::text from events
    where tenant_id = ${tenantId} and stream_id = any(${streamIds}::uuid[]) and resource_type = ${resourceType}
      and resource_id in (${ids})${inOrder}`)

/**
 * JSON texts. `was`: the object as read; `erased`: digests of erased values, if any. Without its sender, an event has
 * neither address nor client.
 */
export type RewrittenEvent = Position & {
  was: string
  object: string
  previous: string
  related: string | null
  erased: string | null
  keepsSender: boolean
  keepsKey: boolean
}

/** Replaces the snapshots of events that are unchanged since they were read; returns one row for each. */
export function rewriteEvents(tenantId: string, events: RewrittenEvent[]): Sql {
  const column = <Name extends keyof RewrittenEvent>(name: Name) => events.map((event) => event[name])
  return sql`update events set object = rewritten.object::json, previous = rewritten.previous::json,
      related = rewritten.related::json, erased = rewritten.erased::json,
      ip = case when rewritten.keeps_sender then events.ip end,
      user_agent = case when rewritten.keeps_sender then events.user_agent end,
      idempotency_key = case when rewritten.keeps_key then events.idempotency_key end
    from unnest(${column('epoch')}::integer[], ${column('position').map(String)}::text[], ${column('ordinal')}::integer[], ${column('was')}::text[],
      ${column('object')}::text[], ${column('previous')}::text[], ${column('related')}::text[], ${column('erased')}::text[],
      ${column('keepsSender')}::boolean[], ${column('keepsKey')}::boolean[])
      as rewritten (epoch, position, ordinal, was, object, previous, related, erased, keeps_sender, keeps_key)
    where events.tenant_id = ${tenantId} and events.epoch = rewritten.epoch and events.position = rewritten.position::xid8
      and events.ordinal = rewritten.ordinal and events.object::text = rewritten.was
    returning 1`
}

/** A position in the journal near a time, found by a few primary key lookups. */
export const positionAt = (db: Db, tenantId: string, time: Instant, disorderMs?: number): Promise<Position> =>
  findPosition(
    {
      next: (from) =>
        db.maybe(sql`select epoch, position, ordinal, created_at from events
        where tenant_id = ${tenantId}${after(from)}${inOrder} limit 1`),
      previous: (end) =>
        db.maybe(sql`select epoch, position, ordinal, created_at from events
        where tenant_id = ${tenantId}${before(end)}${newestFirst} limit 1`),
    },
    time,
    disorderMs,
  )
