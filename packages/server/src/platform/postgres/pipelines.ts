import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { toInstant } from '../kernel/clock.ts'
import { DatabaseUnavailable, FailedStatement, sqlState, sqlStates, toDatabaseError } from './errors.ts'
import { sendPipelined } from './pipelined-query.ts'
import { keepAlive, type Limits, usualLimits } from './session.ts'
import type { Statement } from './sql.ts'

const connectTimeoutMs = 2_000
/** The server's own limit comes first, unless the network is down. */
const responseTimeoutMs = usualLimits.statementMs + 5_000
const reconnectDelayMs = 100

/** The connections of one purpose at a moment. */
export type PoolState = {
  most: number
  open: number
  /** Open connections without a statement in progress. */
  idle: number
  /** Statements that wait for others, on a connection or for one. */
  waiting: number
}

const xid8 = 5069 // pg_type.dat
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number) // counters, and positions of journal heads
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
  query_timeout: responseTimeoutMs,
}

const limitStatements = (ms: number): Statement => ({
  text: `select set_config('statement_timeout', $1, false)`,
  values: [String(ms)],
})

/** Each of several statements has the time limit of one. */
const withTimeLimits = (statements: Statement[]): Statement[] =>
  statements.length === 1
    ? statements
    : statements.map((each) => ({ ...each, query_timeout: responseTimeoutMs }))

/** Another query was to prepare the statement and has failed, or has prepared it meanwhile. Nothing was carried out. */
const isUnprepared = (error: unknown) =>
  sqlState(error) === sqlStates.invalidStatementName || sqlState(error) === sqlStates.duplicateStatement

/** True if the server does not respond: it has not even reported that its own time limit has passed. */
const isReadTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

type Open = (limits: Limits, create: (address: pg.ClientConfig) => pg.Client) => Promise<pg.Client>

/**
 * Opens a connection whose statements are all in one transaction that only reads: they see the database as it was at
 * the first of them. It ends with the first failure, and after that time without a statement.
 */
export async function openTransaction(open: Open, limits: Limits, idleMs: number) {
  const client = await open(limits, (address) => {
    const created = new pg.Client({ ...clientConfig, pipeline: true, ...address } as pg.ClientConfig)
    return created.on('error', () => undefined) // the next statement fails, too
  })
  const send = <Row>(statement: Statement) =>
    sendPipelined<Row>(client, [statement], types).catch((error) => {
      throw toDatabaseError(error)
    })
  const end = async () => void (await client.end().catch(() => undefined))
  try {
    await client.query(`set idle_in_transaction_session_timeout = ${idleMs}`)
    await client.query('begin isolation level repeatable read, read only')
    return { rows: send, end }
  } catch (error) {
    await end()
    throw toDatabaseError(error)
  }
}

const plain = (text: string): Statement => ({ text, values: [] })
const beginReading = plain('begin isolation level repeatable read, read only')
const commit = plain('commit')

/** Reads in a transaction; null if the statement takes longer than the time, if one is given. */
type TransactionRows = <Row>(statement: Statement, withinMs?: number) => Promise<Row[] | null>

/** A statement that takes too long fails alone: the transaction goes on, with its limit as before. */
async function rowsInTime<Row>(
  sent: <Found>(...statements: Statement[]) => Promise<Found[]>,
  statement: Statement,
  withinMs: number,
): Promise<Row[] | null> {
  const limit = {
    text: `select set_config('statement_timeout', $1, true)`,
    values: [String(Math.ceil(withinMs))],
  }
  await sent(plain('savepoint in_time'))
  await sent(limit)
  const rows = await sent<Row>(statement).catch((error) => {
    if (sqlState(error) !== sqlStates.queryCanceled) throw error
    return null
  })
  await sent(plain('rollback to savepoint in_time'))
  return rows
}

type PipelineOptions = {
  open: Open
  limits: Limits
  size: number
  onError(error: Error): void
  /**
   * Called with the time at which a statement was sent whose server may no longer be the primary: it is read-only or
   * does not respond.
   */
  onStaleServer(sentAtMs: number): void
  send?: typeof sendPipelined
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
export function pipelines({
  open,
  limits,
  size,
  onError,
  onStaleServer,
  send = sendPipelined,
  idleTimeoutMs,
}: PipelineOptions) {
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
      // PostgreSQL prepares nothing after the statement of a transaction that fails; one sent meanwhile counts on it.
      return await use(client).catch((error) => {
        if (!isUnprepared(error)) throw error
        return use(client)
      })
    } catch (error) {
      const cause = error instanceof FailedStatement ? error.cause : error
      const isReadOnly = sqlState(error) === sqlStates.readOnlyTransaction
      if (isReadOnly) onError(cause as Error)
      if (isReadOnly || isReadTimeout(cause)) onStaleServer(sentAtMs)
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
    /**
     * Sends statements as one transaction; resolves to the rows of the last one.
     * @throws FailedStatement if one of several fails
     */
    rows: <Row>(...statements: Statement[]): Promise<Row[]> =>
      over(statements.length, (client) => send<Row>(client, withTimeLimits(statements), types)),
    /** As `rows`; null if the statement takes longer than that. */
    rowsWithin: <Row>(statement: Statement, ms: number): Promise<Row[] | null> =>
      over(3, async (client) => {
        const limitTo = (ms: number) => send(client, [limitStatements(ms)], types)
        const [, found, restored] = await Promise.allSettled([
          limitTo(Math.ceil(ms)),
          send<Row>(client, [statement], types),
          limitTo(limits.statementMs),
        ])
        // The short limit is also that of the statement that ends it, and would be that of all others.
        if (restored.status === 'rejected')
          for (const slot of slots) if (slot.client === client) release(slot)
        if (found.status === 'fulfilled') return found.value
        if (sqlState(found.reason) === sqlStates.queryCanceled) return null
        throw found.reason
      }),
    /**
     * Reads in one transaction: all statements see the database as it was at the first of them. The connection must be
     * the caller's alone: no more calls than connections at a time.
     */
    inTransaction: <Result>(read: (rows: TransactionRows) => Promise<Result>): Promise<Result> =>
      over(1, async (client) => {
        const sent = <Row>(...statements: Statement[]) => send<Row>(client, statements, types)
        try {
          await sent(beginReading)
          const result = await read(async <Row>(statement: Statement, withinMs?: number) =>
            withinMs === undefined ? sent<Row>(statement) : rowsInTime<Row>(sent, statement, withinMs),
          )
          await sent(commit)
          return result
        } catch (error) {
          for (const slot of slots) if (slot.client === client) release(slot) // PostgreSQL rolls back
          throw error
        }
      }),
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
