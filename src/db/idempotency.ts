import type { Ctx, StoredResponse } from '../context.ts'
import type { Db } from './database.ts'
import { type Sql, sql } from './sql.ts'

export type StoredKey = StoredResponse & { fingerprint: Buffer; requestId: string }

export function insertKey(ctx: Ctx, at: string, response: StoredResponse) {
  const request = ctx.request!
  const { key, fingerprint } = request.idempotency!
  return sql`insert into idempotency_keys
      (tenant_id, key, fingerprint, request_id, created_at, status, location, etag, body, sealed)
    values (${ctx.env.tenantId}, ${key}, ${fingerprint}, ${request.id}, ${at}, ${response.status},
      ${response.location}, ${response.etag}, ${response.body}, ${response.sealed})`
}

export const findKey = (db: Db, tenantId: string, key: string): Promise<StoredKey | null> =>
  db.maybe(sql`select fingerprint, request_id as "requestId", status, location, etag, body, sealed
    from idempotency_keys where tenant_id = ${tenantId} and key = ${key}`)

/** Replaces stored bodies, when personal data in them has to go. */
export const rewriteStoredBodies = (tenantId: string, responses: { key: string; body: string }[]): Sql =>
  sql`update idempotency_keys set body = rewritten.body
    from unnest(${responses.map(({ key }) => key)}::text[], ${responses.map(({ body }) => body)}::text[]) as rewritten (key, body)
    where idempotency_keys.tenant_id = ${tenantId} and idempotency_keys.key = rewritten.key`

/** Removes up to `limit` keys from before `cutoff`; says how many went. */
export async function sweepKeys(db: Db, tenantId: string, cutoff: string, limit: number): Promise<number> {
  const rows = await db.write(sql`delete from idempotency_keys
    where tenant_id = ${tenantId} and key in (
      select key from idempotency_keys where tenant_id = ${tenantId} and created_at < ${cutoff} limit ${limit})
    returning 1 as swept`)
  return rows.length
}

/** The stored bodies behind some keys. */
export const storedBodies = (
  db: Db,
  tenantId: string,
  keys: string[],
): Promise<{ key: string; body: string }[]> =>
  db.rows(
    sql`select key, body from idempotency_keys where tenant_id = ${tenantId} and key = any(${keys}::text[])`,
  )
