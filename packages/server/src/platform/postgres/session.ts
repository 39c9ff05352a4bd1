import pg from 'pg'
import { DatabaseUnavailable, toDatabaseError } from './errors.ts'
import { type Connection, hostsOf, type SessionAttrs } from './hosts.ts'

export type { Connection } from './hosts.ts'

/*
 * Every connection must be a PostgreSQL session: its settings, prepared statements, LISTEN and advisory locks must
 * last from one transaction to the next (docs/adr/0025-sessions-and-poolers.md).
 */

/** Ways to read a table that a session avoids wherever there is another one. */
export type Scan = 'seqscan' | 'bitmapscan'

/**
 * `statement_timeout`, also for an open transaction whose client is silent, and `lock_timeout` in milliseconds; 0 is no
 * limit. A session that avoids both scans reads in the order of an index wherever one has it, also if PostgreSQL
 * expects so few rows that sorting them seems cheaper.
 */
export type Limits = { statementMs: number; lockMs: number; avoids?: Scan[]; keepsPlans?: boolean }

/** A scan of a whole table reads the rows of all environments, and a plan that was made while it was small stays. */
export const usualLimits: Limits = { statementMs: 10_000, lockMs: 2_000, avoids: ['seqscan'] }

/** An idle connection to a machine that is gone ends within 20 seconds. */
export const keepAlive: pg.ClientConfig = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** A pooler may accept a connection without having a session for it. */
const firstAnswerMs = 5_000

/**
 * Opens a session on the first host that accepts it, tried one after another.
 * @param create makes the client of an address, with the listeners that it needs from the start
 * @param limits null leaves the limits of the database
 * @throws the error of a host that refuses the user or the database, as libpq does; DatabaseUnavailable if no host of
 * several can be used
 */
export async function openSession(
  connection: Connection,
  limits: Limits | null,
  create: (address: pg.ClientConfig) => pg.Client,
): Promise<pg.Client> {
  const hosts = hostsOf(connection)
  const failures: Error[] = []
  for (const host of hosts.inOrder()) {
    try {
      const client = await connect(create(host.address), limits, hosts.attrs)
      hosts.prefer(host)
      return client
    } catch (error) {
      if (host.name === null || !(toDatabaseError(error) instanceof DatabaseUnavailable)) throw error
      hosts.defer(host)
      failures.push(new Error(`${host.name}: ${messageOf(error)}`, { cause: error }))
    }
  }
  throw new DatabaseUnavailable('No host accepts writes', { cause: new AggregateError(failures) })
}

/** Connects. The limits are set when it resolves. */
async function connect(client: pg.Client, limits: Limits | null, attrs: SessionAttrs): Promise<pg.Client> {
  await client.connect()
  try {
    if (limits) await limitSession(client, limits)
    if (attrs !== 'any') await requireWritable(client, attrs)
    return client
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
}

/** PostgreSQL decides for each prepared statement whether it keeps a plan. */
const freshPlans = `set_config('plan_cache_mode', 'auto', false)`
/** One plan serves all values. Citus refuses that for its own plans; sessions for shards have it from their start. */
const keptPlans = `set_config('plan_cache_mode',
  case when to_regclass('pg_dist_partition') is null then 'force_generic_plan' else current_setting('plan_cache_mode') end, false)`

/**
 * Sets the limits of a session, and the isolation that writes count on: one that has waited for a row reads it again.
 * PgBouncer rejects startup parameters, so this is a statement.
 */
async function limitSession(
  client: pg.Client,
  { statementMs, lockMs, avoids = [], keepsPlans = false }: Limits,
): Promise<void> {
  await client.query({
    // Before version 18, a plan without an index has a cost that starts JIT.
    text: `select set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
      set_config('idle_in_transaction_session_timeout', $1, false),
      set_config('default_transaction_isolation', 'read committed', false)${avoids
        .map((scan) => `, set_config('enable_${scan}', 'off', false)`)
        .join('')}, ${keepsPlans ? keptPlans : freshPlans}, set_config('jit', 'off', false)`,
    values: [statementMs, lockMs].map(String),
    query_timeout: firstAnswerMs,
  } as pg.QueryConfig)
}

/** A standby is read-only whatever its settings are; `read-write` also asks for the default of new transactions. */
async function requireWritable(client: pg.Client, attrs: SessionAttrs): Promise<void> {
  const { rows } = await client.query({
    text: `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only')::boolean as "isReadOnly"`,
    query_timeout: firstAnswerMs,
  } as pg.QueryConfig)
  const { isStandby, isReadOnly } = rows[0]
  if (isStandby) throw new DatabaseUnavailable('the server is a read-only standby')
  if (isReadOnly && attrs === 'read-write')
    throw new DatabaseUnavailable('transactions are read-only (default_transaction_read_only)')
}

/** An error of all addresses of a name has no message of its own. */
const messageOf = (error: unknown): string =>
  error instanceof AggregateError ? messageOf(error.errors[0]) : (error as Error).message

/** DATABASE_URL is a connection pooler that does not assign a session to each connection. */
export class PoolerError extends Error {
  override name = 'PoolerError'
  readonly problem = 'a connection pooler in transaction mode is not supported'
  readonly advice =
    'use session mode (pool_mode = session in PgBouncer), or set DATABASE_URL to PostgreSQL itself'
  override message = `${this.problem}: ${this.advice}`
}

/** With fewer rounds, a busy pool was missed once in some hundred trials. */
const rounds = 16

/**
 * Rejects poolers in transaction or statement mode. Two open sessions have two backends and keep them. Such a pooler
 * gives both connections the same free backend, or changing backends while others use the pool.
 * @throws PoolerError
 */
export async function requireSessionMode(connection: Connection): Promise<void> {
  if (typeof connection !== 'string') return // the embedded PostgreSQL, on its own socket
  // No limits are set: in transaction mode they would remain in a session that others use.
  const clients: pg.Client[] = []
  try {
    for (let i = 0; i < 2; i++)
      clients.push(
        await openSession(connection, null, (address) => {
          const client = new pg.Client({
            application_name: 'backline',
            connectionTimeoutMillis: firstAnswerMs,
            query_timeout: firstAnswerMs,
            ...address,
          })
          return client.on('error', () => undefined) // the query fails too
        }),
      )
    const backends = clients.map(() => new Set<number>())
    const ask = async (i: number) =>
      backends[i]!.add((await clients[i]!.query('select pg_backend_pid() as pid')).rows[0].pid)
    const [one, other] = backends as [Set<number>, Set<number>]
    for (let round = 0; round < rounds; round++) {
      // In changing orders: in a constant one, a pooler with rotation can return the same backends each time.
      if (round % 3 === 2) await Promise.all([ask(0), ask(1)])
      else for (const i of Math.random() < 0.5 ? [0, 1] : [1, 0]) await ask(i)
      if (one.size > 1 || other.size > 1 || !one.isDisjointFrom(other)) throw new PoolerError()
    }
  } finally {
    for (const client of clients) void client.end().catch(() => undefined)
  }
}
