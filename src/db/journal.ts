import type { Ctx } from '../context.ts'
import { type Instant, toEpochMs } from '../lib/clock.ts'
import { newUuid } from '../lib/ids.ts'
import { comma, join, type Sql, sql } from './sql.ts'

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
  const rows = events.map(
    (
      { ctx: { env, actor, request }, now, event },
      ordinal,
    ) => sql`(${env.tenantId}, ${ordinal}, ${newUuid(toEpochMs(now))}, ${event.type}, ${now},
      ${event.streamId}, ${event.resourceType}, ${event.resourceId}, ${event.resourceVersion},
      ${actor.type}, ${actor.id}, ${actor.operator_id},
      ${request?.id ?? null}, ${request?.idempotency?.key ?? null}, ${request?.ip ?? null}, ${request?.userAgent ?? null},
      ${event.object}, ${event.previous})`,
  )
  return sql`insert into events (tenant_id, ordinal, id, type, created_at,
      stream_id, resource_type, resource_id, resource_version,
      actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous)
    values ${join(rows, comma)}`
}
