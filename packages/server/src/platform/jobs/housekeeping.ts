import type { Logger } from 'pino'
import type { Environment } from '../kernel/environment.ts'
import { pause } from '../kernel/pause.ts'
import { forgetEvents, type RetentionDeps } from './retention.ts'

/** A kind of row that is removed after its retention period. */
export type Sweep = {
  /** The name of these rows in sentences. */
  what: string
  /** Removes at most `limit` rows and returns their number. */
  some(env: Kept, limit: number): Promise<number>
}

export type HousekeepingDeps = RetentionDeps & {
  log: Logger
  environments(): Promise<Kept[]>
  sweeps: Sweep[]
  intervalMs?: number
}

/** An environment with the retention period of its feed. */
export type Kept = Environment & { eventRetentionDays: number }

const defaultIntervalMs = 60_000
const batchSize = 1000
/** The pause between batches, so that a large sweep leaves capacity for requests. */
const pauseMs = 50

/**
 * Removes rows and events after their retention period, one environment after the other, in small batches. Any number
 * of processes may do so at once.
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
    /** Stops after the current batch. */
    async stop() {
      stopping.abort()
      await running
    },
  }
}
