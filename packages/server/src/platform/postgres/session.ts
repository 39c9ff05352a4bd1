import pg from 'pg'

/*
 * A connection of ours is a session of PostgreSQL's: its settings, prepared statements, LISTEN and advisory locks have to
 * last from one transaction to the next (docs/adr/0025-sessions-and-poolers.md).
 */

/** Where to connect: a URL, or the embedded server's socket directory. */
export type Connection = string | { host: string; port: number; user: string; database: string }

/** How long PostgreSQL lets a statement run and wait for a lock, in milliseconds; 0 is no limit. */
export type Limits = { statementMs: number; lockMs: number }

export const usualLimits: Limits = { statementMs: 10_000, lockMs: 2_000 }

/** A pooler may accept a connection and have no session to give it. */
const firstAnswerMs = 5_000

export const addressOf = (connection: Connection): pg.ClientConfig =>
  typeof connection === 'string' ? { connectionString: connection } : connection

/** Sets the limits of a session. Not by startup parameters: PgBouncer refuses connections that have these. */
export async function limitSession(client: pg.ClientBase, { statementMs, lockMs }: Limits): Promise<void> {
  await client.query({
    text: "select set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false)",
    values: [statementMs, lockMs].map(String),
    query_timeout: firstAnswerMs,
  } as pg.QueryConfig)
}

/** Connects; when it resolves, the limits hold. */
export async function connectLimited(client: pg.Client, limits: Limits): Promise<void> {
  await client.connect()
  try {
    await limitSession(client, limits)
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
}

/** DATABASE_URL leads to a connection pooler that does not give each connection a session of its own. */
export class PoolerError extends Error {
  override name = 'PoolerError'
  readonly problem = 'a connection pooler in transaction mode is not supported'
  readonly advice =
    'use session mode (pool_mode = session in PgBouncer), or set DATABASE_URL to PostgreSQL itself'
  override message = `${this.problem}: ${this.advice}`
}

/** A busy pool showed at the fifth question at the latest, in 900 trials. */
const rounds = 8

/**
 * Refuses poolers in transaction or statement mode. Two sessions that are open at once have two backends, and each keeps
 * its own; such a pooler gives both connections the one that is free, or another one each time while others use the pool.
 * @throws PoolerError
 */
export async function requireSessionMode(connection: Connection): Promise<void> {
  if (typeof connection !== 'string') return // the embedded PostgreSQL, on its own socket
  // No limits are set here: in transaction mode they would stay with a session that others use.
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
      for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) // a pooler that takes turns would give each its own again
        backends[i]!.add((await clients[i]!.query('select pg_backend_pid() as pid')).rows[0].pid)
    const [one, other] = backends as [Set<number>, Set<number>]
    if (one.size > 1 || other.size > 1 || !one.isDisjointFrom(other)) throw new PoolerError()
  } finally {
    for (const client of clients) void client.end().catch(() => undefined)
  }
}
