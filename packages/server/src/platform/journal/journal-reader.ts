import { histogram, type Metrics } from '../kernel/metrics.ts'
import { pause } from '../kernel/pause.ts'
import type { Notifications } from '../postgres/notifications.ts'

/** The notifications of commits, which readers of the journal share within a process. */
export type JournalReader = {
  /**
   * Yields at once, after each commit in an environment, and from time to time in case a notification was lost. Ends
   * with the signal.
   */
  commits(tenantId: string, signal: AbortSignal): AsyncGenerator<void>
  /** Reports a commit of this process in an environment. */
  ring(tenantId: string): void
  /** Subscribes to commits of all processes. The environment is null if it is unknown. */
  onNews(listener: (tenantId: string | null) => void): () => void
  /** Records the age of an event when it reaches the streams of this process, in milliseconds. */
  observeDelay(ms: number): void
}

/** The polling interval in case a notification is lost. */
const lookAgainMs = 5_000
export function openJournalReader(notifications?: Notifications, metrics?: Metrics): JournalReader {
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

  async function* commits(tenantId: string, signal: AbortSignal): AsyncGenerator<void> {
    while (!signal.aborted) {
      const rung = new AbortController()
      const forget = onNews((told) => {
        if (told === null || told === tenantId) rung.abort()
      })
      try {
        yield
        if (!rung.signal.aborted) await pause(lookAgainMs, AbortSignal.any([rung.signal, signal]))
      } finally {
        forget()
      }
    }
  }

  return {
    commits,
    ring: (tenantId) => {
      spread(tenantId)
      notifications?.tell('news', tenantId)
    },
    onNews,
    observeDelay: (ms) => delays?.observe(Math.max(0, ms) / 1000),
  }
}
