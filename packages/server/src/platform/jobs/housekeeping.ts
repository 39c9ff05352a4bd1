import type { Logger } from 'pino'
import { environmentsToForget } from '../journal/retention.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'
import { pause } from '../kernel/pause.ts'
import type { Db } from '../postgres/database.ts'
import { forgetEvents, type RetentionDeps } from './retention.ts'

/** A kind of row that is removed after its retention period. */
export type Sweep = {
  /** The name of these rows in sentences. */
  what: string
  /**
   * Returns environments that may have such rows, none of them in `except`: all, or some of many. So an environment
   * without any costs no statement of its own.
   */
  environments(except: string[]): Promise<string[]>
  /** Removes at most `limit` rows and returns their number. */
  some(env: Kept, limit: number): Promise<number>
}

export type HousekeepingDeps = RetentionDeps & {
  log: Logger
  db: Db
  clock: Clock
  environments(): Promise<Kept[]>
  sweeps: Sweep[]
  intervalMs?: number
}

/** An environment with the retention period of its feed. */
export type Kept = Environment & { eventRetentionDays: number }

type Kind = Pick<Sweep, 'what' | 'environments'> & { clean(env: Kept): Promise<void> }

const defaultIntervalMs = 60_000
const batchSize = 1000
/** The pause between batches, so that a large sweep leaves capacity for requests. */
const pauseMs = 50

/**
 * Removes rows and events after their retention period, one environment after the other, in small batches. Visits only
 * environments that have some. Any number of processes may do so at once.
 */
export function startHousekeeping(deps: HousekeepingDeps): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const kinds: Kind[] = [
    ...deps.sweeps.map((each) => ({ ...each, clean: (env: Kept) => sweep(each, env) })),
    {
      what: 'events',
      environments: (except) => environmentsToForget(deps.db, deps.clock(), except),
      clean: (env) => forgetEvents(deps, env, stopping.signal),
    },
  ]

  const warn = (what: string) => (error: unknown) => {
    if (!stopping.signal.aborted) deps.log.warn({ err: error }, `${what} failed; will retry`)
  }

  async function sweep({ some }: Sweep, env: Kept): Promise<void> {
    while (!stopping.signal.aborted && (await some(env, batchSize)) === batchSize)
      await pause(pauseMs, stopping.signal)
  }

  /** Visits each environment at most once. */
  async function cleanUp({ what, environments, clean }: Kind): Promise<void> {
    const visited: string[] = []
    while (!stopping.signal.aborted) {
      const found = new Set(await environments(visited))
      if (found.size === 0) return
      for (const env of await deps.environments()) {
        if (stopping.signal.aborted) return
        if (found.has(env.tenantId)) await clean(env).catch(warn(`deleting expired ${what}`))
      }
      visited.push(...found)
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      for (const each of kinds) await cleanUp(each).catch(warn(`looking for expired ${each.what}`))
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
