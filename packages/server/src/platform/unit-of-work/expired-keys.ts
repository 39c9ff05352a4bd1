import { everyEnvironment } from '../journal/every-environment.ts'
import { toInstant } from '../kernel/clock.ts'
import type { Db } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'

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
    cross join lateral (select 1 from idempotency_keys where idempotency_keys.tenant_id = h.tenant_id
      and idempotency_keys.created_at < to_timestamp((${cutoffMs}::bigint + e.clock_offset_ms) / 1000.0) limit 1) expired
    where e.clock_offset_ms <> 0`)
  return [...inRealTime, ...inOwnTime].map(({ id }) => id)
}
