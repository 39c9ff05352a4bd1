import { everyEnvironment } from '../journal/every-environment.ts'
import { after, afterStart, inOrder, upTo } from '../journal/positions.ts'
import { type Forgotten, maxForgotten } from '../journal/retention.ts'
import { type Instant, toInstant } from '../kernel/clock.ts'
import type { Db } from '../postgres/database.ts'
import { type Columns, rowSet } from '../postgres/row-set.ts'
import { comma, identifier, join, limitTo, type Sql, sql } from '../postgres/sql.ts'
import type { StoredResponse } from './request.ts'

export type StoredKey = Omit<StoredResponse, 'resourceId' | 'body'> & {
  fingerprint: Buffer
  requestId: string
  /** Null if it is not stored, because a replay computes it again. */
  body: string | null
}

export type KeyToStore = {
  key: string
  fingerprint: Buffer
  requestId: string
  now: Instant
  response: StoredResponse
  /** False for a body that a replay computes again. */
  isBodyStored: boolean
  /** The event whose object is the body of the response, so that the body is stored once; null if there is none. */
  event: { id: string; streamId: string } | null
}

const columns: Columns<KeyToStore> = {
  key: ['text', ({ key }) => key],
  fingerprint: ['bytea', ({ fingerprint }) => fingerprint],
  request_id: ['text', ({ requestId }) => requestId],
  created_at: ['timestamptz', ({ now }) => now],
  status: ['integer', ({ response }) => response.status],
  location: ['text', ({ response }) => response.location],
  etag: ['text', ({ response }) => response.etag],
  own_body: ['text', ({ response, event, isBodyStored }) => (event || !isBodyStored ? null : response.body)],
  sealed: ['bytea', ({ response }) => response.sealed],
  // Identifies the resource of responses whose request wrote no event.
  resource_id: ['uuid', ({ response }) => response.resourceId],
  event_stream_id: ['uuid', ({ event }) => event?.streamId ?? null],
  event_id: ['uuid', ({ event }) => event?.id ?? null],
}
const columnNames = join(Object.keys(columns).map(identifier), comma)
const keyRows = rowSet(columns)

/** Inserts keys with their responses. A key that is stored already violates the primary key. */
export const insertKeys = (tenantId: string, keys: KeyToStore[]): Sql =>
  sql`insert into idempotency_keys (tenant_id, written_at, ${columnNames})
    select ${tenantId}::uuid, now(), ${columnNames} from ${keyRows(keys)}`

/** The body of a response is its own, or the object of its event (`e`). */
export const findKey = (db: Db, tenantId: string, key: string) =>
  db.maybe<
    StoredKey & { hasEvent: boolean }
  >(sql`select k.fingerprint, k.request_id as "requestId", k.status, k.location, k.etag,
      coalesce(k.own_body, e.object::text) as body, k.event_id is not null as "hasEvent", k.sealed
    from idempotency_keys k left join lateral (select object from events
      where tenant_id = ${tenantId} and stream_id = k.event_stream_id and id = k.event_id${afterStart(sql`k.written_at`)} limit 1) e on true
    where k.tenant_id = ${tenantId} and k.key = ${key}`)

/** Returns the subset of these keys that is stored. */
export async function takenKeys(db: Db, tenantId: string, keys: string[]): Promise<Set<string | null>> {
  const rows = await db.rows<{ key: string }>(
    sql`select key from idempotency_keys where tenant_id = ${tenantId} and key = any(${keys}::text[])`,
  )
  return new Set(rows.map(({ key }) => key))
}

/**
 * Copies bodies from events whose objects are about to be reduced to keys that are kept for longer. It locks the
 * events, so that it waits for a redaction and copies what that leaves.
 */
export function keepBodies(tenantId: string, [forgotten]: Forgotten[]): Sql {
  const { from, to } = forgotten!
  return sql`update idempotency_keys set own_body = events.object::text, event_stream_id = null, event_id = null
    from (select id, idempotency_key, object from events
      where tenant_id = ${tenantId}${after(from)}${upTo(to)}${inOrder} ${limitTo(maxForgotten)} for update) events
    where idempotency_keys.tenant_id = ${tenantId} and idempotency_keys.key = events.idempotency_key
      and idempotency_keys.event_id = events.id`
}

/** Replaces stored bodies when personal data in them is erased. */
export const rewriteStoredBodies = (tenantId: string, responses: { key: string; body: string }[]): Sql =>
  sql`update idempotency_keys set own_body = rewritten.body
    from unnest(${responses.map(({ key }) => key)}::text[], ${responses.map(({ body }) => body)}::text[]) as rewritten (key, body)
    where idempotency_keys.tenant_id = ${tenantId} and idempotency_keys.key = rewritten.key`

/** As `rewriteStoredBodies`, for bodies of which the sealed form has personal data, too: it is removed. */
export const eraseStoredBodies = (tenantId: string, responses: { key: string; body: string | null }[]): Sql =>
  sql`update idempotency_keys set own_body = erased.body, sealed = null
    from unnest(${responses.map(({ key }) => key)}::text[], ${responses.map(({ body }) => body)}::text[]) as erased (key, body)
    where idempotency_keys.tenant_id = ${tenantId} and idempotency_keys.key = erased.key`

/**
 * Returns the environments with idempotency keys older than their retention period. Keys have no index by environment
 * and age. So those in real time are found by age, through all environments together; an environment whose clock was
 * moved has its own time.
 */
export async function environmentsWithExpiredKeys(
  db: Db,
  realNowMs: number,
  retentionHours: number,
): Promise<string[]> {
  const cutoffMs = realNowMs - retentionHours * 3_600_000
  // Without `limit`, which makes PostgreSQL prefer a full scan.
  const inRealTime = await db.slowRows<{ id: string }>(sql`select h.tenant_id as id from journal_heads h
    join idempotency_keys k on k.tenant_id = h.tenant_id
    where k.created_at < ${toInstant(cutoffMs)} group by h.tenant_id`)
  const inOwnTime = await db.slowRows<{ id: string }>(sql`select e.id from ${everyEnvironment}
    cross join lateral (select created_at from idempotency_keys where idempotency_keys.tenant_id = h.tenant_id
      order by created_at limit 1) oldest
    where e.clock_offset_ms <> 0
      and oldest.created_at < to_timestamp((${cutoffMs}::bigint + e.clock_offset_ms) / 1000.0)`)
  return [...inRealTime, ...inOwnTime].map(({ id }) => id)
}

/** Removes up to `limit` keys that are older than `cutoff`; returns their number. */
export async function sweepKeys(db: Db, tenantId: string, cutoff: string, limit: number): Promise<number> {
  const rows = await db.write(sql`delete from idempotency_keys
    where tenant_id = ${tenantId} and key in (
      select key from idempotency_keys where tenant_id = ${tenantId} and created_at < ${cutoff} limit ${limit})
    returning 1 as swept`)
  return rows.length
}

/**
 * Returns the bodies that are stored with their keys and contain some resources, found by the requests of their events
 * or by their ids. Others are objects of events.
 */
export const storedBodies = (
  db: Db,
  tenantId: string,
  resourceIds: string[],
  requests: { key: string; requestId: string }[],
): Promise<{ key: string; body: string }[]> =>
  db.slowRows(sql`select key, own_body as body from idempotency_keys where tenant_id = ${tenantId} and resource_id = any(${resourceIds}::uuid[])
    union select k.key, k.own_body from idempotency_keys k join
      unnest(${requests.map(({ key }) => key)}::text[], ${requests.map(({ requestId }) => requestId)}::text[])
        as named (key, request_id) on named.key = k.key and named.request_id = k.request_id
    where k.tenant_id = ${tenantId} and k.own_body is not null`)
