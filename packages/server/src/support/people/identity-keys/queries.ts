import type { Db } from '../../../platform/postgres/database.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { byCreation, defineTable } from '../../../platform/tables/table.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'
import type { Algorithm } from './public-keys.ts'

/** `public_key` and `sealed_secret` exclude each other: HS256 has a secret. */
export type IdentityKey = RowOf<'identity_keys', { algorithm: Algorithm }>

export const identityKeyTable = defineTable<IdentityKey>({
  name: 'identity_keys',
  columns: tables.identity_keys,
  fixed: ['algorithm', 'public_key', 'sealed_secret'],
})

export const identityKeyOrders = { '-created_at': byCreation['-created_at'] }

/** A JWT that names no key is tried with this many at most. */
const maxTried = 10

/** The newest keys of an environment. */
export const newestKeys = (db: Db, tenantId: string): Promise<IdentityKey[]> =>
  db.rows(sql`select ${identityKeyTable.columns(tenantId)} from identity_keys
    where tenant_id = ${tenantId} order by id desc limit ${maxTried}`)
