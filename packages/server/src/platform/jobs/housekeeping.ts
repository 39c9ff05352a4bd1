import type { Logger } from 'pino'
import { environmentsWithExpiredEvents } from '../journal/retention.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'
import { pause } from '../kernel/pause.ts'
import type { Db } from '../postgres/database.ts'
import { forgetEvents, type RetentionDeps } from './retention.ts'

/** Rows that are removed after their retention period, or otherwise worked on in batches. */
export type Sweep = {
  /** The name of the work in messages. */
  what: string
  /** Returns the tenant ids of environments that may have such rows. Only these are visited. */
  environments(): Promise<string[]>
  /** Works on at most `limit` rows and returns their number. */
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
      what: 'expired events',
      environments: () => environmentsWithExpiredEvents(deps.db, deps.clock()),
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

  async function cleanUp({ what, environments, clean }: Kind): Promise<void> {
    const found = await environments().catch((error) => {
      warn(`looking for work on ${what}`)(error)
      return null // too many expired rows for the time limit of a statement
    })
    if (found?.length === 0) return
    const among = found && new Set(found)
    for (const env of await deps.environments()) {
      if (stopping.signal.aborted) return
      if (!among || among.has(env.tenantId)) await clean(env).catch(warn(`work on ${what}`))
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      for (const each of kinds) await cleanUp(each).catch(warn('housekeeping'))
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
