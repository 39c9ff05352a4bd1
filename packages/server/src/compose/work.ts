import { openClamd } from '../platform/files/clamd.ts'
import { startConsumer } from '../platform/jobs/consumer.ts'
import { startDueLoop } from '../platform/jobs/due-loop.ts'
import { startHousekeeping } from '../platform/jobs/housekeeping.ts'
import { openLeases } from '../platform/jobs/leases.ts'
import { type Instant, toInstant } from '../platform/kernel/clock.ts'
import type { Environment } from '../platform/kernel/environment.ts'
import { gauge, type Metrics } from '../platform/kernel/metrics.ts'
import { addressList } from '../platform/kernel/networks.ts'
import { openThreads } from '../platform/kernel/threads.ts'
import { environmentsWithExpiredKeys, sweepKeys } from '../platform/unit-of-work/idempotency-keys.ts'
import { allEnvironments } from '../support/admin/workspace/queries.ts'
import { linkSome } from '../support/desk/conversations/linking/link.ts'
import { environmentsWithUnlinked } from '../support/desk/conversations/linking/queries.ts'
import { noticingEvents } from '../support/desk/notifications/noticing/consumer.ts'
import {
  environmentsWithExpiredNotifications,
  keptDays as notificationDays,
  sweepNotifications,
} from '../support/desk/notifications/queries.ts'
import { environmentsWithOldReadStates, sweepReadStates } from '../support/desk/read-states/queries.ts'
import { startFileTasks } from '../support/files/worker.ts'
import { auditSealing, sealing } from '../support/integration/audit-log/sealing.ts'
import { environmentsWithOldRequests, sweepRequests } from '../support/integration/request-log/queries.ts'
import {
  environmentsWithExpiredDeliveries,
  sweepDeliveries,
} from '../support/integration/webhook-endpoints/deliveries/queries.ts'
import { observeAttempts } from '../support/integration/webhook-endpoints/sending/observing.ts'
import {
  type Attempts,
  openPlaces,
  placeLimits,
} from '../support/integration/webhook-endpoints/sending/places.ts'
import { startWebhooks } from '../support/integration/webhook-endpoints/sending/webhooks.ts'
import { openTransport, type Transport } from '../support/integration/webhook-endpoints/transport.ts'
import {
  environmentsWithExpiredSearches,
  retentionDays,
  sweepSearches,
} from '../support/knowledge/kb/searches/queries.ts'
import {
  automaticHours,
  environmentsWithOldAutomatic,
  sweepAutomatic,
} from '../support/mail/deliveries/queries.ts'
import { expireRaw, keptDays } from '../support/mail/inbound-emails/erasing.ts'
import { environmentsWithExpired } from '../support/mail/inbound-emails/queries.ts'
import { inboundWork, startEmailWorker } from '../support/mail/processing/worker.ts'
import { type EmailSender, outgoingWork, startEmailSender } from '../support/mail/sending/sender.ts'
import type { Background, BackgroundDeps } from './background.ts'
import { measureBacklog } from './backlog.ts'
import type { Config } from './config.ts'

export type Work = {
  /** Work is scheduled for this time (real time, Unix ms). */
  wakeAt(unixMs: number): void
  /** A mail has arrived. */
  mailArrived(): void
  /** A mail is to be sent. */
  mailQueued(): void
  /** Completes running work and returns its leases. */
  stop(): Promise<void>
}

type WorkDeps = BackgroundDeps & {
  background: Background
  config: Pick<
    Config,
    | 'idempotencyRetentionHours'
    | 'webhookAllowedNetworks'
    | 'webhookRetrySeconds'
    | 'files'
    | 'mail'
    | 'requestLog'
  >
}

/**
 * Starts all background work of a process. Any number of processes may run it.
 * @param housekeepingMs interval of retention sweeps, one minute by default
 */
export function startWork(deps: WorkDeps, housekeepingMs?: number): Work {
  const { config, db, clock, metrics, tracer, secretBox } = deps
  const { due } = deps.background
  const loop = startDueLoop(due)
  const transport = openTransport({
    allowed: addressList(config.webhookAllowedNetworks),
    // The sender limits each endpoint; customers of one provider share an origin.
    limits: { connectionsPerOrigin: placeLimits.all },
  })
  const places = openPlaces()
  measureAttempts(metrics, places, transport)
  measureBacklog(metrics, deps)
  /** In the time of the environment. */
  const ago = ({ clockOffsetMs }: Environment, hours: number): Instant =>
    toInstant(clock() + clockOffsetMs - hours * 3_600_000)
  const following = { ...due, commits: deps.commits }
  const emailThreads = openThreads(limitsOfEmails)
  const emails = startEmailWorker({
    ...due,
    threads: emailThreads,
    leases: openLeases(db, clock, inboundWork),
  })
  const sender = startEmailSender({
    ...due,
    relays: deps.background.services.mail.relays,
    leases: openLeases(db, clock, outgoingWork),
    retrySeconds: config.mail.retrySeconds,
  })
  measureSending(metrics, sender)
  const parts = [
    loop,
    emails,
    sender,
    startConsumer(following, auditSealing),
    startConsumer(following, noticingEvents),
    startFileTasks({
      ...due,
      store: deps.store,
      scanner: config.files.clamd && openClamd(config.files.clamd),
    }),
    startWebhooks({
      ...following,
      secretBox,
      observe: observeAttempts(metrics, tracer),
      places,
      transport,
      retrySeconds: config.webhookRetrySeconds,
    }),
    startHousekeeping({
      ...due,
      environments: () => allEnvironments(db),
      neededConsumer: sealing,
      sweeps: [
        {
          name: 'expired_idempotency_keys',
          environments: () => environmentsWithExpiredKeys(db, clock(), config.idempotencyRetentionHours),
          some: (env, limit) =>
            sweepKeys(db.home(env.tenantId), env.tenantId, ago(env, config.idempotencyRetentionHours), limit),
        },
        {
          name: 'expired_webhook_deliveries',
          environments: () => environmentsWithExpiredDeliveries(db, clock()),
          some: (env, limit) =>
            sweepDeliveries(
              db.home(env.tenantId),
              env.tenantId,
              ago(env, 24 * env.eventRetentionDays),
              limit,
            ),
        },
        {
          name: 'expired_requests',
          environments: () => environmentsWithOldRequests(db, clock(), config.requestLog.days),
          some: (env, limit) =>
            sweepRequests(db.home(env.tenantId), env.tenantId, ago(env, 24 * config.requestLog.days), limit),
        },
        {
          name: 'expired_searches',
          environments: () => environmentsWithExpiredSearches(db, clock()),
          some: (env, limit) =>
            sweepSearches(db.home(env.tenantId), env.tenantId, ago(env, 24 * retentionDays), limit),
        },
        {
          name: 'expired_raw_emails',
          environments: () => environmentsWithExpired(db, clock(), keptDays),
          some: (env, limit) => expireRaw(due.context(env), limit),
        },
        {
          name: 'automatic_emails',
          environments: () => environmentsWithOldAutomatic(db, clock()),
          some: (env, limit) =>
            sweepAutomatic(db.home(env.tenantId), env.tenantId, ago(env, automaticHours), limit),
        },
        {
          name: 'expired_notifications',
          environments: () => environmentsWithExpiredNotifications(db, clock()),
          some: (env, limit) =>
            sweepNotifications(db.home(env.tenantId), env.tenantId, ago(env, 24 * notificationDays), limit),
        },
        {
          name: 'old_read_states',
          environments: () => environmentsWithOldReadStates(db, clock()),
          some: (env, limit) => sweepReadStates(db.home(env.tenantId), env.tenantId, ago(env, 0), limit),
        },
        {
          name: 'unlinked_conversations',
          environments: () => environmentsWithUnlinked(db),
          some: (env, limit) => linkSome(db.home(env.tenantId), env.tenantId, limit),
        },
      ],
      ...(housekeepingMs ? { intervalMs: housekeepingMs } : {}),
    }),
  ]
  return {
    wakeAt: loop.wakeAt,
    mailArrived: emails.wake,
    mailQueued: sender.wake,
    async stop() {
      await Promise.all(parts.map((part) => part.stop()))
      await emailThreads.close()
    },
  }
}

/**
 * Reading a mail may take longer than what requests ask of threads, and must not delay that. The patience is for all
 * mails of an environment that are processed at once, if each takes as long as it may.
 */
const limitsOfEmails = { cpuMs: 5_000, heapMb: 256, patienceMs: 150_000, waiting: 1_000, waitingOfKey: 100 }

function measureAttempts(metrics: Metrics, places: Attempts, transport: Transport): void {
  const working = {
    name: 'backline_webhook_attempts_working',
    help: 'Webhook attempts that began less than 0.1 s ago.',
  }
  gauge(metrics, working, () => places.working)
  const waiting = {
    name: 'backline_webhook_attempts_waiting',
    help: 'Webhook attempts that have waited longer than that for their receiver.',
  }
  gauge(metrics, waiting, () => places.waiting)
  const lookups = {
    name: 'backline_webhook_lookups_pending',
    help: 'Names of receivers that are being looked up, or wait for the resolver of the system.',
  }
  gauge(metrics, lookups, () => transport.lookups)
}

function measureSending(metrics: Metrics, sender: EmailSender): void {
  const running = {
    name: 'backline_outgoing_emails_in_progress',
    help: 'Mails that the process is handing over to relays.',
  }
  gauge(metrics, running, () => sender.running)
}
