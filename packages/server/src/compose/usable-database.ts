import type { Logger } from 'pino'
import { probeWorkers } from '../platform/postgres/cluster-probe.ts'
import { type Connection, type Database, openDatabase } from '../platform/postgres/database.ts'
import { sqlState } from '../platform/postgres/errors.ts'
import {
  adviceForRights,
  adviceForServer,
  type DatabaseFacts,
  findDatabaseFacts,
} from '../platform/postgres/server-facts.ts'
import { PoolerError, requireSessionMode } from '../platform/postgres/session.ts'
import { reasonOf } from './reason.ts'

/** The database of DATABASE_URL cannot be used. The message is one line with a solution. */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase'

  constructor(reason: string, advice: string, options?: ErrorOptions) {
    super(`cannot use the database of DATABASE_URL: ${reason}: ${advice}`, options)
  }
}

/** The advice for a database that a server cannot migrate and use; null for one that it can. */
export const adviceForStart = (facts: DatabaseFacts): string | null =>
  adviceForServer(facts) ?? adviceForRights(facts)

/**
 * Checks a database of DATABASE_URL before its first use: sessions, version, encoding. The embedded PostgreSQL needs no
 * check.
 * @throws UnusableDatabase, PoolerError
 */
export async function requireUsableDatabase(
  connection: Connection,
  adviceFor: (facts: DatabaseFacts) => string | null = adviceForServer,
): Promise<void> {
  if (typeof connection !== 'string') return
  const db = openDatabase(connection, () => undefined)
  try {
    await requireSessionMode(connection)
    const facts = await findDatabaseFacts(db)
    const advice = adviceFor(facts)
    const { version, database, user } = facts
    if (advice !== null)
      throw new UnusableDatabase(`PostgreSQL ${version}, database ${database} as ${user}`, advice)
  } catch (error) {
    if (error instanceof PoolerError || error instanceof UnusableDatabase) throw error
    throw new UnusableDatabase(reasonOf(error), adviceForConnection(error), { cause: error })
  } finally {
    void db.close().catch(() => undefined)
  }
}

/** The advice for a worker that does not behave as Backline needs. */
export const adviceForWorkers =
  'use a version of Citus that docs/scaling.md names, and give the user of DATABASE_URL its rights on every server'

/**
 * Tries the workers of a cluster. One that is away is only logged: others serve their environments without it.
 * @throws UnusableDatabase
 */
export async function requireUsableWorkers(
  db: Database,
  connection: Connection,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  for (const { worker, problem, isReachable } of await probeWorkers(db, connection)) {
    if (problem === null) continue
    if (isReachable) throw new UnusableDatabase(`worker ${worker}: ${problem}`, adviceForWorkers)
    log.warn({ worker, reason: problem }, 'a worker of the cluster does not respond')
  }
}

const adviceByCode: Record<string, string> = {
  ECONNREFUSED: 'check that PostgreSQL is running, and its host and port in DATABASE_URL',
  ENOTFOUND: 'correct the host in DATABASE_URL',
  '28P01': 'correct the user or the password in DATABASE_URL',
  '28000': 'create the user, or allow its connection in pg_hba.conf',
  '3D000': 'create it with createdb, or correct the database in DATABASE_URL',
  '42501': 'grant the user of DATABASE_URL the missing right',
}

/** The advice for an error of the connection to DATABASE_URL. */
export function adviceForConnection(error: unknown): string {
  const reason = reasonOf(error)
  if (/read-only standby/.test(reason)) return 'promote a standby, or start the primary'
  const code = sqlState(error) ?? /\b(ECONNREFUSED|ENOTFOUND)\b/.exec(reason)?.[0] ?? ''
  if (/does not support SSL/.test(reason))
    return 'set sslmode=disable in DATABASE_URL, or enable TLS in PostgreSQL'
  if (/certificate|altnames/i.test(reason))
    return 'set sslrootcert=FILE in DATABASE_URL to the certificate of its authority, or sslmode=no-verify to accept any'
  return (
    adviceByCode[code] ??
    'check that PostgreSQL is running, that DATABASE_URL is correct (host, port, user, password, database) and that no firewall blocks the connection'
  )
}
