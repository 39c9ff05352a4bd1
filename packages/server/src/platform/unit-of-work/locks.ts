import type { KeyedMutex } from '../kernel/keyed-mutex.ts'
import { DatabaseUnavailable } from '../postgres/errors.ts'

/** The locks that one change holds, of the mutex that all changes of a process share. */
export class Locks {
  readonly #mutex: KeyedMutex
  readonly #tenantId: string
  readonly #held = new Map<string, () => void>()

  constructor(mutex: KeyedMutex, tenantId: string) {
    this.#mutex = mutex
    this.#tenantId = tenantId
  }

  /** Waits until no other change of this process holds `name`; holds it until this change is done. */
  async lock(name: string): Promise<void> {
    if (this.#held.has(name)) return
    const release = await this.#mutex.lock(`${this.#tenantId}/${name}`)
    if (!release) throw new DatabaseUnavailable('Too many concurrent writes are waiting for one row')
    this.#held.set(name, release)
  }

  /** Does this change hold a lock whose name begins like this? */
  holds(prefix: string): boolean {
    return [...this.#held.keys()].some((name) => name.startsWith(prefix))
  }

  releaseAll(): void {
    for (const release of this.#held.values()) release()
    this.#held.clear()
  }
}
