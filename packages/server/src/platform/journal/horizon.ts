import type { Database, Db } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'

/** Nothing can appear any more in the journal before `(epoch, xid)`. `next`: no transaction so far has this id or a later one. */
export type Horizon = {
  epoch: number
  xid: bigint
  next: bigint
  /** How often the connection to the server was lost before. */
  losses: number
}

/** For how long a transaction may be waited for before it is asked whether it writes events at all. */
const patienceMs = 500

/**
 * How far the journal is settled: every transaction below has ended. A transaction of somebody else on the same server,
 * in another database even, would hold that back for as long as it is open; so when the oldest one stays, those count
 * alone that hold a lock on `events`. Ours lock it before they are given an id: a statement locks its tables first.
 */
export function horizonOf(db: Pick<Database, 'rows' | 'losses'>): () => Promise<Horizon> {
  let oldestSince = { xid: -1n, ms: 0 }
  let reached = { epoch: 0, xid: 0n }
  let losses = db.losses()

  return async () => {
    const { epoch, oldest, next } = await snapshot(db)
    if (losses !== db.losses()) {
      losses = db.losses()
      reached = { epoch: 0, xid: 0n } // after a crash, ids that were not written to disk are given again
    }
    if (oldest !== oldestSince.xid) oldestSince = { xid: oldest, ms: performance.now() }
    const held = oldest < next && performance.now() - oldestSince.ms > patienceMs
    const xid = held ? await oldestWriter(db) : oldest
    if (epoch > reached.epoch || xid > reached.xid) reached = { epoch, xid }
    return { ...reached, next, losses }
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
 * taken before the locks are looked at. One that was running then counts unless the lock on its own id is there now and
 * its owner holds none on `events`: it has written no event. One whose own lock is not there has ended, or is just
 * beginning: PostgreSQL shows a transaction's id before it locks it.
 */
async function oldestWriter(db: Pick<Db, 'rows'>): Promise<bigint> {
  const [row] = await db.rows<{ next: string; writers: string[] }>(sql`
    with locks as materialized (
      select locktype, virtualtransaction, transactionid, database, relation, mode, granted from pg_locks)
    select pg_snapshot_xmax(s)::text as next, array(
      select running::text from pg_snapshot_xip(s) running where not exists (
        select 1 from locks own
        where own.locktype = 'transactionid' and own.transactionid = running::xid and own.mode = 'ExclusiveLock' and own.granted
          and not exists (select 1 from locks used where used.virtualtransaction = own.virtualtransaction
            and used.locktype = 'relation' and used.relation = 'events'::regclass and used.mode not in ('AccessShareLock', 'RowShareLock')
            and used.database = (select oid from pg_database where datname = current_database())))) as writers
    from pg_current_snapshot() s`)
  const candidates = [row!.next, ...row!.writers].map(BigInt)
  return candidates.reduce((least, each) => (each < least ? each : least))
}
