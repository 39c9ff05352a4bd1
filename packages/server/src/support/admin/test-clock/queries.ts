import type { Db } from '../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'

/** The current offset of the environment's clock; the one cached by authentication may be half a second old. */
export async function findClockOffset(db: Db, tenantId: string): Promise<number> {
  const row = await db.maybe<{ offset: number }>(
    sql`select clock_offset_ms as offset from environments where id = ${tenantId}`,
  )
  return row!.offset
}

/** The clock never moves backwards. */
export const moveClock = (tenantId: string, offsetMs: number): Sql =>
  sql`update environments set clock_offset_ms = ${offsetMs} where id = ${tenantId} and clock_offset_ms < ${offsetMs}`

/** The target of an earlier advance; null if there is none. */
export async function findAdvance(db: Db, tenantId: string, idempotencyKey: string): Promise<number | null> {
  const row = await db.maybe<{
    target: number
  }>(sql`select target_offset_ms as target from test_clock_advances
    where tenant_id = ${tenantId} and idempotency_key = ${idempotencyKey}`)
  return row?.target ?? null
}

export const beginAdvance = async (
  db: Db,
  tenantId: string,
  idempotencyKey: string,
  targetOffsetMs: number,
): Promise<void> => {
  await db.write(sql`insert into test_clock_advances (tenant_id, idempotency_key, target_offset_ms)
    values (${tenantId}, ${idempotencyKey}, ${targetOffsetMs})`)
}

export const endAdvance = (tenantId: string, idempotencyKey: string): Sql =>
  sql`delete from test_clock_advances where tenant_id = ${tenantId} and idempotency_key = ${idempotencyKey}`

export const abandonAdvance = async (db: Db, tenantId: string, idempotencyKey: string): Promise<void> => {
  await db.write(endAdvance(tenantId, idempotencyKey))
}
