import { setTimeout as sleep } from 'node:timers/promises'
import type { Loop, Loops } from '../platform/jobs/loops.ts'
import { type Lag, lagOfAll } from '../platform/journal/lag.ts'
import type { Clock } from '../platform/kernel/clock.ts'
import { gauge, gauges, type Metrics } from '../platform/kernel/metrics.ts'
import { oldestWriteMs } from '../platform/postgres/activity.ts'
import type { Database } from '../platform/postgres/database.ts'
import { overdueJobs } from '../platform/unit-of-work/due.ts'
import { noticingLag } from '../support/desk/notifications/noticing/queries.ts'
import { noticing } from '../support/desk/notifications/queries.ts'
import { sealing } from '../support/integration/audit-log/sealing.ts'
import { webhookWork } from '../support/integration/webhook-endpoints/sending/fan-out.ts'
import { deliveryBacklog, fanOutLag } from '../support/integration/webhook-endpoints/sending/queries.ts'
import { inboundOverdueMs } from '../support/mail/inbound-emails/queries.ts'
import { outgoingOverdueMs } from '../support/mail/sending/queries.ts'

/** The work that waits in the database, for all processes together. */
type Backlog = {
  readAtMs: number
  deliveries: { pending: number; overdueMs: number }
  inboundOverdueMs: number
  outgoingOverdueMs: number
  overdueJobs: Map<string, number>
  lags: Map<string, Lag>
  oldestWriteMs: number
}

/** Readings are shared for this time, however often the metrics are scraped. */
const freshMs = 10_000
/** A scrape waits no longer than this and shows the previous reading otherwise. */
const patienceMs = 1_000
/** Deliveries are counted up to this number: index entries that PostgreSQL reads in some 30 ms. */
const mostDeliveries = 100_000

type BacklogDeps = { db: Database; clock: Clock; loops: Loops }

/** Registers the metrics of the work behind the API. Nothing is read until they are scraped. */
export function measureBacklog(metrics: Metrics, { db, clock, loops }: BacklogDeps): void {
  const latest = latestOf(() => readBacklog(db, clock()), loops.open('backlog'))
  /** `NaN` if there is no reading yet. */
  const figure = (name: string, help: string, of: (backlog: Backlog) => number) =>
    gauge(metrics, { name, help }, async () => {
      const backlog = await latest()
      return backlog ? of(backlog) : Number.NaN
    })
  const figures = (
    name: string,
    label: string,
    help: string,
    of: (backlog: Backlog) => Map<string, number>,
  ) =>
    gauges(metrics, { name, label, help }, async () => {
      const backlog = await latest()
      return backlog ? of(backlog) : new Map()
    })
  figure(
    'backline_backlog_read_timestamp_seconds',
    'Time at which the backlog was read from the database; it is read at most every ten seconds.',
    ({ readAtMs }) => readAtMs / 1000,
  )
  figure(
    'backline_webhook_deliveries_pending',
    'Webhook deliveries to enabled endpoints that wait for an attempt or a retry, counted up to 100,000.',
    ({ deliveries }) => deliveries.pending,
  )
  figure(
    'backline_webhook_delivery_overdue_seconds',
    'Time by which the oldest due webhook attempt to an endpoint that does not fail is late.',
    ({ deliveries }) => deliveries.overdueMs / 1000,
  )
  figure(
    'backline_inbound_emails_overdue_seconds',
    'Time for which the oldest mail that arrived has waited to be processed; 0 if none waits.',
    ({ inboundOverdueMs }) => inboundOverdueMs / 1000,
  )
  figure(
    'backline_outgoing_emails_overdue_seconds',
    'Time by which the oldest due mail of the mailboxes that may send is late; 0 if none is due.',
    ({ outgoingOverdueMs }) => outgoingOverdueMs / 1000,
  )
  figures(
    'backline_job_overdue_seconds',
    'kind',
    'Time by which the oldest due job of a kind is late. Kinds without due jobs are missing.',
    ({ overdueJobs }) => new Map([...overdueJobs].map(([job, ms]) => [job, ms / 1000])),
  )
  figures(
    'backline_journal_lag_seconds',
    'consumer',
    'Age of the oldest event that a consumer of the journal has not processed; 0 if it has processed all.',
    ({ lags }) => new Map([...lags].map(([consumer, { ms }]) => [consumer, ms / 1000])),
  )
  figures(
    'backline_journal_lag_events',
    'consumer',
    'Events that a consumer of the journal has not processed, counted up to 10,000.',
    ({ lags }) => new Map([...lags].map(([consumer, { events }]) => [consumer, events])),
  )
  figure(
    'backline_database_oldest_write_seconds',
    'Age of the oldest open transaction that writes to this database. A write waits for one that has changed the same rows.',
    ({ oldestWriteMs }) => oldestWriteMs / 1000,
  )
}

async function readBacklog({ forFigures: db }: Database, nowMs: number): Promise<Backlog> {
  return {
    readAtMs: nowMs,
    deliveries: await deliveryBacklog(db, nowMs, mostDeliveries),
    inboundOverdueMs: await inboundOverdueMs(db, nowMs),
    outgoingOverdueMs: await outgoingOverdueMs(db, nowMs),
    overdueJobs: await overdueJobs(db, nowMs),
    lags: new Map([
      [webhookWork, await fanOutLag(db, webhookWork, nowMs)],
      [sealing, await lagOfAll(db, sealing, nowMs)],
      [noticing, await noticingLag(db, nowMs)],
    ]),
    oldestWriteMs: await oldestWriteMs(db),
  }
}

/**
 * Returns a function that reads at most once in `freshMs`, and returns the latest reading: null without one. A reading
 * that fails or is slow leaves the previous one, whose time is among the metrics.
 */
function latestOf(read: () => Promise<Backlog>, loop: Loop): () => Promise<Backlog | null> {
  let latest: Backlog | null = null
  let reading: Promise<void> | null = null
  let nextAt = 0
  return async () => {
    if (!reading && performance.now() >= nextAt) {
      nextAt = performance.now() + freshMs
      reading = loop.round(read).then((backlog) => {
        latest = backlog ?? latest
        reading = null
      })
    }
    if (reading) await Promise.race([reading, sleep(patienceMs, undefined, { ref: false })])
    return latest
  }
}
