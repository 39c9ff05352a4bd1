import type { Instant } from '../kernel/clock.ts'
import { type Columns, rowSet } from '../postgres/row-set.ts'
import { comma, identifier, join, type Sql, sql } from '../postgres/sql.ts'
import type { Actor } from './principal.ts'
import type { RequestFacts } from './request.ts'

/** An event before it is written. `object`, `previous` and `related` are JSON of the API. */
export type EventDraft = {
  id: string
  type: string
  streamId: string
  resourceType: string
  resourceId: string
  resourceVersion: number
  object: string
  previous: string
  /** Further members of `data`; null without any. */
  related: string | null
  /** The fields whose values the audit log shows, as in the column; null for a change of a row. */
  audited: string | null
}

/** The time, actor and request of the events of one change. */
export type EventOrigin = { now: Instant; actor: Actor; request: RequestFacts | null }

export type EventToInsert = EventDraft & { origin: EventOrigin }

/**
 * Raises the head of the journal by the places of some events, to at least the clock of the database and the latest
 * time that is known, in microseconds. Returns the position of the last of them. The row stays locked until the
 * transaction ends.
 */
export const raiseHead = (tenantId: string, places: number, latest: number): Sql =>
  sql`update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, ${latest}::bigint) + ${places}::bigint
    where tenant_id = ${tenantId} returning tenant_id, position`

/** The position of the last event of the statement, a bigint; for parts with the mode `placed`. */
export const lastPosition: Sql = sql`(select position from head)`

/** Inserts all events of one or more changes of an environment in their order, up to the position of the last one. */
export function insertEvents(tenantId: string, events: EventToInsert[]): Sql {
  const rows = events.map((event, i) => ({ event, below: events.length - 1 - i }))
  return sql`insert into events (tenant_id, position, ${columnNames})
    select ${tenantId}::uuid, (${lastPosition} - v.below)::text::xid8, ${columnNames} from ${eventRows(rows)}`
}

type PlacedEvent = { event: EventToInsert; below: number }

const columns: Columns<PlacedEvent> = {
  id: ['uuid', ({ event }) => event.id],
  type: ['text', ({ event }) => event.type],
  created_at: ['timestamptz', ({ event }) => event.origin.now],
  stream_id: ['uuid', ({ event }) => event.streamId],
  resource_type: ['text', ({ event }) => event.resourceType],
  resource_id: ['uuid', ({ event }) => event.resourceId],
  resource_version: ['integer', ({ event }) => event.resourceVersion],
  actor_type: ['text', ({ event }) => event.origin.actor.type],
  actor_id: ['text', ({ event }) => event.origin.actor.id],
  operator_id: ['text', ({ event }) => event.origin.actor.operator_id],
  request_id: ['text', ({ event }) => event.origin.request?.id ?? null],
  idempotency_key: ['text', ({ event }) => event.origin.request?.idempotency?.key ?? null],
  ip: ['text', ({ event }) => event.origin.request?.ip ?? null],
  user_agent: ['text', ({ event }) => event.origin.request?.userAgent ?? null],
  object: ['json', ({ event }) => event.object],
  previous: ['json', ({ event }) => event.previous],
  related: ['json', ({ event }) => event.related],
  audited: ['text', ({ event }) => event.audited],
}
const columnNames = join(Object.keys(columns).map(identifier), comma)
const eventRows = rowSet<PlacedEvent>({ ...columns, below: ['integer', ({ below }) => below] })
