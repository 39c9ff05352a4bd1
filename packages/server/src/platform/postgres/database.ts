import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import utils from 'pg/lib/utils.js'
import { toInstant } from '../kernel/clock.ts'
import { DatabaseUnavailable, toDatabaseError } from './errors.ts'
import {
  addressOf,
  type Connection,
  connectLimited,
  type Limits,
  limitSession,
  usualLimits,
} from './session.ts'
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
export type DatabaseOptions = { reads?: RowReads; send?: Send; prepare?: (query: Sql) => Statement }

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
const clientConfig = (connection: Connection): pg.ClientConfig => ({
  ...addressOf(connection),
  types,
  application_name: 'backline',
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  query_timeout: usualLimits.statementMs + 5_000, // the server's own timeout comes first, unless the network is down
})

export function openDatabase(
  connection: Connection,
  report: (error: Error) => void,
  options: DatabaseOptions = {},
): Database {
  const { reads = { ...plainById, ...plainPages }, send = sendPlain, prepare = compile } = options
  const config = clientConfig(connection)
  let losses = 0
  const onError = (error: Error) => {
    losses++
    report(error)
  }
  const reading = pipelines({ config, limits: readersLimits, size: readers, onError, send, prepare })
  const writing = pipelines({ config, limits: usualLimits, size: writers, onError, send, prepare })
  const keys = pipelines({ config, limits: usualLimits, size: 1, onError, send, prepare })
  const figures = pipelines({ config, limits: figuresLimits, size: 1, onError, send, prepare })
  const onConnect = (client: pg.ClientBase) => limitSession(client, usualLimits) // the pool waits for it
  const pool = new pg.Pool({ ...config, max: slowReaders, onConnect })
  pool.on('error', onError)

  return {
    rows: (query) => reading.rows(query),
    maybe: async <Row>(query: Sql) => (await reading.rows<Row>(query))[0] ?? null,
    write: (query) => writing.rows(query),
    transaction: (statements) => writing.transaction(statements),
    slowRows: async (query, plan = 'fresh') => {
      try {
        return (await pool.query(plan === 'kept' ? prepare(query) : compile(query))).rows
      } catch (error) {
        throw toDatabaseError(error)
      }
    },
    forKeys: { maybe: async <Row>(query: Sql) => (await keys.rows<Row>(query))[0] ?? null },
    forFigures: { rows: (query) => figures.rows(query) },
    losses: () => losses,
    reads,
    identity: {},
    pools: () => ({
      read: reading.state(),
      write: writing.state(),
      keys: keys.state(),
      figures: figures.state(),
      slow: {
        most: slowReaders,
        open: pool.totalCount,
        idle: pool.idleCount,
        waiting: pool.waitingCount,
      },
    }),
    ping: async () => {
      await reading.rows(sql`select 1`)
    },
    close: async () => {
      await Promise.all([reading.close(), writing.close(), keys.close(), figures.close(), pool.end()])
    },
  }
}

const begin: Statement = { name: 'begin', text: 'begin', values: [] }
const commit: Statement = { name: 'commit', text: 'commit', values: [] }

const withSentValues = (statement: Statement): Statement => ({
  ...statement,
  values: statement.values.map(utils.prepareValue),
})

type PipelineOptions = {
  config: pg.ClientConfig
  limits: Limits
  size: number
  onError(error: Error): void
  send: Send
  prepare(query: Sql): Statement
}

/** A few connections that many requests share; each sends statements without waiting for earlier results. */
function pipelines({ config, limits, size, onError, send, prepare }: PipelineOptions) {
  type Slot = { client: pg.Client | null; connecting: Promise<pg.Client> | null; inFlight: number }
  const slots: Slot[] = Array.from({ length: size }, () => ({ client: null, connecting: null, inFlight: 0 }))
  let closed = false

  function connect(slot: Slot): Promise<pg.Client> {
    slot.connecting ??= (async () => {
      const client = new pg.Client({ ...config, pipeline: true } as pg.ClientConfig)
      const drop = () => {
        if (slot.client === client) slot.client = null
      }
      client.on('error', (error) => {
        drop()
        if (!closed) onError(error)
      })
      client.on('end', drop)
      try {
        await connectLimited(client, limits)
        slot.client = client
        return client
      } catch (error) {
        await sleep(reconnectDelayMs) // all waiting requests share this attempt, which protects a failing server
        throw error
      } finally {
        slot.connecting = null
      }
    })()
    return slot.connecting
  }

  const leastBusy = () => slots.reduce((best, slot) => (slot.inFlight < best.inFlight ? slot : best))

  /** Sends statements over the least busy connection. */
  async function over<Result>(
    statements: number,
    send: (client: pg.Client) => Promise<Result>,
  ): Promise<Result> {
    if (closed) throw new DatabaseUnavailable('The database connections are closed')
    const slot = leastBusy()
    slot.inFlight += statements
    try {
      return await send(slot.client ?? (await connect(slot)))
    } catch (error) {
      throw toDatabaseError(error)
    } finally {
      slot.inFlight -= statements
    }
  }

  return {
    rows: <Row>(query: Sql): Promise<Row[]> => {
      const statement = prepare(query)
      return over(1, (client) => send<Row>(client, statement, types))
    },
    transaction: (queries: Sql[]): Promise<void> => {
      // A value that cannot be sent fails here, before the transaction begins.
      const statements = [begin, ...queries.map((query) => withSentValues(prepare(query))), commit]
      return over(statements.length, async (client) => {
        const results = await Promise.allSettled(statements.map((each) => send(client, each, types)))
        const place = results.findIndex(({ status }) => status === 'rejected')
        if (place < 0) return
        const error = toDatabaseError((results[place] as PromiseRejectedResult).reason)
        throw place === 0 || place > queries.length ? error : new FailedStatement(place - 1, error)
      })
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
