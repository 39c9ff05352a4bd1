import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { StoreUnavailable } from '../platform/files/store.ts'
import { openLoops } from '../platform/jobs/loops.ts'
import { longestPauseMs } from '../platform/jobs/polling.ts'
import { openCommits } from '../platform/journal/commits.ts'
import { openEphemeral } from '../platform/journal/ephemeral.ts'
import { systemClock } from '../platform/kernel/clock.ts'
import type { Metrics } from '../platform/kernel/metrics.ts'
import { setPublicUrl } from '../platform/kernel/public-url.ts'
import { openThreads } from '../platform/kernel/threads.ts'
import type { Connection, Database } from '../platform/postgres/database.ts'
import { pendingMigrations } from '../platform/postgres/migrate.ts'
import { openNotifications } from '../platform/postgres/notifications.ts'
import type { Resource } from '../platform/resource/resource.ts'
import { linkMinutes } from '../support/access/console/links.ts'
import { consoleMissing, isConsoleInstalled } from '../support/documents/pages/console.ts'
import { listenForMail } from '../support/mail/listener/listener.ts'
import { nameOfListener } from '../support/mail/smtp/listen-setting.ts'
import type { MailListener } from '../support/mail/smtp/listening.ts'
import { buildApp } from './app.ts'
import { openBackground } from './background.ts'
import { cursorSecret, type FirstKeys } from './bootstrap.ts'
import { watchClock } from './clocks.ts'
import type { Config } from './config.ts'
import { measureDatabase, observeHeads } from './database.ts'
import { openFileStore } from './files.ts'
import { keysForTerminal, writeFirstKeys } from './first-keys.ts'
import { firstLink, writeFirstLink } from './first-link.ts'
import type { Optimizations } from './optimizations.ts'
import { refuse, refuseMail } from './port.ts'
import { loadResources } from './resources.ts'
import { openSecretBox } from './secret-key.ts'
import { ForeignStore, markedStore } from './store-marker.ts'
import { openTelemetry } from './telemetry.ts'
import { startWork, type Work } from './work.ts'
import { openWrites } from './writes.ts'

/** Backlog of connections. Node's default of 511 is too small when thousands of clients reconnect at once. */
const backlog = 4_096
/** The time that running requests have after a stop signal. */
const drainMs = 10_000
/** The time in which a mail that is arriving has to end then; what is left is for storing it. */
const mailStopMs = 5_000

export type Announce = (publicUrl: string, keys: FirstKeys | null, link: string | null) => void

/** Loaded once, by the first of `start` and `serveOn`. */
let loaded: Promise<Resource[]> | undefined
export const loadedResources = (): Promise<Resource[]> => {
  loaded ??= loadResources()
  return loaded
}

type Serving = {
  db: Database
  connection: Connection
  config: Config
  optimizations: Optimizations
  log: Logger
  metrics: Metrics
  announce?: Announce | undefined
  stops: (() => Promise<unknown>)[]
}

/** Serves on a database that has the schema of this version. */
export async function serveOn({
  db,
  connection,
  config,
  optimizations,
  log,
  metrics,
  announce = greet,
  stops,
}: Serving): Promise<void> {
  setPublicUrl(config.publicUrl)
  const notifications = openNotifications(connection, db)
  const telemetry = await openTelemetry(config.telemetry, metrics, log)
  stops.push(() => telemetry.close())
  measureDatabase(metrics, db)
  observeHeads(metrics, log, db)
  const loops = openLoops({ clock: systemClock, log, metrics })
  const watched = watchClock({ db, clock: systemClock, log, metrics, loops })
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
  const resources = await loadedResources()
  const commits = openCommits(notifications, metrics)
  const deps = {
    config,
    db,
    clock: systemClock,
    log,
    metrics,
    loops,
    tracer: telemetry.tracer,
    resources,
    writes: openWrites(db, resources, commits.report, optimizations, metrics),
    cursorSecret: await cursorSecret(db),
    secretBox: await openSecretBox(db, config),
    store,
    threads,
    pendingMigrations: () => pendingMigrations(connection),
    warnings: () => [...watched.warnings(), ...loops.warnings()],
    notifications,
    commits,
    ephemeral: openEphemeral(notifications),
    // Another process may have the lease on the mails of the environment.
    onMail: () => {
      work?.mailArrived()
      notifications.tell('mail')
    },
    onMailOut: () => {
      work?.mailQueued()
      notifications.tell('mail_out')
    },
    onJobScheduled: (unixMs: number) => {
      if (works) work?.wakeAt(unixMs)
      else if (unixMs < systemClock() + longestPauseMs) notifications.tell('due') // polling finds later work
    },
  }
  const background = openBackground(deps)
  const app = await buildApp({ ...deps, background })
  const servesApi = config.role !== 'worker'
  let mailListener: MailListener | null = null
  stops.push(async () => {
    const { runner } = background
    const ending = [finish(app), mailListener?.stop(), work?.stop(), runner.stop()]
    const drained = Promise.all(ending).then(() => runner.stop())
    await Promise.race([drained, delay(drainMs)])
    background.services.mail.close()
    await notifications.close()
  })
  const { host, port } = config
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
  const { listen, allowedNetworks } = config.mail
  if (listen && servesApi) {
    const settings = { listen, allowedNetworks, name: new URL(config.publicUrl).hostname, stopMs: mailStopMs }
    mailListener = await listenForMail({ ...deps, ...background.due }, settings).catch(refuseMail(listen))
    log.info({ mail: nameOfListener(listen) }, 'listening for mail')
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
  notifications.on('mail', () => work?.mailArrived())
  notifications.on('mail_out', () => work?.mailQueued())
}

/** Lets running requests complete. */
async function finish(app: FastifyInstance): Promise<void> {
  await Promise.race([app.close(), delay(drainMs)])
  app.server.closeAllConnections()
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

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
