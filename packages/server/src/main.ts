import { startEmbedded } from '@backline/embedded-postgres'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { buildApp } from './compose/app.ts'
import { openBackground } from './compose/background.ts'
import { cursorSecret, type FirstKeys } from './compose/bootstrap.ts'
import { watchClock } from './compose/clocks.ts'
import { type Config, readConfig } from './compose/config.ts'
import { measureDatabase, measureEmbedded, observeHeads, openServerDatabase } from './compose/database.ts'
import { watchForEnd } from './compose/ending.ts'
import { openFileStore } from './compose/files.ts'
import { keysForTerminal, writeFirstKeys } from './compose/first-keys.ts'
import { firstLink, writeFirstLink } from './compose/first-link.ts'
import { openLog } from './compose/log.ts'
import { type Optimizations, optimized } from './compose/optimizations.ts'
import { claimPort, refuse } from './compose/port.ts'
import { loadResources } from './compose/resources.ts'
import { openSecretBox } from './compose/secret-key.ts'
import { explainFailure } from './compose/startup-errors.ts'
import { ForeignStore, markedStore } from './compose/store-marker.ts'
import { openTelemetry } from './compose/telemetry.ts'
import { adviceForStart, requireUsableDatabase } from './compose/usable-database.ts'
import { startWork, type Work } from './compose/work.ts'
import { openWrites } from './compose/writes.ts'
import { StoreUnavailable } from './platform/files/store.ts'
import { longestPauseMs } from './platform/jobs/polling.ts'
import { openCommits } from './platform/journal/commits.ts'
import { openEphemeral } from './platform/journal/ephemeral.ts'
import { addMissingHeads, noteHeads } from './platform/journal/heads.ts'
import { systemClock } from './platform/kernel/clock.ts'
import type { Metrics } from './platform/kernel/metrics.ts'
import { setPublicUrl } from './platform/kernel/public-url.ts'
import { openThreads } from './platform/kernel/threads.ts'
import type { Connection, Database } from './platform/postgres/database.ts'
import { migrate, pendingMigrations } from './platform/postgres/migrate.ts'
import { openNotifications } from './platform/postgres/notifications.ts'
import { onWorkers } from './platform/postgres/workers.ts'
import { linkMinutes } from './support/access/console/links.ts'
import { consoleMissing, isConsoleInstalled } from './support/documents/pages/console.ts'

/** Backlog of connections. Node's default of 511 is too small when thousands of clients reconnect at once. */
const backlog = 4_096
/** The time that running requests have after a stop signal. */
const drainMs = 10_000

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

/** @param announce receives the URL, the first keys and the first link, if standard output is a terminal */
export async function start(given: Config, announce = greet): Promise<void> {
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
    db = await onWorkers(database, connection, (worker) => openServerDatabase(worker, onLoss, optimizations))
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
  })
  stops.push(() => embedded.stop())
  measureEmbedded(metrics, embedded)
  return embedded.connection
}

type Serving = {
  db: Database
  connection: Connection
  config: Config
  optimizations: Optimizations
  log: Logger
  metrics: Metrics
  announce: typeof greet
  stops: (() => Promise<unknown>)[]
}

async function serveOn({
  db,
  connection,
  config,
  optimizations,
  log,
  metrics,
  announce,
  stops,
}: Serving): Promise<void> {
  setPublicUrl(config.publicUrl)
  const notifications = openNotifications(connection, db)
  const telemetry = await openTelemetry(config.telemetry, metrics, log)
  stops.push(() => telemetry.close())
  measureDatabase(metrics, db)
  observeHeads(metrics, log, db)
  const watched = watchClock({ db, clock: systemClock, log, metrics })
  stops.push(() => Promise.race([watched.stop(), delay(drainMs)]))
  const works = config.role !== 'api'
  let work: Work | null = null
  const store = markedStore(await openFileStore(config.files), config.files.store, db)
  stops.push(() => store.close())
  await store.verify().catch((error) => {
    if (error instanceof ForeignStore || !(error instanceof StoreUnavailable)) throw error
    log.warn({ err: error }, 'the file store is unavailable; it is verified before its first use')
  })
  const threads = openThreads()
  stops.push(() => threads.close())
  const resources = await loadResources()
  const commits = openCommits(notifications, metrics)
  const deps = {
    config,
    db,
    clock: systemClock,
    log,
    metrics,
    tracer: telemetry.tracer,
    resources,
    writes: openWrites(db, resources, commits.report, optimizations, metrics),
    cursorSecret: await cursorSecret(db),
    secretBox: await openSecretBox(db, config),
    store,
    threads,
    pendingMigrations: () => pendingMigrations(connection),
    warnings: () => watched.warnings(),
    notifications,
    commits,
    ephemeral: openEphemeral(notifications),
    onJobScheduled: (unixMs: number) => {
      if (works) work?.wakeAt(unixMs)
      else if (unixMs < systemClock() + longestPauseMs) notifications.tell('due') // polling finds later work
    },
  }
  const background = openBackground(deps)
  const app = await buildApp({ ...deps, background })
  stops.push(async () => {
    await Promise.race([Promise.all([finish(app), work?.stop()]), delay(drainMs)])
    await notifications.close()
  })
  const { host, port } = config
  const servesApi = config.role !== 'worker'
  const { isTTY } = process.stdout
  const hasConsole = servesApi && (await isConsoleInstalled())
  if (servesApi && !hasConsole) log.warn(consoleMissing)
  if (servesApi && !isTTY) {
    // The files are there as soon as the server is ready.
    const writing = writeFirstKeys(db, config, log).then(() =>
      hasConsole ? writeFirstLink(db, config, log) : undefined,
    )
    stops.push(() => writing.catch(() => undefined)) // a stop does not lose keys that exist
    await writing
  }
  await app.listen({ host, port, backlog }).catch(refuse(config))
  log.info({ host, port }, 'listening')
  // After the start succeeded: keys that nobody sees would be lost.
  if (isTTY) {
    const keys = servesApi ? await keysForTerminal(db) : null
    announce(config.publicUrl, keys, hasConsole ? await firstLink(db, config.publicUrl) : null)
  }
  work = works ? startWork({ ...deps, background }) : null
  notifications.on('due', () => work?.wakeAt(systemClock()))
}

/** Lets running requests complete. */
async function finish(app: FastifyInstance): Promise<void> {
  await Promise.race([app.close(), delay(drainMs)])
  app.server.closeAllConnections()
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

/** A connection that hangs does not delay the end of the process. */
const closeDatabase = (db: Database) => Promise.race([db.close(), delay(2_000)])

/** Prints the addresses, the first keys once, and the link of the first administrator; their secrets are not stored. */
function greet(publicUrl: string, keys: FirstKeys | null, link: string | null): void {
  console.log(`
Backline is ready at ${publicUrl}   (API reference: ${publicUrl}/docs)
`)
  if (link)
    console.log(
      `console: ${link} (one-time link for the first administrator, valid for ${linkMinutes} minutes)\n`,
    )
  if (!keys) return
  console.log(`Save these API keys; they are shown only once:
  live  ${keys.live}
  test  ${keys.test}

Create a conversation:

curl -sS ${publicUrl}/v1/conversations \\
  -H 'Authorization: Bearer ${keys.test}' \\
  -H 'Idempotency-Key: first-conversation' \\
  -H 'Content-Type: application/json' \\
  -d '{"external_user_id": "user_42", "subject": "Card declined"}'
`)
}

if (import.meta.main) await serve()
