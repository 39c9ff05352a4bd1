import type { Instant } from '../kernel/clock.ts'
import type { Db } from './database.ts'
import { sql } from './sql.ts'

/**
 * Takes or renews the lease on one kind of work of an environment. Leases distribute work between processes; the
 * guards in the statements of the work prevent duplicates.
 */
export async function takeLease(
  db: Db,
  tenantId: string,
  work: string,
  holder: string,
  now: Instant,
  until: Instant,
): Promise<boolean> {
  const rows = await db.home(tenantId).write(sql`insert into leases (tenant_id, work, holder, leased_until)
    values (${tenantId}, ${work}, ${holder}, ${until})
    on conflict (tenant_id, work) do update set holder = excluded.holder, leased_until = excluded.leased_until
      where leases.holder = ${holder} or leases.leased_until <= ${now}
    returning 1`)
  return rows.length === 1
}

/** Returns a lease, so that another process can continue at once. */
export const returnLease = async (db: Db, tenantId: string, work: string, holder: string): Promise<void> => {
  await db
    .home(tenantId)
    .write(sql`delete from leases where tenant_id = ${tenantId} and work = ${work} and holder = ${holder}`)
}
