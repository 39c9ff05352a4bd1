import type { Db } from '../../db/database.ts'
import { none, type Sql, sql } from '../../db/sql.ts'
import type { Instant } from '../../lib/clock.ts'
import type { SortKey } from '../../lib/page.ts'

export type EventRow = {
  epoch: number
  xid: string
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
  resource_id: string
  resource_version: number
  /** JSON text. */
  object: string
  /** JSON text. */
  previous: string
}

const columns = sql`epoch, xid, ordinal, id, type, created_at, actor_type, actor_id, operator_id, request_id, idempotency_key,
  resource_type, resource_id, resource_version, object::text, previous::text`

/** Where the journal's order goes on after `[epoch, xid, ordinal]`. */
const after = (key: SortKey | null): Sql =>
  key === null
    ? none
    : sql` and (epoch, xid, ordinal) > (${key[0]}::integer, ${key[1]}::text::xid8, ${key[2]}::integer)`

export const eventSortKey = (row: EventRow): SortKey => [row.epoch, row.xid, row.ordinal]

/** A stream, as a whole or only the events of the resource that it is named after. */
export type Stream = { id: string; ownEventsOnly: boolean }

const ofStream = ({ id, ownEventsOnly }: Stream): Sql =>
  ownEventsOnly ? sql`stream_id = ${id} and resource_id = ${id}` : sql`stream_id = ${id}`

/**
 * The events of one stream, oldest first. It is a list and no feed: it shows what is committed at once, and of two
 * changes that were made at the same moment to different rows (an edit of a message beside a close) either may stand
 * first. Changes of one row are in the order in which they were made.
 */
export async function streamEvents(
  db: Db,
  environment: { tenantId: string; kind: 'live' | 'test' },
  stream: Stream,
  page: { limit: number; after: SortKey | null },
): Promise<EventRow[]> {
  const rows = await db.rows<Omit<EventRow, 'environment'>>(sql`select ${columns} from events
    where tenant_id = ${environment.tenantId} and ${ofStream(stream)}${after(page.after)}
    order by epoch, xid, ordinal limit ${page.limit}`)
  return rows.map((row) => ({ ...row, environment: environment.kind }))
}

export const countStreamEvents = async (
  db: Db,
  tenantId: string,
  stream: Stream,
  atMost: number,
): Promise<number> => {
  const [row] = await db.slowRows<{ count: number }>(sql`select count(*) from (
    select 1 from events where tenant_id = ${tenantId} and ${ofStream(stream)} limit ${atMost}) found`)
  return row!.count
}

/** The events of one resource within a stream, with what is needed to rewrite them. */
export const eventsOfResource = (db: Db, tenantId: string, streamId: string, resourceId: string) =>
  db.slowRows<
    Pick<EventRow, 'epoch' | 'xid' | 'ordinal' | 'request_id' | 'idempotency_key' | 'object' | 'previous'>
  >(sql`
    select epoch, xid, ordinal, request_id, idempotency_key, object::text, previous::text from events
    where tenant_id = ${tenantId} and stream_id = ${streamId} and resource_id = ${resourceId}`)

/** Replaces the snapshots of some events, when personal data in them has to go. */
export const rewriteEvents = (
  tenantId: string,
  events: Pick<EventRow, 'epoch' | 'xid' | 'ordinal' | 'object' | 'previous'>[],
): Sql => sql`update events set object = rewritten.object::json, previous = rewritten.previous::json
  from unnest(${events.map((event) => event.epoch)}::integer[], ${events.map((event) => event.xid)}::text[], ${events.map((event) => event.ordinal)}::integer[],
    ${events.map((event) => event.object)}::text[], ${events.map((event) => event.previous)}::text[])
    as rewritten (epoch, xid, ordinal, object, previous)
  where events.tenant_id = ${tenantId} and events.epoch = rewritten.epoch and events.xid = rewritten.xid::xid8 and events.ordinal = rewritten.ordinal`
