import type { Db } from './database.ts'

/** Counts that requests keep in memory, and that the server writes together. */
export type Gathering = {
  /**
   * Calls `write` every few seconds from now on, and when the server stops.
   * @param write must write everything when `isStopping`
   */
  add(write: (db: Db, isStopping: boolean) => Promise<void>): void
  /** Begins to write everything: the server stops, and may not wait for its last requests. */
  stopping(): void
  /** Writes for the last time. */
  close(): Promise<void>
}

const intervalMs = 5_000

/** @param onError called with whether a later write tries again */
export function openGathering(db: Db, onError: (error: unknown, willRetry: boolean) => void): Gathering {
  const writes: ((db: Db, isStopping: boolean) => Promise<void>)[] = []
  let timer: NodeJS.Timeout | undefined
  let isBusy = false
  let last = Promise.resolve()

  /** One after the other. */
  function run(isStopping: boolean, willRetry: boolean): Promise<void> {
    last = last.then(async () => {
      for (const write of writes) await write(db, isStopping).catch((error) => onError(error, willRetry))
    })
    return last
  }
  async function runUnlessBusy(): Promise<void> {
    if (isBusy) return
    isBusy = true
    await run(false, true)
    isBusy = false
  }

  return {
    add(write) {
      writes.push(write)
      timer ??= setInterval(runUnlessBusy, intervalMs).unref()
    },
    stopping: () => void run(true, true),
    close() {
      clearInterval(timer)
      return run(true, false)
    },
  }
}
