/** Longer than any queue that makes progress, shorter than the timeouts of clients. */
const patienceMs = 5_000
/** The maximum number of holders of a round, so that their changes fit in one transaction. */
const maxHolders = 64

/** The holders of one key at one time. */
export class Round {
  readonly #begun = Promise.withResolvers<void>()
  #isOpen: boolean
  #holders = 0

  constructor(isOpen: boolean) {
    this.#isOpen = isOpen
  }

  static ofOne(): Round {
    const round = new Round(false)
    round.enter()
    return round
  }

  /** Stops further joins. @returns the number of holders */
  close(): number {
    this.#isOpen = false
    return this.#holders
  }

  get canBeJoined(): boolean {
    return this.#isOpen && this.#holders < maxHolders
  }

  /** Resolves when the round holds its key. */
  get begun(): Promise<void> {
    return this.#begun.promise
  }

  begin(): void {
    this.#begun.resolve()
  }

  enter(): void {
    this.#holders++
  }

  /** @returns true if nobody is left */
  leave(): boolean {
    return --this.#holders === 0
  }
}

/**
 * A key that is held. The key is free after all holders of the round have released it.
 * `hasWaited` is true if the key was not free.
 */
export type Hold = { round: Round; hasWaited: boolean; release(): void }

/**
 * A mutex per key within this process. The database also separates two writers of a row, by failing the slower one.
 * Waiting here saves that retry if both are in one process.
 */
export class KeyedMutex {
  /** The rounds of each key in the order of their turns: the first one holds it. */
  readonly #queues = new Map<string, Round[]>()

  /** Holds `key` alone. Resolves to null after 5 seconds. */
  lock(key: string): Promise<Hold | null> {
    return this.#hold(key, false)
  }

  /** Holds `key` together with all others who wait for it by `join`. Resolves to null after 5 seconds. */
  join(key: string): Promise<Hold | null> {
    return this.#hold(key, true)
  }

  async #hold(key: string, joins: boolean): Promise<Hold | null> {
    const queue = this.#queues.get(key) ?? []
    this.#queues.set(key, queue)
    const open = joins ? queue.find(({ canBeJoined }) => canBeJoined) : undefined
    const round = open ?? new Round(joins)
    if (!open) queue.push(round)
    round.enter()
    const release = () => {
      if (!round.leave()) return
      queue.splice(queue.indexOf(round), 1)
      const [next] = queue
      if (next) next.begin()
      else this.#queues.delete(key)
    }
    const hasWaited = round !== queue[0]
    if (!hasWaited) round.begin()
    else if (!(await within(patienceMs, round.begun))) {
      release()
      return null
    }
    return { round, hasWaited, release }
  }
}

/** @returns false if the time is over first */
async function within(milliseconds: number, happened: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false)
  })
  const inTime = await Promise.race([happened.then(() => true), late])
  clearTimeout(timer)
  return inTime
}
