import { type Instant, toUnixMs } from '../kernel/clock.ts'
import { newUuid } from '../kernel/ids.ts'
import { type Columns, rowSet } from '../postgres/row-set.ts'
import { comma, identifier, join, type Sql, sql } from '../postgres/sql.ts'
import type { Ctx } from './context.ts'

/** A change as it goes into the journal. `object` and `previous` are JSON texts in the API's own form. */
export type EventDraft = {
  type: string
  streamId: string
  resourceType: string
  resourceId: string
  resourceVersion: number
  object: string
  previous: string
}

/** One insert for all events of one or more changes of an environment, in their order. */
export function insertEvents(events: { ctx: Ctx; now: Instant; event: EventDraft }[]): Sql {
  const rows = events.map((each, ordinal) => ({ ...each, ordinal, id: newUuid(toUnixMs(each.now)) }))
  return sql`insert into events (tenant_id, ${columnNames})
    select ${events[0]!.ctx.env.tenantId}::uuid, ${columnNames} from ${eventRows(rows)}`
}

const columns: Columns<{ ctx: Ctx; now: Instant; event: EventDraft; ordinal: number; id: string }> = {
  ordinal: ['integer', ({ ordinal }) => ordinal],
  id: ['uuid', ({ id }) => id],
  type: ['text', ({ event }) => event.type],
  created_at: ['timestamptz', ({ now }) => now],
  stream_id: ['uuid', ({ event }) => event.streamId],
  resource_type: ['text', ({ event }) => event.resourceType],
  resource_id: ['uuid', ({ event }) => event.resourceId],
  resource_version: ['integer', ({ event }) => event.resourceVersion],
  actor_type: ['text', ({ ctx }) => ctx.actor.type],
  actor_id: ['text', ({ ctx }) => ctx.actor.id],
  operator_id: ['text', ({ ctx }) => ctx.actor.operator_id],
  request_id: ['text', ({ ctx }) => ctx.request?.id ?? null],
  idempotency_key: ['text', ({ ctx }) => ctx.request?.idempotency?.key ?? null],
  ip: ['text', ({ ctx }) => ctx.request?.ip ?? null],
  user_agent: ['text', ({ ctx }) => ctx.request?.userAgent ?? null],
  object: ['json', ({ event }) => event.object],
  previous: ['json', ({ event }) => event.previous],
}
const columnNames = join(Object.keys(columns).map(identifier), comma)
const eventRows = rowSet(columns)
