import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Database, Db } from './database.ts'
import { DatabaseUnavailable, isWriteConflict, sqlState, sqlStates } from './errors.ts'
import { type Connection, urlAtHost } from './hosts.ts'
import type { PoolState } from './pipelines.ts'
import { sql } from './sql.ts'

/*
 * A Citus cluster stores all rows of an environment on one worker. Statements about one environment go straight to that
 * worker, which executes them like a single PostgreSQL; all others go to the coordinator
 * (docs/adr/0008-one-server-or-citus.md).
 */

/** The time after which the worker of an environment is looked up again. Shards move rarely. */
const maxAgeMs = 5_000
const maxHomes = 10_000
/** The pauses between attempts to write to rows that were moved: the servers of a cluster learn of it one by one. */
const movedMs = [0, 20, 100, 300, 1_000]

/**
 * Citus 13.2.1 and 13.2.2 plan each execution of a prepared statement with a generic plan again, and never free the
 * result: 33 kB for each execution. Plans for the values of each execution are freed.
 */
const workerSettings = '-c plan_cache_mode=force_custom_plan'

/**
 * Returns the database itself if it is a single server or not distributed; otherwise one whose `home` is the worker of
 * the environment.
 * @param coordinator the database of `connection`
 */
export async function onWorkers(
  coordinator: Database,
  connection: Connection,
  open: (connection: Connection) => Database,
): Promise<Database> {
  if (typeof connection !== 'string' || !(await isDistributed(coordinator))) return coordinator
  const workers = new Map<string, Database>()
  const homes = new LRUCache<string, Database>({
    max: maxHomes,
    ttl: maxAgeMs,
    allowStale: true,
    noDeleteOnFetchRejection: true,
    ignoreFetchAbort: true, // a failure elsewhere forgets the home, and does not end a lookup that others wait for
    fetchMethod: find,
  })

  async function find(tenantId: string): Promise<Database> {
    const found = await findHome(coordinator, tenantId)
    if (!found) throw new DatabaseUnavailable(`No worker of the cluster stores environment ${tenantId}`)
    const url = urlAtHost(connection as string, found.host, found.port, workerSettings)
    const worker = workers.get(url) ?? open(url)
    workers.set(url, worker)
    return worker
  }

  async function on<Result>(tenantId: string, use: (worker: Database) => Promise<Result>): Promise<Result> {
    try {
      return await use((await homes.fetch(tenantId))!)
    } catch (error) {
      if (!isWriteConflict(sqlState(error))) homes.delete(tenantId)
      throw error
    }
  }

  const all = () => [coordinator, ...workers.values()]
  const losses = () => all().reduce((sum, each) => sum + each.losses(), 0)

  function handleOf(tenantId: string): Db {
    const handle: Db = {
      ...coordinator,
      losses,
      rows: (query) => on(tenantId, (worker) => worker.home(tenantId).rows(query)),
      maybe: (query) => on(tenantId, (worker) => worker.home(tenantId).maybe(query)),
      slowRows: (query, plan) => on(tenantId, (worker) => worker.home(tenantId).slowRows(query, plan)),
      rowsWithin: (query, ms) => on(tenantId, (worker) => worker.home(tenantId).rowsWithin(query, ms)),
      largeRows: (query, bytes, beforeReading) =>
        on(tenantId, (worker) => worker.home(tenantId).largeRows(query, bytes, beforeReading)),
      write: (query) => on(tenantId, (worker) => worker.write(query)),
      transaction: (statements) =>
        untilThere(tenantId, () => on(tenantId, (worker) => worker.transaction(statements))),
      home: () => handle,
      splitsWrites: true,
    }
    return handle
  }

  return {
    ...coordinator,
    losses,
    home: handleOf,
    pools: () =>
      all()
        .map((each) => each.pools())
        .reduce(sumOfPools),
    close: async () => {
      await Promise.all(all().map((each) => each.close()))
    },
  }
}

/** True if the rows of environments are on workers of a Citus cluster. */
export async function isDistributed(db: Db): Promise<boolean> {
  const installed = await db.rows(sql`select 1 from pg_extension where extname = 'citus'`)
  if (installed.length === 0) return false
  const placed = await db.rows(sql`select 1 from pg_dist_partition where partmethod = 'h' limit 1`)
  return placed.length > 0
}

/** All tables are distributed alike. */
const anyDistributed = sql`(select logicalrelid from pg_dist_partition where partmethod = 'h' limit 1)`

/** The address of the worker that stores an environment. */
export const findHome = (db: Db, tenantId: string): Promise<{ host: string; port: number } | null> =>
  db.maybe(sql`select n.nodename as host, n.nodeport as port
    from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where p.shardid = get_shard_id_for_distribution_column(${anyDistributed}, ${tenantId}::uuid)`)

/**
 * True if the rows have moved to another worker: there the transaction lacks the setting with the position of its
 * events. In a session that had it before, it is an empty text.
 */
function isElsewhere(error: unknown): boolean {
  const state = sqlState(error)
  return state === sqlStates.undefinedObject || state === sqlStates.invalidText
}

/** Sends a transaction again if the rows are on another worker; nothing of it was written. */
async function untilThere(tenantId: string, send: () => Promise<void>): Promise<void> {
  let failure: unknown
  for (const pauseMs of movedMs) {
    try {
      return await send()
    } catch (error) {
      if (!isElsewhere(error)) throw error
      failure = error
    }
    await sleep(pauseMs)
  }
  throw new DatabaseUnavailable(`Environment ${tenantId} moves to another worker`, { cause: failure })
}

type Pools = ReturnType<Database['pools']>

const sumOfPools = (one: Pools, other: Pools): Pools =>
  Object.fromEntries(
    Object.entries(one).map(([name, state]) => [name, sum(state, other[name as keyof Pools])]),
  ) as Pools

const sum = (one: PoolState, other: PoolState): PoolState => ({
  most: one.most + other.most,
  open: one.open + other.open,
  idle: one.idle + other.idle,
  waiting: one.waiting + other.waiting,
})
