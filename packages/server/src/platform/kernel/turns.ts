/** A semaphore by key. Keys take turns: one with much to do keeps another waiting for no more than a turn. */
export type Turns = {
  /**
   * @param patienceMs the longest wait
   * @returns the function that ends the turn; null if there was none in time, or too many wait already
   */
  take(key: string, patienceMs: number): Promise<(() => void) | null>
  /** The number of calls that wait. */
  readonly waiting: number
  /** Ends all waits, without a turn. */
  close(): void
}

export type TurnLimits = {
  /** Turns at a time: in total, and of one key. */
  most?: number
  ofOne: number
  /** Waiting calls: in total, and of one key. */
  waiting?: number
  waitingOfOne?: number
}

type Outcome = (leave: (() => void) | null) => void

export function openTurns({
  most = Number.POSITIVE_INFINITY,
  ofOne,
  waiting: mostWaiting = Number.POSITIVE_INFINITY,
  waitingOfOne = Number.POSITIVE_INFINITY,
}: TurnLimits): Turns {
  /** The number of turns of each key that has one. */
  const running = new Map<string, number>()
  /** Waiting calls by key, in the order of their turns. */
  const queues = new Map<string, Set<Outcome>>()
  let total = 0
  let waiting = 0

  const isFree = (key: string) => total < most && (running.get(key) ?? 0) < ofOne

  function begin(key: string): () => void {
    running.set(key, (running.get(key) ?? 0) + 1)
    total++
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const left = running.get(key)! - 1
      if (left > 0) running.set(key, left)
      else running.delete(key)
      total--
      const own = queues.get(key)
      if (own) {
        queues.delete(key)
        queues.set(key, own) // behind all others
      }
      beginNext()
    }
  }

  function beginNext(): void {
    const key = queues.keys().find(isFree)
    if (key === undefined) return
    const [first] = queues.get(key)!
    first!(begin(key))
  }

  function wait(key: string, patienceMs: number): Promise<(() => void) | null> {
    const queue = queues.get(key) ?? new Set()
    if (patienceMs <= 0 || waiting >= mostWaiting || queue.size >= waitingOfOne) return Promise.resolve(null)
    queues.set(key, queue)
    waiting++
    return new Promise((resolve) => {
      const outcome: Outcome = (leave) => {
        clearTimeout(timer)
        waiting--
        queue.delete(outcome)
        if (queue.size === 0) queues.delete(key)
        resolve(leave)
      }
      const timer = setTimeout(outcome, patienceMs, null)
      queue.add(outcome)
    })
  }

  return {
    take: (key, patienceMs) => (isFree(key) ? Promise.resolve(begin(key)) : wait(key, patienceMs)),
    get waiting() {
      return waiting
    },
    close() {
      for (const outcome of [...queues.values()].flatMap((queue) => [...queue])) outcome(null)
    },
  }
}
