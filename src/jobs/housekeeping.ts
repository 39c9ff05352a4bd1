import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../db/database.ts'
import { sweepKeys } from '../db/idempotency.ts'
import { type Clock, toInstant } from '../lib/clock.ts'

export type HousekeepingDeps = {
  db: Db
  clock: Clock
  log: Logger
  retentionHours: number
  /** The tenants there are, each with how far its clock is ahead. */
  tenants(): Promise<{ tenantId: string; clockOffsetMs: number }[]>
  intervalMs?: number
}

const defaultIntervalMs = 60_000
const batchSize = 1000
/** Between batches, so that a large sweep leaves room for requests. */
const pauseMs = 50
const hourMs = 3_600_000

/**
 * Removes idempotency keys that have been kept for their time, tenant by tenant in small batches. Any number of
 * processes may do so at once; a row can be removed only once.
 */
export function startHousekeeping(deps: HousekeepingDeps): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const pause = (ms: number) =>
    sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)

  const warn = (error: unknown) =>
    deps.log.warn({ err: error }, 'sweeping idempotency keys failed; it goes on later')

  async function sweepTenant({
    tenantId,
    clockOffsetMs,
  }: {
    tenantId: string
    clockOffsetMs: number
  }): Promise<void> {
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
      try {
        for (const tenant of await deps.tenants()) await sweepTenant(tenant).catch(warn)
      } catch (error) {
        warn(error)
      }
      await pause(deps.intervalMs ?? defaultIntervalMs)
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
