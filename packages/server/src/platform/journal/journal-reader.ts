import { pause } from '../kernel/pause.ts'
import type { Database } from '../postgres/database.ts'
import type { Notifications } from '../postgres/notifications.ts'
import { type Horizon, horizonOf } from './horizon.ts'

/** What the readers of the journal share in a process: how far it is settled, and when to look again. */
export type JournalReader = {
  /** How far the journal is settled, as of a moment after the call. */
  settled(): Promise<Horizon>
  /** The same once all is settled that was committed before the call; what is held up for longer than `patienceMs` is left out. */
  caughtUp(patienceMs: number): Promise<Horizon>
  /**
   * For one who follows an environment: how far it may read, at once, again whenever something was committed and is
   * settled, and now and then in case that news was lost. Ends with the signal.
   */
  horizons(tenantId: string, signal: AbortSignal): AsyncGenerator<Horizon>
  /** Something was committed in an environment by this process. */
  ring(tenantId: string): void
  /** Told of every commit, of other processes too; null when it may have been in any environment. */
  onNews(listener: (tenantId: string | null) => void): () => void
}

/** In case a notification is lost. */
const lookAgainMs = 5_000
/** While what was committed waits for transactions that began before: those of ours take a few milliseconds. */
const unsettledMs = { first: 2, longest: 50 }

export function openJournalReader(db: Database, notifications?: Notifications): JournalReader {
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

  /** Looks until all is settled that there was at a first look. */
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
  }
}

/** Calls that arrive while one is under way share the next one: its answer is younger than each of them. */
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
