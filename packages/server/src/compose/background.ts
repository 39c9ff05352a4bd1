import type { Logger } from 'pino'
import type { FileStore } from '../platform/files/store.ts'
import { type CatchUpDeps, catchUp } from '../platform/jobs/catch-up.ts'
import type { DueDeps } from '../platform/jobs/due-loop.ts'
import type { Loops } from '../platform/jobs/loops.ts'
import { type RegularWrites, writeRegularly } from '../platform/jobs/regular-writes.ts'
import { jobsOf } from '../platform/jobs/run.ts'
import type { Commits } from '../platform/journal/commits.ts'
import type { Ephemeral } from '../platform/journal/ephemeral.ts'
import type { Clock } from '../platform/kernel/clock.ts'
import type { Environment } from '../platform/kernel/environment.ts'
import { counter, gauge, type Metrics, total } from '../platform/kernel/metrics.ts'
import { addressList } from '../platform/kernel/networks.ts'
import type { SecretBox } from '../platform/kernel/secret-box.ts'
import type { Threads } from '../platform/kernel/threads.ts'
import type { Tracer } from '../platform/kernel/tracing.ts'
import type { Database } from '../platform/postgres/database.ts'
import type { Resource } from '../platform/resource/resource.ts'
import type { Services, Writes } from '../platform/unit-of-work/context.ts'
import { conversationEventFilters } from '../support/desk/conversations/finding/event-filters.ts'
import { Rounds } from '../support/desk/conversations/routing/rounds.ts'
import { noticesOf } from '../support/desk/notifications/noticing/await-notices.ts'
import { openPresence } from '../support/desk/presence/hub.ts'
import { openTyping } from '../support/desk/typing/hub.ts'
import { feedCursors } from '../support/integration/events/cursors.ts'
import { RequestBuffer, writeEveryMs } from '../support/integration/request-log/log.ts'
import { deliveriesOf } from '../support/integration/webhook-endpoints/sending/await-deliveries.ts'
import { type JobRunner, openJobRunner } from '../support/jobs/running/runner.ts'
import { SearchTally } from '../support/knowledge/kb/searches/tally.ts'
import { mailsOf } from '../support/mail/sending/outbound.ts'
import { openMailService } from '../support/mail/service.ts'
import type { Config } from './config.ts'
import { systemContext } from './contexts.ts'

export type BackgroundDeps = {
  config: Pick<Config, 'webhookAllowedNetworks' | 'smtpAllowedNetworks' | 'files' | 'mail' | 'requestLog'>
  db: Database
  clock: Clock
  log: Logger
  metrics: Metrics
  loops: Loops
  /** Null if no traces are exported. */
  tracer: Tracer | null
  resources: Resource[]
  writes: Writes
  commits: Commits
  ephemeral: Ephemeral
  /** Encrypts secrets in the database; the same for all processes of a database. */
  secretBox: SecretBox
  cursorSecret: Buffer
  /** Where the bytes of files are. */
  store: FileStore
  /** Worker threads for functions that may take long. */
  threads: Threads
  /** Called with the real time (Unix ms) of due work that long jobs have scheduled. */
  onJobScheduled?(unixMs: number): void
  /** Called when a mail has arrived. */
  onMail?(): void
  /** Called when a mail is to be sent. */
  onMailOut?(): void
  /** Time limit of a test clock advance, 22 seconds by default; a further request continues. */
  advanceWithinMs?: number
}

/** The interval at which counts of searches are written. */
const searchEveryMs = 5_000

/** The services of handlers and the runner of due jobs of a process, for requests, background work and test clocks. */
export type Background = {
  services: Services
  due: DueDeps
  /** Writes of what requests keep in memory. */
  regularWrites: RegularWrites[]
  runner: JobRunner
}

/** Opens the services of a process: once, also if it both serves the API and works. */
export function openBackground(deps: BackgroundDeps): Background {
  const {
    db,
    clock,
    log,
    metrics,
    loops,
    tracer,
    resources,
    writes,
    commits,
    ephemeral,
    secretBox,
    threads,
  } = deps
  const runs = counter(metrics, {
    name: 'backline_jobs_total',
    help: 'Due jobs that ran, by outcome. A failed job is tried again.',
    labels: ['kind', 'outcome'],
  })
  const searchTally = new SearchTally()
  const counting = loops.open('search_counts')
  const searchWrites = writeRegularly(
    (isStopping) => searchTally.write(db, isStopping).then(counting.succeeded),
    (error, willRetry) =>
      willRetry
        ? counting.failed(error)
        : log.warn({ err: error }, 'writing counts failed; the last ones are lost'),
    searchEveryMs,
  )
  const requestLog = new RequestBuffer(deps.config.requestLog)
  const logging = loops.open('request_log')
  const requestWrites = requestLog.isOn
    ? [
        writeRegularly(
          () => requestLog.write(db).then(logging.succeeded),
          (error) => logging.failed(error),
          writeEveryMs,
        ),
      ]
    : []
  const dropped = {
    name: 'backline_request_log_dropped_total',
    help: 'Requests that the request log lacks because too many waited to be written, or the database was unavailable.',
  }
  total(metrics, dropped, () => requestLog.dropped)
  const context = (env: Environment) => systemContext({ db, clock, writes, services }, env)
  const runner = openJobRunner({
    clock,
    log,
    loops,
    context,
    onScheduled: (unixMs) => deps.onJobScheduled?.(unixMs),
  })
  const working = { name: 'backline_long_jobs_running', help: 'Jobs of /v1/jobs that this process works on.' }
  gauge(metrics, working, () => runner.running)
  const smtpNetworks = addressList(deps.config.smtpAllowedNetworks)
  const services: Services = {
    commits,
    ephemeral,
    eventFilters: conversationEventFilters,
    secretBox,
    threads,
    files: {
      store: deps.store,
      maxBytes: deps.config.files.maxBytes,
      scans: deps.config.files.clamd !== null,
    },
    webhookNetworks: addressList(deps.config.webhookAllowedNetworks),
    smtpNetworks,
    rounds: new Rounds(writes.locks),
    typing: openTyping(ephemeral),
    presence: openPresence(ephemeral),
    tails: new Map(),
    hubs: new Map(),
    searchTally,
    requestLog,
    jobs: runner,
    mail: openMailService({
      wake: () => deps.onMail?.(),
      wakeSender: () => deps.onMailOut?.(),
      perAddressPerHour: deps.config.mail.perAddressPerHour,
      networks: smtpNetworks,
    }),
    feedCursor: feedCursors(deps.cursorSecret),
    catchUp: (...given) => catchUp(catchingUp, ...given),
  }
  const due: DueDeps = {
    db,
    clock,
    log,
    loops,
    jobs: jobsOf(resources),
    tracer,
    onRun: (job, outcome) => runs.inc({ kind: job, outcome }),
    context,
  }
  const catchingUp: CatchUpDeps = {
    ...due,
    outbound: [
      noticesOf(db, clock),
      deliveriesOf(db, clock, commits),
      mailsOf(db, clock, services.mail.wakeSender),
    ],
    idle: runner.idle,
    withinMs: deps.advanceWithinMs,
  }
  return { services, due, regularWrites: [searchWrites, ...requestWrites], runner }
}
