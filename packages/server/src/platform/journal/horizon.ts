import type { Database, Db } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'

/** The journal is complete before `(epoch, xid)`. No transaction so far has the id `next` or a later one. */
export type Horizon = {
  epoch: number
  xid: bigint
  next: bigint
  /** The number of lost connections before this value was computed. */
  losses: number
}

/** The time that a transaction may delay the horizon before its lock on `events` is checked. */
const patienceMs = 500

/**
 * Computes the horizon: every transaction below it has ended. A foreign transaction on the same server, even in
 * another database, would delay it for as long as it is open. So when the oldest one stays, only transactions with a
 * lock on `events` count. Ours hold it before they receive an id: a statement locks its tables first.
 */
export function horizonOf(db: Pick<Database, 'rows' | 'losses'>): () => Promise<Horizon> {
  let oldestSince = { xid: -1n, ms: 0 }
  let reached = { epoch: 0, xid: 0n }
  let losses = db.losses()

  return async () => {
    const { epoch, oldest, next } = await snapshot(db)
    if (losses !== db.losses()) {
      losses = db.losses()
      reached = { epoch: 0, xid: 0n } // after a crash, ids that had not reached the disk are assigned again
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
 * The oldest running transaction that may have written events; the next id if there is none. The snapshot is taken
 * before the locks are read. A transaction of the snapshot is ignored if the lock on its own id exists and its owner
 * holds none on `events`: it has written no event. If its own lock is missing, it has ended or is just starting,
 * because PostgreSQL shows a transaction's id before it locks it.
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
