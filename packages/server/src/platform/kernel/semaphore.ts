import { Counts } from './counts.ts'

/** Ends the use of a slot. Further calls do nothing. */
export type Release = () => void

/** A semaphore by key. Keys take turns: one with much to do keeps another waiting for no more than one slot. */
export type Semaphore = {
  /** @returns null if no slot is free now */
  tryAcquire(key: string): Release | null
  /**
   * @param timeoutMs the longest wait
   * @param signal ends the wait
   * @returns null if there was no slot in time, or too many wait already
   */
  acquire(key: string, timeoutMs: number, signal?: AbortSignal): Promise<Release | null>
  /** The number of calls that wait. */
  readonly waiting: number
  /** Ends all waits, without a slot. */
  close(): void
}

export type SemaphoreLimits = {
  /** The number of slots: in total, and of one key. */
  limit?: number
  limitOfKey?: number
  /** Waiting calls: in total, and of one key. */
  waiting?: number
  waitingOfKey?: number
}

type Settle = (release: Release | null) => void

const unlimited = Number.POSITIVE_INFINITY

export function openSemaphore({
  limit = unlimited,
  limitOfKey = unlimited,
  waiting: mostWaiting = unlimited,
  waitingOfKey = unlimited,
}: SemaphoreLimits): Semaphore {
  /** The number of slots of each key that has one. */
  const used = new Counts()
  /** Waiting calls by key. The key that comes next is first. */
  const queues = new Map<string, Set<Settle>>()
  let total = 0
  let waiting = 0

  const isFree = (key: string) => total < limit && used.of(key) < limitOfKey

  function take(key: string): Release {
    used.add(key)
    total++
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      used.add(key, -1)
      total--
      giveNext(key)
    }
  }

  function giveNext(released: string): void {
    const own = queues.get(released)
    if (own) {
      queues.delete(released)
      queues.set(released, own) // behind all others
    }
    // Without a limit in total, only the queue of this key can go on.
    const key = limit === unlimited ? own && released : queues.keys().find(isFree)
    if (key === undefined) return
    const [first] = queues.get(key)!
    first!(take(key))
  }

  function wait(key: string, timeoutMs: number, signal?: AbortSignal): Promise<Release | null> {
    const queue = queues.get(key) ?? new Set()
    if (timeoutMs <= 0 || signal?.aborted || waiting >= mostWaiting || queue.size >= waitingOfKey)
      return Promise.resolve(null)
    queues.set(key, queue)
    waiting++
    return new Promise((resolve) => {
      const settle: Settle = (release) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        waiting--
        queue.delete(settle)
        if (queue.size === 0) queues.delete(key)
        resolve(release)
      }
      const end = () => settle(null)
      const timer = timeoutMs === unlimited ? undefined : setTimeout(end, timeoutMs)
      signal?.addEventListener('abort', end)
      queue.add(settle)
    })
  }

  const tryAcquire = (key: string) => (isFree(key) ? take(key) : null)
  return {
    tryAcquire,
    acquire: async (key, timeoutMs, signal) => tryAcquire(key) ?? wait(key, timeoutMs, signal),
    get waiting() {
      return waiting
    },
    close() {
      for (const settle of [...queues.values()].flatMap((queue) => [...queue])) settle(null)
    },
  }
}

/**
 * Calls `work` while it has a slot.
 * @param refused returns the error if there was no slot in time
 */
export async function withSlot<Result>(
  semaphore: Semaphore,
  key: string,
  timeoutMs: number,
  work: () => Promise<Result>,
  refused: () => Error,
): Promise<Result> {
  const release = await semaphore.acquire(key, timeoutMs)
  if (!release) throw refused()
  try {
    return await work()
  } finally {
    release()
  }
}
