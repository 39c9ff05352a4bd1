import { histogram, type Metrics } from '../kernel/metrics.ts'
import { pause } from '../kernel/pause.ts'
import type { Database } from '../postgres/database.ts'
import type { Notifications } from '../postgres/notifications.ts'
import { type Horizon, horizonOf } from './horizon.ts'

/** The state that readers of the journal share within a process: the horizon, and notifications of commits. */
export type JournalReader = {
  /** The horizon, as of a time after the call. */
  settled(): Promise<Horizon>
  /** The horizon once it has passed everything committed before the call, or after `patienceMs`. */
  caughtUp(patienceMs: number): Promise<Horizon>
  /**
   * The horizons of an environment for a consumer: the current one, another after each commit, and one from time to
   * time in case a notification was lost. Ends with the signal.
   */
  horizons(tenantId: string, signal: AbortSignal): AsyncGenerator<Horizon>
  /** Reports a commit of this process in an environment. */
  ring(tenantId: string): void
  /** Subscribes to commits of all processes. The environment is null if it is unknown. */
  onNews(listener: (tenantId: string | null) => void): () => void
  /** Records the age of an event when it reaches the streams of this process, in milliseconds. */
  observeDelay(ms: number): void
}

/** The polling interval in case a notification is lost. */
const lookAgainMs = 5_000
/** The polling interval while earlier transactions delay the horizon; ours take a few milliseconds. */
const unsettledMs = { first: 2, longest: 50 }

export function openJournalReader(
  db: Database,
  notifications?: Notifications,
  metrics?: Metrics,
): JournalReader {
  const delays =
    metrics &&
    histogram(metrics, {
      name: 'backline_stream_delay_seconds',
      help: 'Age of live events when they reach the open streams of this process; the oldest of each reading.',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    })
  const listeners = new Set<(tenantId: string | null) => void>()
  const spread = (tenantId: string | null) => {
    for (const listener of listeners) listener(tenantId)
  }
  notifications?.on('news', spread)
  const onNews: JournalReader['onNews'] = (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const settled = together(horizonOf(db))

  /** Polls until the horizon has passed everything that the first snapshot contained. */
  async function* settling(first: Horizon, signal: AbortSignal): AsyncGenerator<Horizon> {
    let pauseMs = unsettledMs.first
    for (let { xid } = first; xid < first.next && !signal.aborted; ) {
      await pause(pauseMs, signal)
      pauseMs = Math.min(2 * pauseMs, unsettledMs.longest)
      const later = await settled()
      if (later.xid > xid) yield later
      xid = later.xid
    }
  }

  async function* horizons(tenantId: string, signal: AbortSignal): AsyncGenerator<Horizon> {
    while (!signal.aborted) {
      const rung = new AbortController()
      const forget = onNews((told) => {
        if (told === null || told === tenantId) rung.abort()
      })
      try {
        const first = await settled()
        yield first
        yield* settling(first, signal)
        if (!rung.signal.aborted) await pause(lookAgainMs, AbortSignal.any([rung.signal, signal]))
      } finally {
        forget()
      }
    }
  }

  return {
    settled,
    async caughtUp(patienceMs) {
      let last = await settled()
      for await (const later of settling(last, AbortSignal.timeout(Math.max(0, Math.ceil(patienceMs)))))
        last = later
      return last
    },
    horizons,
    ring: (tenantId) => {
      spread(tenantId)
      notifications?.tell('news', tenantId)
    },
    onNews,
    observeDelay: (ms) => delays?.observe(Math.max(0, ms) / 1000),
  }
}

/** Calls during a running call share the next one, whose result is newer than each of them. */
function together<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | null = null
  return () => {
    next ??= running.then(() => {
      const result = work()
      next = null
      running = result.catch(() => undefined)
      return result
    })
    return next
  }
}
