import type { Release, Semaphore } from '../kernel/semaphore.ts'
import { DatabaseUnavailable } from '../postgres/errors.ts'

/** Longer than any queue that makes progress, shorter than the timeouts of clients. */
export const lockTimeoutMs = 5_000

/**
 * The locks that one change holds within this process. The database also separates two writers of a row, by failing the
 * slower one. Waiting here saves that retry if both are in one process.
 */
export class Locks {
  readonly #locks: Semaphore
  readonly #tenantId: string
  readonly #held = new Map<string, Release>()
  readonly #onEnd: Release[] = []

  /** @param locks a mutex per key, which all changes of a process share */
  constructor(locks: Semaphore, tenantId: string) {
    this.#locks = locks
    this.#tenantId = tenantId
  }

  /**
   * Waits until no other change of this process holds `name`, and holds it until this change ends.
   * @returns true if another change held it
   */
  async lock(name: string): Promise<boolean> {
    if (this.#held.has(name)) return false
    const key = `${this.#tenantId}/${name}`
    const free = this.#locks.tryAcquire(key)
    const release = free ?? (await this.#locks.acquire(key, lockTimeoutMs))
    if (!release) throw new DatabaseUnavailable('Too many concurrent writes are waiting for one row')
    this.#held.set(name, release)
    return free === null
  }

  /** Calls a function when this change ends. */
  onEnd(release: Release): void {
    this.#onEnd.push(release)
  }

  /** Releases a lock before this change ends. */
  release(name: string): void {
    this.#held.get(name)?.()
    this.#held.delete(name)
  }

  releaseAll(): void {
    for (const release of [...this.#held.values(), ...this.#onEnd.splice(0)]) release()
    this.#held.clear()
  }
}
