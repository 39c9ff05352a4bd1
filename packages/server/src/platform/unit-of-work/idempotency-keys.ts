import type { Instant } from '../kernel/clock.ts'
import type { Db } from '../postgres/database.ts'
import { type Columns, rowSet, suitsValues, tuplesOf } from '../postgres/row-set.ts'
import { comma, identifier, join, type Sql, sql } from '../postgres/sql.ts'
import type { Layout } from './layout.ts'
import type { StoredResponse } from './request.ts'

export type StoredKey = Omit<StoredResponse, 'resourceId'> & { fingerprint: Buffer; requestId: string }

export type KeyToStore = {
  key: string
  fingerprint: Buffer
  requestId: string
  now: Instant
  response: StoredResponse
}

const columns: Columns<KeyToStore> = {
  key: ['text', ({ key }) => key],
  fingerprint: ['bytea', ({ fingerprint }) => fingerprint],
  request_id: ['text', ({ requestId }) => requestId],
  created_at: ['timestamptz', ({ now }) => now],
  status: ['integer', ({ response }) => response.status],
  location: ['text', ({ response }) => response.location],
  etag: ['text', ({ response }) => response.etag],
  body: ['text', ({ response }) => response.body],
  sealed: ['bytea', ({ response }) => response.sealed],
  // Identifies the resource of responses whose request wrote no event.
  resource_id: ['uuid', ({ response }) => response.resourceId],
}
const columnNames = join(Object.keys(columns).map(identifier), comma)
const keyRows = rowSet(columns)
const keyTuples = tuplesOf(columns)

/** Inserts keys with their responses. A key that is stored already violates the primary key. */
export function insertKeys(tenantId: string, keys: KeyToStore[], { isOneStatement }: Layout): Sql {
  const insert = sql`insert into idempotency_keys (tenant_id, ${columnNames})`
  return !isOneStatement && suitsValues(keys)
    ? sql`${insert} values ${keyTuples(keys, () => sql`${tenantId}::uuid`)}`
    : sql`${insert} select ${tenantId}::uuid, ${columnNames} from ${keyRows(keys)}`
}

export const findKey = (db: Db, tenantId: string, key: string): Promise<StoredKey | null> =>
  db.maybe(sql`select fingerprint, request_id as "requestId", status, location, etag, body, sealed
    from idempotency_keys where tenant_id = ${tenantId} and key = ${key}`)

/** Returns the subset of these keys that is stored. */
export async function takenKeys(db: Db, tenantId: string, keys: string[]): Promise<Set<string | null>> {
  const rows = await db.rows<{ key: string }>(
    sql`select key from idempotency_keys where tenant_id = ${tenantId} and key = any(${keys}::text[])`,
  )
  return new Set(rows.map(({ key }) => key))
}

/** Replaces stored bodies when personal data in them is erased. */
export const rewriteStoredBodies = (tenantId: string, responses: { key: string; body: string }[]): Sql =>
  sql`update idempotency_keys set body = rewritten.body
    from unnest(${responses.map(({ key }) => key)}::text[], ${responses.map(({ body }) => body)}::text[]) as rewritten (key, body)
    where idempotency_keys.tenant_id = ${tenantId} and idempotency_keys.key = rewritten.key`

/** Removes up to `limit` keys that are older than `cutoff`; returns their number. */
export async function sweepKeys(db: Db, tenantId: string, cutoff: string, limit: number): Promise<number> {
  const rows = await db.write(sql`delete from idempotency_keys
    where tenant_id = ${tenantId} and key in (
      select key from idempotency_keys where tenant_id = ${tenantId} and created_at < ${cutoff} limit ${limit})
    returning 1 as swept`)
  return rows.length
}

/** Returns the stored bodies that contain some resources, found by the requests of their events or by their ids. */
export const storedBodies = (
  db: Db,
  tenantId: string,
  resourceIds: string[],
  requests: { key: string; requestId: string }[],
): Promise<{ key: string; body: string }[]> =>
  db.slowRows(sql`select key, body from idempotency_keys where tenant_id = ${tenantId} and resource_id = any(${resourceIds}::uuid[])
    union select k.key, k.body from idempotency_keys k join
      unnest(${requests.map(({ key }) => key)}::text[], ${requests.map(({ requestId }) => requestId)}::text[])
        as named (key, request_id) on named.key = k.key and named.request_id = k.request_id
    where k.tenant_id = ${tenantId}`)
