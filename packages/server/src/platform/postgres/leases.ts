import type { Instant } from '../kernel/clock.ts'
import type { Db } from './database.ts'
import { type Sql, sql } from './sql.ts'

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
  const rows = await db.home(tenantId).write(leaseTo(tenantId, [{ work, holder, now, until }]))
  return rows.length === 1
}

export type LeaseToTake = { work: string; holder: string; now: Instant; until: Instant }

/** Takes or renews a lease, also as part of the statement of the work. Returns one row if no other process holds it. */
export const leaseTo = (tenantId: string, [lease]: LeaseToTake[]): Sql => {
  const { work, holder, now, until } = lease!
  return sql`insert into leases (tenant_id, work, holder, leased_until)
    values (${tenantId}, ${work}, ${holder}, ${until})
    on conflict (tenant_id, work) do update set holder = excluded.holder, leased_until = excluded.leased_until
      where leases.holder = ${holder} or leases.leased_until <= ${now}
    returning 1`
}

/** True if a process holds the lease. */
export const isLeased = async (db: Db, tenantId: string, work: string, now: Instant): Promise<boolean> =>
  (await db.maybe(
    sql`select 1 from leases where tenant_id = ${tenantId} and work = ${work} and leased_until > ${now}`,
  )) !== null

/** Returns a lease, so that another process can continue at once. */
export const returnLease = async (db: Db, tenantId: string, work: string, holder: string): Promise<void> => {
  await db
    .home(tenantId)
    .write(sql`delete from leases where tenant_id = ${tenantId} and work = ${work} and holder = ${holder}`)
}
