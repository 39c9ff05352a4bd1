import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Database, Db, Texts } from './database.ts'
import { DatabaseUnavailable, isWriteConflict, MovedAway, sqlState, sqlStates } from './errors.ts'
import { type Connection, urlAtHost } from './hosts.ts'
import type { PoolState } from './pipelines.ts'
import { type Form, type Prepare, unprepared } from './prepared-statements.ts'
import { readWhilePresent, renameTables, type TableNames, tablesWritten } from './shard-tables.ts'
import { type Statement, sql } from './sql.ts'

/*
 * A Citus cluster stores all rows of an environment in one shard, and so on one worker. Statements about one
 * environment go straight to the tables of its shard there, where PostgreSQL plans and executes them as on one server.
 * Keys and places of shards are asked of any worker, and all else of the coordinator
 * (docs/adr/0008-one-server-or-citus.md).
 *
 * A shard may move to another worker at any time. So a write first takes the lock on the shard that each write of Citus
 * takes, for which the last phase of a move waits, and then checks with a new snapshot that the shard is still there. A
 * read checks that in its own snapshot. Either fails otherwise, and is sent again to where the shard is now.
 */

/** The time after which the worker of an environment is looked up again, in the background. */
const maxAgeMs = 5_000
const maxHomes = 10_000
/** The pauses between attempts to find rows that move: the servers of a cluster learn of it one by one. */
const movedMs = [0, 20, 100, 300, 1_000, 0]
/** The time after which another server is asked for what all of them know. */
const anyMs = 2_000

/** Citus refuses statements that change the tables of shards otherwise. Plans are kept as on one server. */
const workerSettings = '-c citus.enable_manual_changes_to_shards=on -c plan_cache_mode=force_generic_plan'

/** The place of an environment. All tables of a shard move together. */
export type Place = {
  host: string
  port: number
  groupId: number
  /** The shard of `journal_heads`, which stands for those of all other tables. */
  shardId: number
}

/** Makes the function that prepares statements of a form. */
export type Statements = (form?: Form) => Prepare

/**
 * Returns the database itself if it is a single server or not distributed; otherwise one whose `home` is the shard of
 * the environment.
 * @param coordinator the database of `connection`
 */
export async function onWorkers(
  coordinator: Database,
  connection: Connection,
  open: (connection: Connection) => Database,
  statements: Statements = unprepared,
): Promise<Database> {
  if (typeof connection !== 'string' || !(await isDistributed(coordinator))) return coordinator
  const workers = new Map<string, Database>()
  /** The forms of statements by shard and worker: one for each, because their names must be unique. */
  const forms = new Map<string, Promise<Texts>>()
  const homes = new LRUCache<string, Db>({
    max: maxHomes,
    ttl: maxAgeMs,
    allowStale: true,
    noDeleteOnFetchRejection: true,
    ignoreFetchAbort: true, // a failure elsewhere forgets the home, and does not end a lookup that others wait for
    fetchMethod: find,
  })

  function workerAt(host: string, port: number): Database {
    const url = urlOfWorker(connection as string, { host, port })
    const worker = workers.get(url) ?? open(url)
    workers.set(url, worker)
    return worker
  }

  for (const { host, port } of await findWorkers(coordinator)) workerAt(host, port)
  let preferred = Math.floor(Math.random() * workers.size)

  /** Asks one server for something that all of them know: a worker if possible, since the coordinator may be away. */
  async function askAny<Result>(ask: (server: Database) => Promise<Result>): Promise<Result> {
    const all = [...workers.values()]
    for (const [i] of all.entries()) {
      const next = (preferred + i) % all.length // the server that answered last
      try {
        const result = await withinMs(anyMs, ask(all[next]!))
        preferred = next
        return result
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error
      }
    }
    return ask(coordinator)
  }

  function textsAt(place: Place): Promise<Texts> {
    const name = `${place.shardId} on ${place.groupId}`
    const known = forms.get(name)
    if (known) return known
    const found = askAny((server) => findTables(server, place.shardId)).then((tables) =>
      textsOf(place, tables, statements),
    )
    forms.set(name, found)
    found.catch(() => forms.delete(name))
    return found
  }

  async function find(tenantId: string): Promise<Db> {
    const place =
      (await askAny((server) => findPlace(server, tenantId))) ?? (await findPlace(coordinator, tenantId))
    if (!place) throw new DatabaseUnavailable(`No worker of the cluster stores environment ${tenantId}`)
    return workerAt(place.host, place.port).home(tenantId, await textsAt(place))
  }

  async function once<Result>(tenantId: string, use: (home: Db) => Promise<Result>): Promise<Result> {
    try {
      return await use((await homes.fetch(tenantId))!)
    } catch (error) {
      if (!isWriteConflict(sqlState(error))) homes.delete(tenantId)
      throw error
    }
  }

  /** Sends statements again if the rows are on another worker. */
  async function at<Result>(tenantId: string, use: (home: Db) => Promise<Result>): Promise<Result> {
    let failure: unknown
    for (const pauseMs of movedMs) {
      try {
        return await once(tenantId, use)
      } catch (error) {
        if (!isMoved(error)) throw error
        failure = error
        preferred++ // a server that was removed from the cluster does not learn of moves
      }
      if (pauseMs > 0) await sleep(pauseMs)
    }
    throw failure instanceof MovedAway ? failure : new MovedAway(failure)
  }

  const reading = <Result>(tenantId: string, use: (home: Db) => Promise<Result>): Promise<Result> =>
    at(tenantId, (home) =>
      use(home).catch((error) => {
        throw sqlState(error) === sqlStates.divisionByZero ? new MovedAway(error) : error
      }),
    )

  const all = () => [coordinator, ...workers.values()]
  const losses = () => all().reduce((sum, each) => sum + each.losses(), 0)

  function handleOf(tenantId: string): Db {
    const handle: Db = {
      ...coordinator,
      losses,
      rows: (query) => reading(tenantId, (home) => home.rows(query)),
      maybe: (query) => reading(tenantId, (home) => home.maybe(query)),
      slowRows: (query, plan) => reading(tenantId, (home) => home.slowRows(query, plan)),
      rowsWithin: (query, ms) => reading(tenantId, (home) => home.rowsWithin(query, ms)),
      largeRows: (query, bytes, beforeReading) =>
        reading(tenantId, (home) => home.largeRows(query, bytes, beforeReading)),
      write: (...queries) => at(tenantId, (home) => home.write(...queries)),
      snapshot: () => at(tenantId, (home) => home.snapshot()),
      atOneMoment: (read) => reading(tenantId, (home) => home.atOneMoment(read)),
      home: handleOf,
    }
    return handle
  }

  return {
    ...coordinator,
    losses,
    home: handleOf,
    forKeys: { maybe: (query) => askAny((server) => server.forKeys.maybe(query)) },
    ping: () => askAny((server) => server.ping()),
    pools: () =>
      all()
        .map((each) => each.pools())
        .reduce(sumOfPools),
    close: async () => {
      await Promise.all(all().map((each) => each.close()))
    },
  }
}

/** @throws DatabaseUnavailable after that time */
async function withinMs<Result>(ms: number, result: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DatabaseUnavailable('A server of the cluster does not respond')), ms)
  })
  return Promise.race([result, late]).finally(() => clearTimeout(timer))
}

/** True if an environment is elsewhere. The tables of a shard that has moved are dropped some time later. */
const isMoved = (error: unknown): boolean =>
  error instanceof MovedAway || sqlState(error) === sqlStates.undefinedTable

/** The forms of statements at a place. */
function textsOf({ shardId, groupId }: Place, tables: ShardTable[], statements: Statements): Texts {
  const names: TableNames = new Map(tables.map(({ table, name }) => [table, name]))
  const copied = new Set(tables.filter(({ isCopied }) => isCopied).map(({ table }) => table))
  const isPresent = `select count(*) from pg_dist_placement where shardid = ${shardId} and groupid = ${groupId}`
  /** Citus carries out a write to a table that each server has a copy of, under its ordinary name. */
  const isEverywhere = (text: string) => tablesWritten(text).some((table) => copied.has(table))
  const read: Form = {
    prefix: `r${shardId}_${groupId}_`,
    textOf: (text) => readWhilePresent(renameTables(text, names), isPresent),
  }
  const write: Form = {
    prefix: `w${shardId}_${groupId}_`,
    textOf: (text) => (isEverywhere(text) ? text : renameTables(text, names)),
  }
  const [lock, check, planFresh] = [
    { text: `select lock_shard_metadata(${shareLock}, array[${shardId}::bigint])`, name: `l${shardId}` },
    { text: `select 1 / (${isPresent})`, name: `p${shardId}_${groupId}` },
    { text: "select set_config('plan_cache_mode', 'auto', true)", name: 'fresh' },
  ].map((each): Statement => ({ ...each, values: [] })) as [Statement, Statement, Statement]
  return {
    read: statements(read),
    readFresh: unprepared(read),
    write: statements(write),
    beforeWrites: (own) =>
      own.some(({ text }) => isEverywhere(text)) ? [lock, check, planFresh] : [lock, check],
  }
}

/** The number of ShareLock in lockdefs.h of PostgreSQL. */
export const shareLock = 5

/** The address of a worker, of which the coordinator has the user and the database. */
export const urlOfWorker = (coordinator: string, { host, port }: Pick<Place, 'host' | 'port'>): string =>
  urlAtHost(coordinator, host, port, workerSettings)

/** True if the rows of environments are on workers of a Citus cluster. */
export async function isDistributed(db: Db): Promise<boolean> {
  const [row] = await db.rows<{ isCitus: boolean }>(
    sql`select to_regclass('pg_dist_partition') is not null as "isCitus"`,
  )
  if (!row!.isCitus) return false
  const placed = await db.rows(sql`select 1 from pg_dist_partition where partmethod = 'h' limit 1`)
  return placed.length > 0
}

const findWorkers = (db: Db): Promise<{ host: string; port: number }[]> =>
  db.rows(sql`select nodename as host, nodeport as port from pg_dist_node
    where noderole = 'primary' and groupid <> 0 and shouldhaveshards order by groupid`)

/** The place of an environment; null if no server has it. */
const findPlace = (db: Db, tenantId: string): Promise<Place | null> =>
  db.maybe(sql`select n.nodename as host, n.nodeport as port, p.groupid as "groupId", p.shardid as "shardId"
    from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where p.shardid = get_shard_id_for_distribution_column('journal_heads', ${tenantId}::uuid)`)

type ShardTable = { table: string; name: string; isCopied: boolean }

/** The tables of a shard and of those that each server has a copy of, with their names there. */
const findTables = (db: Db, shardId: number): Promise<ShardTable[]> =>
  db.rows(sql`select c.relname as table, c.relname || '_' || s.shardid as name, p.repmodel = 't' as "isCopied"
    from pg_dist_shard s join pg_dist_partition p on p.logicalrelid = s.logicalrelid
    join pg_class c on c.oid = s.logicalrelid
    join pg_dist_shard heads on heads.shardid = ${shardId}
    join pg_dist_partition all_heads on all_heads.logicalrelid = heads.logicalrelid
    where p.repmodel = 't' or (p.colocationid = all_heads.colocationid and s.shardminvalue = heads.shardminvalue)`)

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
