import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Environment } from '../context.ts'
import { sweepKeys } from '../db/idempotency.ts'
import { type Clock, toInstant } from '../lib/clock.ts'
import { forgetEvents, type RetentionDeps } from './retention.ts'

export type HousekeepingDeps = RetentionDeps & {
  clock: Clock
  log: Logger
  /** Of idempotency keys. */
  retentionHours: number
  environments(): Promise<Kept[]>
  intervalMs?: number
}

/** An environment, and for how long the feed keeps its events. */
type Kept = Environment & { eventRetentionDays: number }

const defaultIntervalMs = 60_000
const batchSize = 1000
/** Between batches, so that a large sweep leaves room for requests. */
const pauseMs = 50
const hourMs = 3_600_000

/**
 * Removes idempotency keys that have been kept for their time, and lets the feed forget events, environment by
 * environment in small batches. Any number of processes may do so at once; nothing can be removed twice.
 * @returns stops it, after the batch at hand
 */
export function startHousekeeping(deps: HousekeepingDeps): () => Promise<void> {
  const stopping = new AbortController()
  const pause = (ms: number) =>
    sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)

  const warn = (what: string) => (error: unknown) => {
    if (!stopping.signal.aborted) deps.log.warn({ err: error }, `${what} failed; it goes on later`)
  }

  async function sweepEnvironment({ tenantId, clockOffsetMs }: Kept): Promise<void> {
    const cutoff = toInstant(deps.clock() + clockOffsetMs - deps.retentionHours * hourMs)
    while (
      !stopping.signal.aborted &&
      (await sweepKeys(deps.db, tenantId, cutoff, batchSize)) === batchSize
    ) {
      await pause(pauseMs)
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const environments = await deps.environments().catch((error) => {
        warn('housekeeping')(error)
        return []
      })
      for (const env of environments) {
        if (stopping.signal.aborted) return
        await sweepEnvironment(env).catch(warn('sweeping idempotency keys'))
        await forgetEvents(deps, env, stopping.signal).catch(warn('forgetting events'))
      }
      await pause(deps.intervalMs ?? defaultIntervalMs)
    }
  }

  const running = run()
  return async () => {
    stopping.abort()
    await running
  }
}
