import { histogram, type Metrics } from '../kernel/metrics.ts'
import { pause } from '../kernel/pause.ts'
import type { Notifications, Topic } from '../postgres/notifications.ts'

/** The notifications of commits that appended events. Readers of the journal share them within a process. */
export type Commits = {
  /**
   * Yields at once, after each commit in an environment, and from time to time in case a notification was lost. Ends
   * with the signal.
   */
  of(tenantId: string, signal: AbortSignal): AsyncGenerator<void>
  /** Reports a commit of this process in an environment. */
  report(tenantId: string): void
  /**
   * Reports that an environment's events have other receivers than before, or that these have something to do without
   * an event.
   */
  reportFollowers(tenantId: string): void
  /** Subscribes to these reports of all processes. The environment is null if it is unknown. */
  onFollowers(listener: (tenantId: string | null) => void): () => void
  /** Subscribes to commits of all processes. The environment is null if it is unknown. */
  on(listener: (tenantId: string | null) => void): () => void
  /** Records the age of an event when it reaches the streams of this process, in milliseconds. */
  observeDelay(ms: number): void
}

/** The polling interval in case a notification is lost. */
const pollMs = 5_000

/** @param notifications tells of the commits of other processes */
export function openCommits(notifications?: Notifications, metrics?: Metrics): Commits {
  const delays =
    metrics &&
    histogram(metrics, {
      name: 'backline_stream_delay_seconds',
      help: 'Age of live events when they reach the open streams of this process; the oldest of each reading.',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    })
  const news = reports(notifications, 'news')
  const followers = reports(notifications, 'followers')

  async function* of(tenantId: string, signal: AbortSignal): AsyncGenerator<void> {
    while (!signal.aborted) {
      const committed = new AbortController()
      const unsubscribe = news.on((reported) => {
        if (reported === null || reported === tenantId) committed.abort()
      })
      try {
        yield
        if (!committed.signal.aborted) await pause(pollMs, AbortSignal.any([committed.signal, signal]))
      } finally {
        unsubscribe()
      }
    }
  }

  return {
    of,
    report: news.report,
    reportFollowers: followers.report,
    onFollowers: followers.on,
    on: news.on,
    observeDelay: (ms) => delays?.observe(Math.max(0, ms) / 1000),
  }
}

/** Reports about environments to the listeners of this process and of all others. */
function reports(notifications: Notifications | undefined, topic: Topic) {
  const listeners = new Set<(tenantId: string | null) => void>()
  const notify = (tenantId: string | null) => {
    for (const listener of listeners) listener(tenantId)
  }
  notifications?.on(topic, notify)
  return {
    report(tenantId: string): void {
      notify(tenantId)
      notifications?.tell(topic, tenantId)
    },
    on(listener: (tenantId: string | null) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
