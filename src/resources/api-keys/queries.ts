import type { Environment } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { none, type Sql, sql } from '../../db/sql.ts'
import type { KeyRecord } from '../../http/auth.ts'
import type { SortKey } from '../../http/pagination.ts'
import type { Instant } from '../../lib/clock.ts'

export type ApiKey = {
  id: string
  name: string
  scopes: string[]
  allowed_cidrs: string[]
  secret_hint: string
  expires_at: Instant | null
  last_used_at: Instant | null
  rotated_at: Instant | null
  revoked_at: Instant | null
  created_at: Instant
  updated_at: Instant
  version: number
}

const columns = sql`id, name, scopes, allowed_cidrs, secret_hint, expires_at, last_used_at, rotated_at, revoked_at,
  created_at, updated_at, version`

export const findApiKey = (db: Db, tenantId: string, id: string): Promise<ApiKey | null> =>
  db.maybe(sql`select ${columns} from api_keys where tenant_id = ${tenantId} and id = ${id}`)

/** The environment that a key belongs to, for those who know nothing but its id. */
export const findEnvironmentOfKey = (db: Db, id: string): Promise<Environment | null> =>
  db.maybe(sql`select e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from api_keys k join environments e on e.id = k.tenant_id where k.id = ${id}`)

export const insertApiKey = (tenantId: string, row: ApiKey): Sql =>
  sql`insert into api_keys (tenant_id, ${columns}) values (${tenantId}, ${row.id}, ${row.name}, ${row.scopes},
    ${row.allowed_cidrs}, ${row.secret_hint}, ${row.expires_at}, ${row.last_used_at}, ${row.rotated_at},
    ${row.revoked_at}, ${row.created_at}, ${row.updated_at}, ${row.version})`

export const updateApiKey = (tenantId: string, row: ApiKey): Sql =>
  sql`update api_keys set secret_hint = ${row.secret_hint}, rotated_at = ${row.rotated_at},
      revoked_at = ${row.revoked_at}, updated_at = ${row.updated_at}, version = ${row.version}
    where tenant_id = ${tenantId} and id = ${row.id} and version = ${row.version - 1} returning 1`

export const unchangedApiKey = (tenantId: string, row: ApiKey): Sql =>
  sql`select 1 from api_keys where tenant_id = ${tenantId} and id = ${row.id} and version = ${row.version} for share`

export const insertSecret = (keyId: string, secretHash: Buffer): Sql =>
  sql`insert into api_key_secrets (secret_hash, api_key_id) values (${secretHash}, ${keyId})`

/** The present secret of a key stays valid until `until`; those that had an end before keep it. */
export const endSecrets = (keyId: string, until: Instant): Sql =>
  sql`update api_key_secrets set expires_at = ${until} where api_key_id = ${keyId} and expires_at is null`

export const listApiKeys = (
  db: Db,
  tenantId: string,
  page: { sort: string; limit: number; after: SortKey | null },
): Promise<ApiKey[]> => {
  const after = page.after ? sql` and id < ${page.after[0]}` : none
  return db.rows(
    sql`select ${columns} from api_keys where tenant_id = ${tenantId}${after} order by id desc limit ${page.limit}`,
  )
}

export async function countApiKeys(db: Db, tenantId: string, atMost: number): Promise<number> {
  const row = await db.maybe<{ count: number }>(sql`select count(*) from (
    select 1 from api_keys where tenant_id = ${tenantId} limit ${atMost}) found`)
  return row!.count
}

/** A key by the SHA-256 of its secret, with the environment it opens. */
export async function findKeyBySecret(db: Pick<Db, 'maybe'>, secretHash: Buffer): Promise<KeyRecord | null> {
  type Found = Omit<KeyRecord, 'environment'> & Environment & { secretExpiresAt: Instant | null }
  const found =
    await db.maybe<Found>(sql`select k.id, k.scopes, k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
      k.allowed_cidrs as "allowedCidrs", k.last_used_at as "lastUsedAt", s.expires_at as "secretExpiresAt",
      e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from api_key_secrets s join api_keys k on k.id = s.api_key_id join environments e on e.id = k.tenant_id
    where s.secret_hash = ${secretHash}`)
  if (!found) return null
  const { tenantId, workspaceId, kind, clockOffsetMs, secretExpiresAt, ...key } = found
  return {
    ...key,
    expiresAt: earliest(key.expiresAt, secretExpiresAt),
    environment: { tenantId, workspaceId, kind, clockOffsetMs },
  }
}

const earliest = (a: Instant | null, b: Instant | null) => (a === null ? b : b === null || a < b ? a : b)

/** Changes no version: it is no change that anybody made. */
export const touchApiKey = async (db: Db, tenantId: string, id: string, at: Instant): Promise<void> => {
  await db.write(sql`update api_keys set last_used_at = ${at}
    where tenant_id = ${tenantId} and id = ${id} and (last_used_at is null or last_used_at < ${at})`)
}
