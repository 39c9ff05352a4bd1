import type { Hold, KeyedMutex, Round } from '../kernel/keyed-mutex.ts'
import { DatabaseUnavailable } from '../postgres/errors.ts'

/** The locks that one change holds on the mutex shared by all changes of a process. */
export class Locks {
  readonly #mutex: KeyedMutex
  readonly #tenantId: string
  readonly #held = new Map<string, Hold>()

  constructor(mutex: KeyedMutex, tenantId: string) {
    this.#mutex = mutex
    this.#tenantId = tenantId
  }

  /**
   * Waits until no other change of this process holds `name`, and holds it until this change ends.
   * @returns true if another change held it
   */
  async lock(name: string): Promise<boolean> {
    if (this.#held.has(name)) return false
    const hold = await this.#mutex.lock(`${this.#tenantId}/${name}`)
    this.#keep(name, hold)
    return hold!.hasWaited
  }

  /** The same, together with all other changes that wait for `name` by `join` at that time. */
  async join(name: string): Promise<Round> {
    const held = this.#held.get(name)
    return held ? held.round : this.#keep(name, await this.#mutex.join(`${this.#tenantId}/${name}`))
  }

  #keep(name: string, hold: Hold | null): Round {
    if (!hold) throw new DatabaseUnavailable('Too many concurrent writes are waiting for one row')
    this.#held.set(name, hold)
    return hold.round
  }

  /** Returns true if this change holds a lock whose name begins with `prefix`. */
  holds(prefix: string): boolean {
    return [...this.#held.keys()].some((name) => name.startsWith(prefix))
  }

  /** Releases a lock before this change ends. */
  release(name: string): void {
    this.#held.get(name)?.release()
    this.#held.delete(name)
  }

  releaseAll(): void {
    for (const { release } of this.#held.values()) release()
    this.#held.clear()
  }
}
