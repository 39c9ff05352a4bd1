import type { Instant } from '../../../platform/kernel/clock.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, defineTable } from '../../../platform/tables/table.ts'
import { everywhere } from '../../../platform/unit-of-work/plan.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'

export type ApiKey = RowOf<'api_keys', { kind: 'secret' | 'publishable' }>

const keys = defineTable<ApiKey>({
  name: 'api_keys',
  columns: tables.api_keys,
  fixed: ['kind', 'name', 'scopes', 'allowed_cidrs', 'allowed_origins', 'expires_at', 'last_used_at'],
})

/** Every server of a cluster has a copy, because a request shows only its key. */
export const apiKeyTable = {
  ...keys,
  insert: everywhere(keys.insert),
  update: everywhere(keys.update),
  remove: everywhere(keys.remove),
}

export const apiKeyOrders = byCreation

/** The environment of a key, found by its id alone. */
export const findEnvironmentOfKey = (db: Db, id: string): Promise<Environment | null> =>
  db.maybe(sql`select e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from api_keys k join environments e on e.id = k.tenant_id where k.id = ${id}`)

export const insertSecret = (keyId: string, secretHash: Buffer): Sql =>
  sql`insert into api_key_secrets (secret_hash, api_key_id) values (${secretHash}, ${keyId})`

/** Ends the current secret of a key at `until`; earlier secrets keep their end. */
export const endSecrets = (keyId: string, until: Instant): Sql =>
  sql`update api_key_secrets set expires_at = ${until} where api_key_id = ${keyId} and expires_at is null`

/** An API key, as a request presents it. */
export type KeyRecord = {
  id: string
  scopes: string[]
  environment: Environment
  /** The expiry time of the key, or of the previous secret of a rotated key. */
  expiresAt: Instant | null
  revokedAt: Instant | null
  allowedCidrs: string[]
  /** The origins of web pages that may use a publishable key. */
  allowedOrigins: string[]
  lastUsedAt: Instant | null
}

/** A key by the SHA-256 of its secret, with its environment. */
export async function findKeyBySecret(db: Pick<Db, 'maybe'>, secretHash: Buffer): Promise<KeyRecord | null> {
  type Found = Omit<KeyRecord, 'environment'> & Environment & { secretExpiresAt: Instant | null }
  const found =
    await db.maybe<Found>(sql`select k.id, k.scopes, k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
      k.allowed_cidrs as "allowedCidrs", k.allowed_origins as "allowedOrigins", k.last_used_at as "lastUsedAt", s.expires_at as "secretExpiresAt",
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

/** Increments no version, because it is not a change by a client. */
export const touchApiKey = async (db: Db, tenantId: string, id: string, at: Instant): Promise<void> => {
  await db.write(sql`update api_keys set last_used_at = ${at}
    where tenant_id = ${tenantId} and id = ${id} and (last_used_at is null or last_used_at < ${at})`)
}
