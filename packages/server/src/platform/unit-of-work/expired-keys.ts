import { everyEnvironment } from '../journal/every-environment.ts'
import { toInstant } from '../kernel/clock.ts'
import type { Db } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'

/** Keys that are read to find the environments that they belong to. */
const mostKeys = 1_000

/**
 * Returns environments, without `except`, with idempotency keys older than their retention period: some of them if
 * there are many such keys. Keys have no index by environment and age. So those in real time are found by age, through
 * all environments together; an environment whose clock was moved has its own time.
 */
export async function environmentsWithExpiredKeys(
  db: Db,
  realNowMs: number,
  retentionHours: number,
  except: string[],
): Promise<string[]> {
  const cutoffMs = realNowMs - retentionHours * 3_600_000
  const inRealTime = await db.slowRows<{ id: string }>(sql`select tenant_id as id from idempotency_keys
    where created_at < ${toInstant(cutoffMs)} and tenant_id <> all(${except}::uuid[]) limit ${mostKeys}`)
  const inOwnTime = await db.slowRows<{ id: string }>(sql`select e.id from ${everyEnvironment}
    cross join lateral (select 1 from idempotency_keys where idempotency_keys.tenant_id = h.tenant_id
      and idempotency_keys.created_at < to_timestamp((${cutoffMs}::bigint + e.clock_offset_ms) / 1000.0) limit 1) expired
    where e.clock_offset_ms <> 0 and e.id <> all(${except}::uuid[])`)
  return [...new Set([...inRealTime, ...inOwnTime].map(({ id }) => id))]
}
