import pg from 'pg'
import type { Db } from './database.ts'
import { DatabaseUnavailable, sqlState, sqlStates, toDatabaseError } from './errors.ts'
import type { Connection } from './hosts.ts'
import { openSession, usualLimits } from './session.ts'
import { sql } from './sql.ts'
import { isDistributed, type Place, shareLock, urlOfWorker } from './workers.ts'

/*
 * Statements to the tables of shards rely on what the servers of Citus use among themselves: the names of the tables,
 * the list of placements, and the lock that a move waits for. A version of Citus may change them. So each start tries
 * them on every worker.
 */

export type WorkerProbe = {
  /** Host and port. */
  worker: string
  /** The difference from what Backline needs, or the reason why the worker cannot be reached; null without either. */
  problem: string | null
  isReachable: boolean
}

/**
 * Tries each worker of a cluster; none if the database is not distributed. Writes nothing.
 * @param db the coordinator, whose address is `connection`
 */
export async function probeWorkers(db: Db, connection: Connection): Promise<WorkerProbe[]> {
  if (typeof connection !== 'string' || !(await isDistributed(db))) return []
  const workers = await onePlaceOfEach(db)
  return Promise.all(
    workers.map(async (place) => {
      const worker = `${place.host}:${place.port}`
      const address = urlOfWorker(connection, place)
      try {
        const problem = await withSession(address, (own) =>
          withSession(address, (other) => differenceOf(place, own, other)),
        )
        return { worker, problem, isReachable: true }
      } catch (error) {
        const isReachable = !(toDatabaseError(error) instanceof DatabaseUnavailable)
        return { worker, problem: (error as Error).message, isReachable }
      }
    }),
  )
}

/** The workers, each with one of its shards; null for one that has none yet. */
type Worker = Omit<Place, 'shardId'> & { shardId: number | null }

const onePlaceOfEach = (db: Db): Promise<Worker[]> =>
  db.rows(sql`select n.nodename as host, n.nodeport as port, n.groupid as "groupId", min(s.shardid) as "shardId"
    from pg_dist_node n left join pg_dist_placement p on p.groupid = n.groupid
    left join pg_dist_shard s on s.shardid = p.shardid and s.logicalrelid = 'journal_heads'::regclass
    where n.noderole = 'primary' and n.groupid <> 0 group by n.groupid, n.nodename, n.nodeport order by n.groupid`)

/** The number of ExclusiveLock, which a move takes, in lockdefs.h of PostgreSQL. */
const exclusiveLock = 7

/** @param other a session that asks for the lock of a move meanwhile */
async function differenceOf(
  { groupId, shardId }: Worker,
  own: pg.Client,
  other: pg.Client,
): Promise<string | null> {
  if (shardId === null) return null // it accepts connections
  const lock = (client: pg.Client, mode: number) =>
    client.query('select lock_shard_metadata($1, array[$2::bigint])', [mode, shardId])
  await own.query('begin')
  await lock(own, shareLock)
  const placed = await own.query('select 1 from pg_dist_placement where shardid = $1 and groupid = $2', [
    shardId,
    groupId,
  ])
  if (placed.rowCount !== 1) return `pg_dist_placement does not list shard ${shardId}, which the worker has`
  await own.query(`update journal_heads_${shardId} as journal_heads set position = position where false`)
  await other.query("set lock_timeout = '100ms'")
  await lock(other, shareLock) // writes do not wait for each other
  const refusal = await lock(other, exclusiveLock).then(
    () => null,
    (error) => error,
  )
  await own.query('rollback')
  if (refusal === null) return 'lock_shard_metadata does not keep a shard from moving while it is written'
  if (sqlState(refusal) !== sqlStates.lockNotAvailable) throw refusal
  return null
}

async function withSession<Result>(
  connection: Connection,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await openSession(connection, usualLimits, (address) =>
    new pg.Client({ application_name: 'backline', ...address }).on('error', () => undefined),
  )
  try {
    return await use(client)
  } finally {
    void client.end().catch(() => undefined)
  }
}
