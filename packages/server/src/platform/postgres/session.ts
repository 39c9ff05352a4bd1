import pg from 'pg'

/*
 * Every connection must be a PostgreSQL session: its settings, prepared statements, LISTEN and advisory locks must
 * last from one transaction to the next (docs/adr/0025-sessions-and-poolers.md).
 */

/** A connection URL, or the socket directory of the embedded server. */
export type Connection = string | { host: string; port: number; user: string; database: string }

/** `statement_timeout` and `lock_timeout` in milliseconds; 0 is no limit. */
export type Limits = { statementMs: number; lockMs: number }

export const usualLimits: Limits = { statementMs: 10_000, lockMs: 2_000 }

/** A pooler may accept a connection without having a session for it. */
const firstAnswerMs = 5_000

export const addressOf = (connection: Connection): pg.ClientConfig =>
  typeof connection === 'string' ? { connectionString: connection } : connection

/** Sets the limits of a session. PgBouncer rejects startup parameters, so this is a statement. */
export async function limitSession(client: pg.ClientBase, { statementMs, lockMs }: Limits): Promise<void> {
  await client.query({
    text: "select set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false)",
    values: [statementMs, lockMs].map(String),
    query_timeout: firstAnswerMs,
  } as pg.QueryConfig)
}

/** Connects. The limits are set when it resolves. */
export async function connectLimited(client: pg.Client, limits: Limits): Promise<void> {
  await client.connect()
  try {
    await limitSession(client, limits)
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
}

/** DATABASE_URL is a connection pooler that does not assign a session to each connection. */
export class PoolerError extends Error {
  override name = 'PoolerError'
  readonly problem = 'a connection pooler in transaction mode is not supported'
  readonly advice =
    'use session mode (pool_mode = session in PgBouncer), or set DATABASE_URL to PostgreSQL itself'
  override message = `${this.problem}: ${this.advice}`
}

/** In 900 trials a busy pool was detected at the fifth round at the latest. */
const rounds = 8

/**
 * Rejects poolers in transaction or statement mode. Two open sessions have two backends and keep them. Such a pooler
 * gives both connections the same free backend, or changing backends while others use the pool.
 * @throws PoolerError
 */
export async function requireSessionMode(connection: Connection): Promise<void> {
  if (typeof connection !== 'string') return // the embedded PostgreSQL, on its own socket
  // No limits are set: in transaction mode they would remain in a session that others use.
  const clients = [0, 1].map(() => {
    const client = new pg.Client({
      ...addressOf(connection),
      application_name: 'backline',
      connectionTimeoutMillis: firstAnswerMs,
      query_timeout: firstAnswerMs,
    })
    return client.on('error', () => undefined) // the query fails too
  })
  try {
    for (const client of clients) await client.connect()
    const backends = clients.map(() => new Set<number>())
    for (let round = 0; round < rounds; round++)
      for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) // a pooler with rotation would return the same backend to each
        backends[i]!.add((await clients[i]!.query('select pg_backend_pid() as pid')).rows[0].pid)
    const [one, other] = backends as [Set<number>, Set<number>]
    if (one.size > 1 || other.size > 1 || !one.isDisjointFrom(other)) throw new PoolerError()
  } finally {
    for (const client of clients) void client.end().catch(() => undefined)
  }
}
