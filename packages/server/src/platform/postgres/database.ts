import type pg from 'pg'
import { openSemaphore, type Semaphore, withSlot } from '../kernel/semaphore.ts'
import { DatabaseUnavailable, FailedStatement, MovedAway, sqlState, sqlStates } from './errors.ts'
import { latestHost } from './hosts.ts'
import { openTransaction, type PoolState, pipelines } from './pipelines.ts'
import { type Prepare, unprepared } from './prepared-statements.ts'
import type { ProcessState } from './process-state.ts'
import { type Connection, type Limits, openSession, usualLimits } from './session.ts'
import { compile, type Sql, type Statement, sql } from './sql.ts'

export type { Connection } from './session.ts'

/**
 * The database handle for queries. Each call is one transaction. Statements that read have slots by environment, so
 * that those of one environment delay no other's.
 */
export type Db = {
  /** For statements that read by an index and return little, over shared, pipelined connections. */
  rows<Row>(query: Sql): Promise<Row[]>
  maybe<Row>(query: Sql): Promise<Row | null>
  /**
   * For statements that may return megabytes, over separate connections: one at a time of an environment.
   * @param bytes about as many are read
   * @param beforeReading called when the statement has its slot; if it throws, nothing is read
   */
  largeRows<Row>(query: Sql, bytes: number, beforeReading?: () => void): Promise<Row[]>
  /**
   * For statements that may take long (search, counting), over separate connections.
   * @param plan `kept` if one plan suits all values; `fresh` plans for the values of each call
   */
  slowRows<Row>(query: Sql, plan?: 'fresh' | 'kept'): Promise<Row[]>
  /** As `slowRows`; null if the statement takes longer than that. */
  rowsWithin<Row>(query: Sql, ms: number): Promise<Row[] | null>
  /**
   * For statements that write, over separate connections, so that no read waits for the disk flush of a commit. Several
   * are sent as one transaction, without waiting for their results; resolves to the rows of the last one.
   * @throws FailedStatement with the one of several that failed. Nothing was written if its cause is an error of
   * PostgreSQL; after a lost connection that is unknown.
   */
  write<Row>(...queries: [Sql, ...Sql[]]): Promise<Row[]>
  /**
   * The number of lost connections and refused writes. After one, another server may answer, with other rows under the
   * same versions.
   */
  losses(): number
  /**
   * Opens a handle that sees the database as it is now, for reads that take long, over a connection of its own. Until
   * it is closed, PostgreSQL keeps the rows that it sees.
   */
  snapshot(): Promise<Snapshot>
  /**
   * Reads for a few seconds with a handle that sees the database as it is at its first statement, over a connection for
   * slow statements. The function may be called again.
   */
  atOneMoment<Result>(read: (db: Db) => Promise<Result>): Promise<Result>
  /** The handle for statements about one environment, on the server that stores it and in its slots. */
  home(tenantId: string): Db
  reads: RowReads
  /** The same for all handles of a database. */
  state: ProcessState
}

/** A handle that only reads, one statement after another. @see Db.snapshot */
export type Snapshot = { db: Db; close(): Promise<void> }

export type PoolName = 'read' | 'write' | 'keys' | 'slow' | 'figures'

export type Database = Db & {
  /** @param texts the form of its statements on the server that stores it */
  home(tenantId: string, texts?: Texts): Db
  /** Resolves if the database responds; throws DatabaseUnavailable otherwise. */
  ping(): Promise<void>
  close(): Promise<void>
  /** The same database over a dedicated connection, so that no request delays another's authentication. */
  forKeys: Pick<Db, 'maybe'>
  /** The same over one connection with a short time limit, so that metrics delay no request. It opens on first use. */
  forFigures: Pick<Db, 'rows'>
  pools(): Record<PoolName, PoolState>
}

/** The form in which the statements about an environment are sent. */
export type Texts = {
  read: Prepare
  /** Planned for the values of each call. */
  readFresh: Prepare
  write: Prepare
  /** The statements that are sent before those of a write, in their transaction. */
  beforeWrites(own: Statement[]): Statement[]
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
 * The way to read rows. The plain one queries each time; tables/batch-loader.ts, tables/row-cache.ts and
 * tables/shared-pages.ts are others.
 */
export type RowReads = ById & Pages & Shared
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

export type Shared = {
  /**
   * Reads a page whose rows nobody changes.
   * @param query its statement, with the environment: equal ones have equal pages
   */
  shared<Found>(query: Sql, read: () => Promise<Found>): Promise<Found>
}

export const plainById: ById = { find: (source, db, tenantId, id) => source.one(db, tenantId, id) }
export const plainPages: Pages = {
  page: (_source, _db, _tenantId, { rows }) => rows(),
  json: (wire, row, now) => wire.json(row, now),
}
export const plainShared: Shared = { shared: (_query, read) => read() }

/** Optional optimizations. Without them a database behaves the same, more slowly. */
export type DatabaseOptions = {
  reads?: RowReads
  prepare?: Prepare
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
const readersLimits: Limits = {
  ...usualLimits,
  lockMs: 500,
  avoids: ['seqscan', 'bitmapscan'],
  keepsPlans: true,
}
const writersLimits: Limits = { ...usualLimits, keepsPlans: true }
/** Statements of one environment that are sent at a time. Fewer would leave the shared connections idle in between. */
const sharedOfOne = 16
const slowOfOne = 4
/** A page of megabytes keeps this process busy, too. */
const largeAtOnce = { limit: 2, limitOfKey: 1 }
/** The time that a statement waits for its slot. */
const timeoutMs = { shared: 10_000, slow: 2_000, large: 15_000 }
/** A process that makes no progress for this time keeps no snapshot. */
const snapshotIdleMs = 120_000
/** Slow statements leave sessions with large caches. */
const idleTimeoutMs = 10_000

export function openDatabase(
  connection: Connection,
  report: (error: Error) => void,
  options: DatabaseOptions = {},
): Database {
  const { reads = { ...plainById, ...plainPages, ...plainShared }, prepare = unprepared(), onHost } = options
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
  /** Closes older connections, which lead to the same server; the next sessions look for the primary. */
  const onStaleServer = (sentAtMs: number) => {
    for (const each of [reading, writing, keys, figures, slow]) each.reconnect(sentAtMs)
  }
  const common = { open, onError, onStaleServer }
  const reading = pipelines({ ...common, limits: readersLimits, size: readers })
  const writing = pipelines({ ...common, limits: writersLimits, size: writers })
  const keys = pipelines({ ...common, limits: usualLimits, size: 1 })
  const figures = pipelines({ ...common, limits: figuresLimits, size: 1 })
  const slow = pipelines({
    ...common,
    limits: usualLimits,
    size: slowReaders,
    idleTimeoutMs,
  })
  const slots = {
    shared: openSemaphore({ limitOfKey: sharedOfOne }),
    slow: openSemaphore({ limit: slowReaders, limitOfKey: slowOfOne }),
    large: openSemaphore(largeAtOnce),
  }
  const inSlot = <Result>(kind: keyof typeof slots, tenantId: string, work: () => Promise<Result>) =>
    withSlot(
      slots[kind],
      tenantId,
      timeoutMs[kind],
      work,
      () => new DatabaseUnavailable(`All connections for ${kind} statements are busy`),
    )
  const whole: Texts = { read: prepare, readFresh: compile, write: prepare, beforeWrites: () => [] }

  /** @param tenantId the environment in whose slots it reads; empty for statements about none */
  function handleOf(tenantId: string, { read, readFresh, write, beforeWrites }: Texts): Db {
    const handle: Db = {
      rows: (query) => inSlot('shared', tenantId, () => reading.rows(read(query))),
      maybe: async <Row>(query: Sql) => (await handle.rows<Row>(query))[0] ?? null,
      largeRows: (query, _bytes, beforeReading) =>
        inSlot('large', tenantId, () => {
          beforeReading?.()
          return handle.slowRows(query)
        }),
      slowRows: (query, plan = 'fresh') =>
        inSlot('slow', tenantId, () => slow.rows((plan === 'kept' ? read : readFresh)(query))),
      rowsWithin: (query, ms) => inSlot('slow', tenantId, () => slow.rowsWithin(readFresh(query), ms)),
      write: <Row>(...queries: [Sql, ...Sql[]]) => {
        const own = queries.map(write)
        const before = beforeWrites(own)
        const written = writing.rows<Row>(...before, ...own)
        if (before.length === 0) return written
        return written.catch((error) => throwAmongOwn(error, before.length, own.length))
      },
      snapshot: async () => {
        const transaction = await openTransaction(open, usualLimits, snapshotIdleMs)
        return { db: readingOnly((query) => transaction.rows(readFresh(query))), close: transaction.end }
      },
      atOneMoment: (read) =>
        inSlot('slow', tenantId, () =>
          slow.inTransaction((rows) => read(readingOnly((query, ms) => rows(readFresh(query), ms)))),
        ),
      losses: () => losses,
      home: (tenantId) => handleOf(tenantId, whole),
      reads,
      state,
    }
    return handle
  }

  const state: ProcessState = new Map()
  return {
    ...handleOf('', whole),
    home: (tenantId: string, texts: Texts = whole) => handleOf(tenantId, texts),
    forKeys: { maybe: async <Row>(query: Sql) => (await keys.rows<Row>(prepare(query)))[0] ?? null },
    forFigures: { rows: (query) => figures.rows(prepare(query)) },
    pools: () => ({
      read: withWaiting(reading.state(), slots.shared),
      write: writing.state(),
      keys: keys.state(),
      figures: figures.state(),
      slow: { ...slow.state(), waiting: slots.slow.waiting + slots.large.waiting },
    }),
    ping: async () => {
      await reading.rows(compile(sql`select 1`))
    },
    close: async () => {
      await Promise.all([reading, writing, keys, figures, slow].map((each) => each.close()))
    },
  }
}

/**
 * A handle whose statements are all sent by one function, without caches.
 * @param send returns null for a statement that takes longer than its time, if it observes the time
 */
function readingOnly(send: <Row>(query: Sql, withinMs?: number) => Promise<Row[] | null>): Db {
  const rows = async <Row>(query: Sql) => (await send<Row>(query))!
  const handle: Db = {
    rows,
    maybe: async <Row>(query: Sql) => (await rows<Row>(query))[0] ?? null,
    largeRows: async (query, _bytes, beforeReading) => {
      beforeReading?.()
      return rows(query)
    },
    slowRows: (query) => rows(query),
    rowsWithin: send,
    write: () => Promise.reject(new Error('A snapshot only reads')),
    snapshot: () => Promise.reject(new Error('A snapshot has no snapshots')),
    atOneMoment: (read) => read(handle),
    losses: () => 0,
    home: () => handle,
    reads: { ...plainById, ...plainPages, ...plainShared },
    state: new Map(),
  }
  return handle
}

/** Throws the error of a write as if the statements before its own had not been sent. */
function throwAmongOwn(error: unknown, before: number, own: number): never {
  if (!(error instanceof FailedStatement)) throw error
  const { place, cause } = error
  if (place < before) {
    const state = sqlState(error)
    // All changes that share the write wait for the same move: none is tried alone.
    if (state === sqlStates.lockNotAvailable)
      throw new DatabaseUnavailable('The environment is being moved', { cause: new Error(String(cause)) })
    throw state === sqlStates.divisionByZero ? new MovedAway(cause) : cause
  }
  throw own === 1 ? cause : new FailedStatement(place - before, cause)
}

const withWaiting = (state: PoolState, { waiting }: Semaphore): PoolState => ({
  ...state,
  waiting: state.waiting + waiting,
})
