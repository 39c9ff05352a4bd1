import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '@backline/embedded-postgres'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { type Config, readConfig } from './compose/config.ts'
import { measureEmbedded, openServerDatabase } from './compose/database.ts'
import { watchForEnd } from './compose/ending.ts'
import { openLog } from './compose/log.ts'
import { optimized } from './compose/optimizations.ts'
import { claimPort } from './compose/port.ts'
import type { Announce } from './compose/serving.ts'
import { explainFailure } from './compose/startup-errors.ts'
import { adviceForStart, requireUsableDatabase, requireUsableWorkers } from './compose/usable-database.ts'
import { addMissingHeads, noteHeads } from './platform/journal/heads.ts'
import type { Metrics } from './platform/kernel/metrics.ts'
import type { Connection, Database } from './platform/postgres/database.ts'
import { migrate } from './platform/postgres/migrate.ts'
import { onWorkers } from './platform/postgres/workers.ts'

/** Serves until SIGTERM or SIGINT. A failed start prints one line and exits with 1. */
async function serve(): Promise<void> {
  try {
    await start(readConfig())
  } catch (error) {
    const { message, stack } = explainFailure(error)
    console.error(stack ?? message)
    process.exit(1)
  }
}

/** Most of the code of a server. */
const loadServing = () => import('./compose/serving.ts')

/** @param announce receives the URL, the first keys and the first link, if standard output is a terminal */
export async function start(given: Config, announce?: Announce): Promise<void> {
  const config = await claimPort(given)
  const log = openLog(config)
  const metrics = new Registry()
  log.info({ node: process.version, role: config.role }, 'starting')
  for (const remark of config.remarks) log.warn(remark)
  /** The stop functions of everything started so far, to be called in reverse order, also during the start. */
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (let each = stops.pop(); each; each = stops.pop()) await each()
  }
  const isEnding = watchForEnd({ log, metrics, stop })
  try {
    const connection = config.databaseUrl ?? (await ownDatabase(config, log, metrics, stops))
    await requireUsableDatabase(connection, adviceForStart)
    const optimizations = optimized
    const onLoss = (error: Error) => log.warn({ err: error }, 'database connection lost, or write refused')
    const onHost = (host: string) => log.info({ host }, 'database host')
    const database = openServerDatabase(connection, onLoss, optimizations, onHost)
    let db: Database = database
    stops.push(() => closeDatabase(db))
    const applied = await migrate(connection)
    if (applied.length > 0) log.info({ count: applied.length, last: applied.at(-1) }, 'migrations applied')
    await addMissingHeads(database)
    await noteHeads(database)
    const open = (worker: Connection) => openServerDatabase(worker, onLoss, optimizations)
    await requireUsableWorkers(database, connection, log)
    db = await onWorkers(database, connection, open, optimizations.statements)
    const { serveOn } = await loadServing()
    await serveOn({ db, connection, config, optimizations, log, metrics, announce, stops })
  } catch (error) {
    if (isEnding()) return // stopped during the start, which is not a failure
    await stop()
    throw error
  }
}

async function ownDatabase(
  config: Config,
  log: Logger,
  metrics: Metrics,
  stops: (() => Promise<unknown>)[],
): Promise<Connection> {
  const { dataDir } = config
  const embedded = await startEmbedded({
    dataDir,
    purpose: 'server',
    log: (level, message) => log[level](message),
    meanwhile: () =>
      void loadServing()
        .then(({ loadedResources }) => loadedResources())
        .catch(() => undefined), // fails later
  })
  stops.push(() => embedded.stop())
  measureEmbedded(metrics, embedded)
  return embedded.connection
}

/** A connection that hangs does not delay the end of the process. */
const closeDatabase = (db: Database) => Promise.race([db.close(), sleep(2_000, undefined, { ref: false })])

if (import.meta.main) await serve()
