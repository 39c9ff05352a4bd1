import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import utils from 'pg/lib/utils.js'
import { toInstant } from '../kernel/clock.ts'
import { DatabaseUnavailable, sqlState, sqlStates, toDatabaseError } from './errors.ts'
import { latestHost } from './hosts.ts'
import { type Connection, keepAlive, type Limits, openSession, usualLimits } from './session.ts'
import { compile, type Sql, type Statement, sql } from './sql.ts'

export type { Connection } from './session.ts'

/** The database handle for queries. Each call is one autocommit statement, hence one transaction. */
export type Db = {
  /** For statements that read by an index, over shared, pipelined connections. */
  rows<Row>(query: Sql): Promise<Row[]>
  maybe<Row>(query: Sql): Promise<Row | null>
  /**
   * For statements that may take long (search, counting), over separate connections.
   * @param plan `kept` if one plan suits all values; `fresh` plans for the values of each call
   */
  slowRows<Row>(query: Sql, plan?: 'fresh' | 'kept'): Promise<Row[]>
  /** For statements that write, over separate connections, so that no read waits for the disk flush of a commit. */
  write<Row>(query: Sql): Promise<Row[]>
  /**
   * Sends several statements as one transaction, without waiting for their results.
   * @throws FailedStatement if one fails; none is carried out then
   */
  transaction(statements: Sql[]): Promise<void>
  /**
   * The number of lost connections. After a loss the server may have crashed and lost ids that had not reached the
   * disk.
   */
  losses(): number
  reads: RowReads
  /** The same for all handles of a database, as a key of caches. */
  identity: object
}

/** The connections of one purpose at a moment. */
export type PoolState = {
  most: number
  open: number
  /** Open connections without a statement in progress. */
  idle: number
  /** Statements that wait for others, on a connection or for one. */
  waiting: number
}
export type PoolName = 'read' | 'write' | 'keys' | 'slow' | 'figures'

export type Database = Db & {
  /** Resolves if the database responds; throws DatabaseUnavailable otherwise. */
  ping(): Promise<void>
  close(): Promise<void>
  /** The same database over a dedicated connection, so that no request delays another's authentication. */
  forKeys: Pick<Db, 'maybe'>
  /** The same over one connection with a short time limit, so that metrics delay no request. It opens on first use. */
  forFigures: Pick<Db, 'rows'>
  pools(): Record<PoolName, PoolState>
}

/** Statements that read rows of one table by id. */
export type RowSource<Row extends { id: string }> = {
  one(db: Db, tenantId: string, id: string): Promise<Row | null>
  many(db: Db, tenantId: string, ids: string[]): Promise<Row[]>
}

/** The head of a row: the columns that show whether a cached copy is current. */
export type Head = { id: string; version: number } & Record<string, unknown>

/** The two ways to read a page: its heads, or its rows. */
export type PageSource<Row> = { heads(): Promise<Head[]>; rows(): Promise<Row[]> }

/** The JSON serializer of rows. */
export type JsonOf<Row> = {
  json(row: Row, now?: string): string
  /** True if the JSON of a row does not depend on time. */
  isTimeless?(row: Row): boolean
}

/**
 * The way to read rows. The plain one queries each time; tables/batch-loader.ts and tables/row-cache.ts are others.
 */
export type RowReads = ById & Pages
export type ById = {
  find<Row extends { id: string }>(
    source: RowSource<Row>,
    db: Db,
    tenantId: string,
    id: string,
  ): Promise<Row | null>
}
export type Pages = {
  page<Row extends { id: string; version: number }>(
    source: RowSource<Row>,
    db: Db,
    tenantId: string,
    page: PageSource<Row>,
  ): Promise<Row[]>
  /** The JSON of a row of a page. */
  json<Row extends object>(wire: JsonOf<Row>, row: Row, now: string): string
}

export const plainById: ById = { find: (source, db, tenantId, id) => source.one(db, tenantId, id) }
export const plainPages: Pages = {
  page: (_source, _db, _tenantId, { rows }) => rows(),
  json: (wire, row, now) => wire.json(row, now),
}

/** The statement of a transaction that failed, by its place in it. `cause` is the error of a single statement. */
export class FailedStatement extends Error {
  override name = 'FailedStatement'
  readonly place: number
  constructor(place: number, cause: unknown) {
    super(`Statement ${place} of a transaction failed`, { cause })
    this.place = place
  }
}

/** Sends a statement over a pipelined connection. */
export type Send = <Row>(
  client: pg.Client,
  statement: Statement,
  types: pg.CustomTypesConfig,
) => Promise<Row[]>

export const sendPlain: Send = async (client, statement, types) =>
  (await client.query({ ...statement, types })).rows

/** Optional optimizations. Without them a database behaves the same, more slowly. */
export type DatabaseOptions = {
  reads?: RowReads
  send?: Send
  prepare?: (query: Sql) => Statement
  /** Called with the first of several hosts, and when a session opens on another one. */
  onHost?: (name: string) => void
}

// Few, because they are shared and pipelining keeps each busy. More writers let commits share a disk flush.
const readers = 2
const writers = 6
const slowReaders = 6

/** Metrics that take longer are not worth it. */
const figuresLimits: Limits = { statementMs: 2_000, lockMs: 100 }
/** Reads wait only for a lock on a whole table. All reads that share the connection then wait one after another. */
const readersLimits: Limits = { ...usualLimits, lockMs: 500 }
const connectTimeoutMs = 2_000
const reconnectDelayMs = 100
/** The time that a slow statement waits for a connection. */
const turnTimeoutMs = 2_000
/** Slow statements leave sessions with large caches. */
const idleTimeoutMs = 10_000

const xid8 = 5069 // pg_type.dat
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number) // counters and sequences, far below 2^53
types.setTypeParser(xid8 as never, Number) // positions of the journal, below 2^53 until the year 2255
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, instantOf)

/**
 * Converts `2026-11-20 09:30:00.5+00` to `2026-11-20T09:30:00.500Z`; stored times have at most milliseconds. The
 * offset is parsed, because a connection URL or a pooler can set another time zone.
 */
function instantOf(text: string): string {
  if (!text.endsWith('+00'))
    return toInstant(Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')))
  const fraction = text.indexOf('.') === 19 ? text.slice(20, text.length - 3) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}

/** Settings of all connections. */
const clientConfig: pg.ClientConfig = {
  types,
  application_name: 'backline',
  connectionTimeoutMillis: connectTimeoutMs,
  ...keepAlive,
  query_timeout: usualLimits.statementMs + 5_000, // the server's own timeout comes first, unless the network is down
}

export function openDatabase(
  connection: Connection,
  report: (error: Error) => void,
  options: DatabaseOptions = {},
): Database {
  const { reads = { ...plainById, ...plainPages }, send = sendPlain, prepare = compile, onHost } = options
  let losses = 0
  const onError = (error: Error) => {
    losses++
    report(error)
  }
  let host: string | null = null
  async function open(limits: Limits, create: (address: pg.ClientConfig) => pg.Client): Promise<pg.Client> {
    const client = await openSession(connection, limits, create)
    const latest = latestHost(connection)
    if (latest !== null && latest !== host) onHost?.(latest)
    host = latest
    return client
  }
  /** The older connections are to the same server: the next sessions look for the primary. */
  const onSuspicion = (sentAtMs: number) => {
    for (const each of [reading, writing, keys, figures, slow]) each.reconnect(sentAtMs)
  }
  const common = { open, onError, onSuspicion, send }
  const reading = pipelines({ ...common, limits: readersLimits, size: readers })
  const writing = pipelines({ ...common, limits: usualLimits, size: writers })
  const keys = pipelines({ ...common, limits: usualLimits, size: 1 })
  const figures = pipelines({ ...common, limits: figuresLimits, size: 1 })
  const slow = pipelines({
    ...common,
    limits: usualLimits,
    size: slowReaders,
    send: sendPlain,
    idleTimeoutMs,
  })
  const turns = openTurns(slowReaders, turnTimeoutMs)

  return {
    rows: (query) => reading.rows(prepare(query)),
    maybe: async <Row>(query: Sql) => (await reading.rows<Row>(prepare(query)))[0] ?? null,
    write: (query) => writing.rows(prepare(query)),
    transaction: (queries) => writing.transaction(queries.map((query) => prepare(query))),
    slowRows: (query, plan = 'fresh') =>
      turns.take(() => slow.rows(plan === 'kept' ? prepare(query) : compile(query))),
    forKeys: { maybe: async <Row>(query: Sql) => (await keys.rows<Row>(prepare(query)))[0] ?? null },
    forFigures: { rows: (query) => figures.rows(prepare(query)) },
    losses: () => losses,
    reads,
    identity: {},
    pools: () => ({
      read: reading.state(),
      write: writing.state(),
      keys: keys.state(),
      figures: figures.state(),
      slow: { ...slow.state(), waiting: turns.waiting() },
    }),
    ping: async () => {
      await reading.rows(compile(sql`select 1`))
    },
    close: async () => {
      await Promise.all([reading, writing, keys, figures, slow].map((each) => each.close()))
    },
  }
}

const begin: Statement = { name: 'begin', text: 'begin', values: [] }
const commit: Statement = { name: 'commit', text: 'commit', values: [] }

const withSentValues = (statement: Statement): Statement => ({
  ...statement,
  values: statement.values.map(utils.prepareValue),
})

/** True if the server does not respond: it has not even reported that its own time limit has passed. */
const isReadTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

type PipelineOptions = {
  open(limits: Limits, create: (address: pg.ClientConfig) => pg.Client): Promise<pg.Client>
  limits: Limits
  size: number
  onError(error: Error): void
  /** Called when a statement shows that its server is no longer the primary, with the time at which it was sent. */
  onSuspicion(sentAtMs: number): void
  send: Send
  /** The time after which a connection without statements is closed. */
  idleTimeoutMs?: number
}

type Slot = {
  client: pg.Client | null
  connecting: Promise<pg.Client> | null
  connectedAtMs: number
  inFlight: number
  idle: NodeJS.Timeout | undefined
}

/** A few connections that many requests share; each sends statements without waiting for earlier results. */
function pipelines({ open, limits, size, onError, onSuspicion, send, idleTimeoutMs }: PipelineOptions) {
  const slots: Slot[] = Array.from({ length: size }, () => ({
    ...{ client: null, connecting: null, connectedAtMs: 0, inFlight: 0, idle: undefined },
  }))
  let closed = false

  function connect(slot: Slot): Promise<pg.Client> {
    slot.connecting ??= (async () => {
      try {
        slot.client = await open(limits, (address) => newClient(slot, address))
        slot.connectedAtMs = performance.now()
        return slot.client
      } catch (error) {
        await sleep(reconnectDelayMs) // all waiting requests share this attempt, which protects a failing server
        throw error
      } finally {
        slot.connecting = null
      }
    })()
    return slot.connecting
  }

  function newClient(slot: Slot, address: pg.ClientConfig): pg.Client {
    const client = new pg.Client({ ...clientConfig, pipeline: true, ...address } as pg.ClientConfig)
    const drop = () => {
      if (slot.client === client) slot.client = null
    }
    client.on('error', (error) => {
      drop()
      if (!closed) onError(error)
    })
    return client.on('end', drop)
  }

  /** Ends the connection after the statements that it has received. */
  function release(slot: Slot): void {
    const { client } = slot
    slot.client = null
    void client?.end().catch(() => undefined)
  }

  const leastBusy = () => slots.reduce((best, slot) => (slot.inFlight < best.inFlight ? slot : best))

  /** Sends statements over the least busy connection. */
  async function over<Result>(
    statements: number,
    use: (client: pg.Client) => Promise<Result>,
  ): Promise<Result> {
    if (closed) throw new DatabaseUnavailable('The database connections are closed')
    const slot = leastBusy()
    slot.inFlight += statements
    clearTimeout(slot.idle)
    let sentAtMs = 0
    try {
      const client = slot.client ?? (await connect(slot))
      sentAtMs = performance.now()
      return await use(client)
    } catch (error) {
      const cause = error instanceof FailedStatement ? error.cause : error
      const isReadOnly = sqlState(cause) === sqlStates.readOnlyTransaction
      if (isReadOnly) onError(cause as Error)
      if (isReadOnly || isReadTimeout(cause)) onSuspicion(sentAtMs)
      throw error instanceof FailedStatement
        ? new FailedStatement(error.place, toDatabaseError(cause))
        : toDatabaseError(error)
    } finally {
      slot.inFlight -= statements
      if (idleTimeoutMs !== undefined && slot.inFlight === 0)
        slot.idle = setTimeout(() => release(slot), idleTimeoutMs).unref()
    }
  }

  return {
    rows: <Row>(statement: Statement): Promise<Row[]> =>
      over(1, (client) => send<Row>(client, statement, types)),
    transaction: (statements: Statement[]): Promise<void> => {
      // A value that cannot be sent fails here, before the transaction begins.
      const all = [begin, ...statements.map(withSentValues), commit]
      return over(all.length, async (client) => {
        const results = await Promise.allSettled(all.map((each) => send(client, each, types)))
        const place = results.findIndex(({ status }) => status === 'rejected')
        if (place < 0) return
        const { reason } = results[place] as PromiseRejectedResult
        throw place === 0 || place > statements.length ? reason : new FailedStatement(place - 1, reason)
      })
    },
    /** Releases the connections that are older than a moment. */
    reconnect(beforeMs: number): void {
      for (const slot of slots) if (slot.connectedAtMs < beforeMs) release(slot)
    },
    state(): PoolState {
      const open = slots.filter(({ client }) => client !== null)
      return {
        most: size,
        open: open.length,
        idle: open.filter(({ inFlight }) => inFlight === 0).length,
        waiting: slots.reduce((sum, { inFlight }) => sum + Math.max(0, inFlight - 1), 0),
      }
    },
    async close() {
      closed = true
      await Promise.all(
        slots.map(async (slot) => {
          await slot.connecting?.catch(() => null)
          await slot.client?.end()
        }),
      )
    },
  }
}

/** Lets at most `size` calls run at a time. Others wait in their order, up to a limit. */
function openTurns(size: number, timeoutMs: number) {
  let running = 0
  const waiting = new Set<() => void>()

  function turn(): Promise<void> {
    if (running < size) {
      running++
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        waiting.delete(start)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(start)
        reject(new DatabaseUnavailable('All connections for slow statements are busy'))
      }, timeoutMs)
      waiting.add(start)
    })
  }

  return {
    async take<Result>(work: () => Promise<Result>): Promise<Result> {
      await turn()
      try {
        return await work()
      } finally {
        const [next] = waiting
        if (next) next()
        else running--
      }
    },
    waiting: () => waiting.size,
  }
}
