import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Database, Db } from './database.ts'
import { DatabaseUnavailable, sqlState, sqlStates } from './errors.ts'
import { atHost, type Connection } from './hosts.ts'
import { FailedStatement } from './pipelines.ts'
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

type Home = { worker: Promise<Database>; foundAtMs: number }

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
  const homes = new LRUCache<string, Home>({ max: maxHomes })
  const handles = new LRUCache<string, Db>({ max: maxHomes })

  async function find(tenantId: string): Promise<Database> {
    const found = await findHome(coordinator, tenantId)
    if (!found) throw new DatabaseUnavailable(`No worker of the cluster stores environment ${tenantId}`)
    const address = atHost(connection as string, found.host, found.port, workerSettings)
    const worker = workers.get(address) ?? open(address)
    workers.set(address, worker)
    return worker
  }

  /** The worker of an environment. It is looked up again from time to time, and used meanwhile. */
  function homeOf(tenantId: string): Home {
    const known = homes.get(tenantId)
    if (known && performance.now() - known.foundAtMs < maxAgeMs) return known
    const worker = find(tenantId)
    const home = { worker, foundAtMs: performance.now() }
    if (!known) homes.set(tenantId, home)
    else {
      known.foundAtMs = performance.now()
      worker.then(
        () => homes.set(tenantId, home),
        () => undefined, // it is asked again after the next failure
      )
    }
    return known ?? home
  }

  async function on<Result>(tenantId: string, use: (worker: Database) => Promise<Result>): Promise<Result> {
    const home = homeOf(tenantId)
    try {
      return await use(await home.worker)
    } catch (error) {
      if (!isConflict(error) && homes.get(tenantId) === home) homes.delete(tenantId)
      throw error
    }
  }

  function handleOf(tenantId: string): Db {
    const handle: Db = {
      ...coordinator,
      rows: (query) => on(tenantId, (worker) => worker.rows(query)),
      maybe: (query) => on(tenantId, (worker) => worker.maybe(query)),
      slowRows: (query, plan) => on(tenantId, (worker) => worker.slowRows(query, plan)),
      write: (query) => on(tenantId, (worker) => worker.write(query)),
      transaction: (statements) =>
        untilThere(tenantId, () => on(tenantId, (worker) => worker.transaction(statements))),
      home: () => handle,
      splitsWrites: true,
    }
    return handle
  }

  const all = () => [coordinator, ...workers.values()]
  return {
    ...coordinator,
    home: (tenantId) => {
      const known = handles.get(tenantId) ?? handleOf(tenantId)
      handles.set(tenantId, known)
      return known
    },
    losses: () => all().reduce((sum, each) => sum + each.losses(), 0),
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
  const placed = await db.rows(
    sql`select 1 from pg_dist_partition where logicalrelid = 'journal_heads'::regclass and partmethod = 'h'`,
  )
  return placed.length > 0
}

/** The address of the worker that stores an environment. */
export const findHome = (db: Db, tenantId: string): Promise<{ host: string; port: number } | null> =>
  db.maybe(sql`select n.nodename as host, n.nodeport as port
    from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where p.shardid = get_shard_id_for_distribution_column('journal_heads', ${tenantId}::uuid)`)

/** True for a write conflict, which says nothing about the server. */
function isConflict(error: unknown): boolean {
  const state = sqlState(error instanceof FailedStatement ? error.cause : error)
  return state !== undefined && /^(22012|23|40)/.test(state)
}

/** True if the rows have moved to another worker: the position of the journal's head was not kept in this session. */
function isElsewhere(error: unknown): boolean {
  const state = error instanceof FailedStatement ? sqlState(error.cause) : undefined
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
    Object.entries(one).map(([name, state]) => {
      const { most, open, idle, waiting } = other[name as keyof Pools]
      return [
        name,
        {
          most: state.most + most,
          open: state.open + open,
          idle: state.idle + idle,
          waiting: state.waiting + waiting,
        },
      ]
    }),
  ) as Pools
