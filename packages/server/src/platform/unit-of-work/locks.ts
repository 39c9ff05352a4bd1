import type { KeyedMutex } from '../kernel/keyed-mutex.ts'
import { DatabaseUnavailable } from '../postgres/errors.ts'

/** The locks that one change holds on the mutex shared by all changes of a process. */
export class Locks {
  readonly #mutex: KeyedMutex
  readonly #tenantId: string
  readonly #held = new Map<string, () => void>()

  constructor(mutex: KeyedMutex, tenantId: string) {
    this.#mutex = mutex
    this.#tenantId = tenantId
  }

  /** Waits until no other change of this process holds `name`, and holds it until this change ends. */
  async lock(name: string): Promise<void> {
    if (this.#held.has(name)) return
    const release = await this.#mutex.lock(`${this.#tenantId}/${name}`)
    if (!release) throw new DatabaseUnavailable('Too many concurrent writes are waiting for one row')
    this.#held.set(name, release)
  }

  /** Returns true if this change holds a lock whose name begins with `prefix`. */
  holds(prefix: string): boolean {
    return [...this.#held.keys()].some((name) => name.startsWith(prefix))
  }

  releaseAll(): void {
    for (const release of this.#held.values()) release()
    this.#held.clear()
  }
}
