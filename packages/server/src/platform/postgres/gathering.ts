import type { Db } from './database.ts'

/** Counts that requests keep in memory, and that the server writes together. */
export type Gathering = {
  /**
   * Calls `write` every few seconds from now on, and when the server stops.
   * @param write must write everything when `isLast`
   */
  add(write: (db: Db, isLast: boolean) => Promise<void>): void
  /** Writes for the last time. */
  close(): Promise<void>
}

const intervalMs = 5_000

export function openGathering(db: Db, onError: (error: unknown) => void): Gathering {
  const writes: ((db: Db, isLast: boolean) => Promise<void>)[] = []
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null

  async function run(isLast: boolean): Promise<void> {
    for (const write of writes) await write(db, isLast).catch(onError)
  }
  function runUnlessBusy(): void {
    running ??= run(false).finally(() => {
      running = null
    })
  }

  return {
    add(write) {
      writes.push(write)
      timer ??= setInterval(runUnlessBusy, intervalMs).unref()
    },
    async close() {
      clearInterval(timer)
      await running
      await run(true)
    },
  }
}
