import type { Logger } from 'pino'
import type { Environment } from '../kernel/environment.ts'
import { pause } from '../kernel/pause.ts'
import { forgetEvents, type RetentionDeps } from './retention.ts'

/** What is removed when it has been kept for its time. */
export type Sweep = {
  /** As sentences name it. */
  what: string
  /** Removes at most `limit` and says how many, so that it is known whether there are more. */
  some(env: Kept, limit: number): Promise<number>
}

export type HousekeepingDeps = RetentionDeps & {
  log: Logger
  environments(): Promise<Kept[]>
  sweeps: Sweep[]
  intervalMs?: number
}

/** An environment, and for how long the feed keeps its events. */
export type Kept = Environment & { eventRetentionDays: number }

const defaultIntervalMs = 60_000
const batchSize = 1000
/** Between batches, so that a large sweep leaves room for requests. */
const pauseMs = 50

/**
 * Removes what has been kept for its time, and lets the feed forget events, environment by environment in small
 * batches. Any number of processes may do so at once; nothing can be removed twice.
 */
export function startHousekeeping(deps: HousekeepingDeps): { stop(): Promise<void> } {
  const stopping = new AbortController()

  const warn = (what: string) => (error: unknown) => {
    if (!stopping.signal.aborted) deps.log.warn({ err: error }, `${what} failed; will retry`)
  }

  async function sweep({ some }: Sweep, env: Kept): Promise<void> {
    while (!stopping.signal.aborted && (await some(env, batchSize)) === batchSize)
      await pause(pauseMs, stopping.signal)
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const environments = await deps.environments().catch((error) => {
        warn('housekeeping')(error)
        return []
      })
      for (const env of environments) {
        if (stopping.signal.aborted) return
        for (const each of deps.sweeps) await sweep(each, env).catch(warn(`deleting expired ${each.what}`))
        await forgetEvents(deps, env, stopping.signal).catch(warn('deleting expired events'))
      }
      await pause(deps.intervalMs ?? defaultIntervalMs, stopping.signal)
    }
  }

  const running = run()
  return {
    /** After the batch at hand. */
    async stop() {
      stopping.abort()
      await running
    },
  }
}
