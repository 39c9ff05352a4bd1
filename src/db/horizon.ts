import type { Db } from './database.ts'
import { sql } from './sql.ts'

/** Nothing can appear any more in the journal before `(epoch, xid)`. `next`: no transaction so far has this id or a later one. */
export type Horizon = { epoch: number; xid: bigint; next: bigint }

/** For how long a transaction may be waited for before it is asked whether it writes events at all. */
const patienceMs = 500

/**
 * How far the journal is settled: every transaction below has ended. A transaction of somebody else on the same server,
 * in another database even, would hold that back for as long as it is open; so when the oldest one stays, those count
 * alone that hold a lock on `events`. Ours lock it before they are given an id: a statement locks its tables first.
 */
export function horizonOf(db: Pick<Db, 'rows'>): () => Promise<Horizon> {
  let oldestSince = { xid: -1n, ms: 0 }
  let reached = { epoch: 0, xid: 0n }

  return async () => {
    const { epoch, oldest, next } = await snapshot(db)
    if (oldest !== oldestSince.xid) oldestSince = { xid: oldest, ms: performance.now() }
    const held = oldest < next && performance.now() - oldestSince.ms > patienceMs
    const xid = held ? await oldestWriter(db) : oldest
    if (epoch > reached.epoch || xid > reached.xid) reached = { epoch, xid }
    return { ...reached, next }
  }
}

async function snapshot(db: Pick<Db, 'rows'>): Promise<{ epoch: number; oldest: bigint; next: bigint }> {
  const [row] = await db.rows<{ epoch: number; oldest: string; next: string }>(
    sql`select (select max(epoch) from installation_epochs) as epoch, pg_snapshot_xmin(s)::text as oldest, pg_snapshot_xmax(s)::text as next
      from pg_current_snapshot() s`,
  )
  return { epoch: row!.epoch, oldest: BigInt(row!.oldest), next: BigInt(row!.next) }
}

/**
 * The oldest running transaction that may have written events; the next one to come, if there is none. The snapshot is
 * taken before the locks are looked at: one that was running then and holds no lock on `events` now has either ended,
 * and the next snapshot shows what it wrote, or has written none.
 */
async function oldestWriter(db: Pick<Db, 'rows'>): Promise<bigint> {
  const [row] = await db.rows<{ next: string; writers: string[] }>(sql`
    with locks as materialized (
      select locktype, virtualtransaction, transactionid, database, relation, mode, granted from pg_locks)
    select pg_snapshot_xmax(s)::text as next, array(
      select running::text from pg_snapshot_xip(s) running where exists (
        select 1 from locks own join locks used on used.virtualtransaction = own.virtualtransaction
        where own.locktype = 'transactionid' and own.transactionid = running::xid and own.mode = 'ExclusiveLock' and own.granted
          and used.locktype = 'relation' and used.relation = 'events'::regclass and used.mode not in ('AccessShareLock', 'RowShareLock')
          and used.database = (select oid from pg_database where datname = current_database()))) as writers
    from pg_current_snapshot() s`)
  const candidates = [row!.next, ...row!.writers].map(BigInt)
  return candidates.reduce((least, each) => (each < least ? each : least))
}
