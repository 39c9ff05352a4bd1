import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import utils from 'pg/lib/utils.js'
import { toInstant } from '../kernel/clock.ts'
import { DatabaseUnavailable, FailedStatement, sqlState, sqlStates, toDatabaseError } from './errors.ts'
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

/** Sends a statement over a pipelined connection. */
export type Send = <Row>(
  client: pg.Client,
  statement: Statement,
  types: pg.CustomTypesConfig,
) => Promise<Row[]>

export const sendPlain: Send = async (client, statement, types) =>
  (await client.query({ ...statement, types })).rows

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

const begin: Statement = { name: 'begin', text: 'begin', values: [] }
const commit: Statement = { name: 'commit', text: 'commit', values: [] }

const limitStatements = (ms: number): Statement => ({
  text: `select set_config('statement_timeout', $1, false)`,
  values: [String(ms)],
})

const withSentValues = (statement: Statement): Statement => ({
  ...statement,
  values: statement.values.map(utils.prepareValue),
})

const isUnprepared = (error: unknown) => sqlState(error) === sqlStates.invalidStatementName

/** True if the server does not respond: it has not even reported that its own time limit has passed. */
const isReadTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

type PipelineOptions = {
  open(limits: Limits, create: (address: pg.ClientConfig) => pg.Client): Promise<pg.Client>
  limits: Limits
  size: number
  onError(error: Error): void
  /**
   * Called with the time at which a statement was sent whose server may no longer be the primary: it is read-only or
   * does not respond.
   */
  onStaleServer(sentAtMs: number): void
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
export function pipelines({
  open,
  limits,
  size,
  onError,
  onStaleServer,
  send,
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
      // PostgreSQL prepares nothing in a transaction that has failed, but the driver then takes it for prepared.
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
    rows: <Row>(statement: Statement): Promise<Row[]> =>
      over(1, (client) => send<Row>(client, statement, types)),
    /** As `rows`; null if the statement takes longer than that. */
    rowsWithin: <Row>(statement: Statement, ms: number): Promise<Row[] | null> =>
      over(3, async (client) => {
        const limitTo = (ms: number) => send(client, limitStatements(ms), types)
        const [, found, restored] = await Promise.allSettled([
          limitTo(Math.ceil(ms)),
          send<Row>(client, statement, types),
          limitTo(limits.statementMs),
        ])
        // The short limit is also that of the statement that ends it, and would be that of all others.
        if (restored.status === 'rejected')
          for (const slot of slots) if (slot.client === client) release(slot)
        if (found.status === 'fulfilled') return found.value
        if (sqlState(found.reason) === sqlStates.queryCanceled) return null
        throw found.reason
      }),
    transaction: (statements: Statement[]): Promise<void> => {
      // A value that cannot be sent fails here, before the transaction begins.
      const all = [begin, ...statements.map(withSentValues), commit].map((statement, i) => ({
        ...statement,
        query_timeout: (i + 1) * responseTimeoutMs, // each waits for those before it
      }))
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
