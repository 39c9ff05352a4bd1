import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { DirectoryInUse, findRunning, startEmbedded } from '@backline/embedded-postgres'
import type { Config } from '@backline/server/compose/config.ts'
import { invocation } from '@backline/server/compose/invocation.ts'
import { reasonOf } from '@backline/server/compose/reason.ts'
import { requireUsableDatabase } from '@backline/server/compose/usable-database.ts'
import { type Connection, type Database, openDatabase } from '@backline/server/platform/postgres/database.ts'
import {
  MigrationError,
  migrate,
  pendingMigrations,
  readMigrations,
} from '@backline/server/platform/postgres/migrate.ts'
import { onWorkers } from '@backline/server/platform/postgres/workers.ts'
import { CommandError } from './errors.ts'
import { fewOf } from './text.ts'

/** A server that is starting or stopping owns the data directory while no PostgreSQL accepts connections. */
const handoverPatienceMs = 10_000
const pollMs = 100
const closePatienceMs = 2_000

/** `isOurs`: this command has started the database, so it is the only user. */
type Opened = { connection: Connection; isOurs: boolean; close(): Promise<void> }

/**
 * Opens the database for a command, with its schema in place, and closes it afterwards: that of DATABASE_URL, that of
 * the server on the data directory, or the embedded one, started temporarily.
 *
 * A database that others may use is not migrated, because its servers could be older than this command. An empty one
 * is.
 */
export function withDatabase<Result>(
  config: Config,
  work: (db: Database, connection: Connection) => Promise<Result>,
): Promise<Result> {
  return withConnection(config, async (connection, isOurs) => {
    const missing = await missingMigrations(connection)
    if (isOurs || missing.length === readMigrations().length) await migrate(connection)
    else if (missing.length > 0) {
      throw new CommandError(
        'migrations_pending',
        `${missing.length} migrations are not applied to the database (${fewOf(missing)}): run ${invocation} migrate`,
      )
    }
    // The query that needed a lost connection reports it.
    const open = (server: Connection) => openDatabase(server, () => undefined)
    const db = await onWorkers(open(connection), connection, open)
    try {
      return await work(db, connection)
    } finally {
      await Promise.race([db.close().catch(() => undefined), sleep(closePatienceMs)])
    }
  })
}

/** Opens the database without checking the schema. */
export async function withConnection<Result>(
  config: Config,
  work: (connection: Connection, isOurs: boolean) => Promise<Result>,
): Promise<Result> {
  const { connection, isOurs, close } = config.databaseUrl
    ? { connection: config.databaseUrl, isOurs: false, close: async () => undefined }
    : await openEmbedded(config.dataDir)
  try {
    return await work(connection, isOurs)
  } finally {
    // The command has completed: its result, perhaps a key that is shown once, must not be lost because of this.
    await close().catch((error) => process.emitWarning(reasonOf(error)))
  }
}

/** The first query of a database: any error means that it cannot be used. */
export async function missingMigrations(connection: Connection): Promise<string[]> {
  await requireUsableDatabase(connection)
  try {
    return await pendingMigrations(connection)
  } catch (error) {
    if (error instanceof MigrationError) throw error
    throw new CommandError('unavailable', `cannot use the database: ${reasonOf(error)}`, error)
  }
}

async function openEmbedded(dataDir: string): Promise<Opened> {
  const startedAtMs = Date.now()
  for (;;) {
    const running = await findRunning(dataDir)
    if (running) return { connection: running, isOurs: false, close: async () => undefined }
    try {
      return await startForTheMoment(dataDir)
    } catch (error) {
      if (!(error instanceof DirectoryInUse) || Date.now() - startedAtMs > handoverPatienceMs) throw error
      await sleep(pollMs)
    }
  }
}

/** Ctrl-C would otherwise end this process and leave PostgreSQL running. */
async function startForTheMoment(dataDir: string): Promise<Opened> {
  let stop: () => Promise<void> = async () => undefined
  const onSignal = (signal: NodeJS.Signals) => {
    const end = () => process.exit(128 + constants.signals[signal])
    stop().then(end, end)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.once(signal, onSignal)
  const forget = () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
  try {
    const embedded = await startEmbedded({
      dataDir,
      purpose: 'command',
      log: (level, message) => {
        if (level !== 'info') process.emitWarning(message)
      },
    })
    stop = embedded.stop
    return { connection: embedded.connection, isOurs: true, close: () => embedded.stop().finally(forget) }
  } catch (error) {
    forget()
    throw error
  }
}
