import type { Instant } from '../../../platform/kernel/clock.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, defineTable } from '../../../platform/tables/table.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'

export type EmailSuppression = RowOf<'email_suppressions', { reason: 'bounce' | 'complaint' | 'manual' }>

/** Suppressions are created and removed, and never updated. */
export const suppressionTable = defineTable<EmailSuppression>({
  name: 'email_suppressions',
  columns: tables.email_suppressions,
  fixed: ['address', 'reason', 'message_id', 'expires_at'],
})

export const suppressionOrders = byCreation

/** @param address in its canonical form */
export const ofAddress = (address: string): Sql => sql`address = ${address}`

export const findSuppressionOf = (
  db: Db,
  tenantId: string,
  address: string,
): Promise<{ id: string } | null> =>
  db.maybe(sql`select id from email_suppressions where tenant_id = ${tenantId} and address = ${address}`)

/** Those of some addresses that get no mail at a time. @param addresses in their canonical form */
export const suppressed = async (
  db: Db,
  tenantId: string,
  addresses: string[],
  now: Instant,
): Promise<string[]> =>
  addresses.length === 0
    ? []
    : (
        await db.rows<{
          address: string
        }>(sql`select address from email_suppressions where tenant_id = ${tenantId}
          and address = any(${addresses}::text[]) and (expires_at is null or expires_at > ${now})`)
      ).map(({ address }) => address)
