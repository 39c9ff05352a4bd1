import { environmentsWithExpiredEvents } from '../journal/retention.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'
import { pause } from '../kernel/pause.ts'
import type { Db } from '../postgres/database.ts'
import type { Loop, Loops } from './loops.ts'
import { forgetEvents, type RetentionDeps } from './retention.ts'

/** Rows that are removed after their retention period, or otherwise worked on in batches. */
export type Sweep = {
  /** The name of the loop. */
  name: string
  /** Returns the tenant ids of environments that may have such rows. Only these are visited. */
  environments(): Promise<string[]>
  /** Works on at most `limit` rows and returns their number. */
  some(env: Kept, limit: number): Promise<number>
}

export type HousekeepingDeps = RetentionDeps & {
  loops: Loops
  db: Db
  clock: Clock
  environments(): Promise<Kept[]>
  sweeps: Sweep[]
  intervalMs?: number
}

/** An environment with the retention period of its feed. */
export type Kept = Environment & { eventRetentionDays: number }

type Kind = Pick<Sweep, 'environments'> & { loop: Loop; clean(env: Kept): Promise<void> }

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
  const open = (name: string) => deps.loops.open(name, stopping.signal)
  const kinds: Kind[] = [
    ...deps.sweeps.map((each) => ({
      loop: open(each.name),
      environments: each.environments,
      clean: (env: Kept) => sweep(each, env),
    })),
    {
      loop: open('expired_events'),
      environments: () => environmentsWithExpiredEvents(deps.db, deps.clock()),
      clean: (env) => forgetEvents(deps, env, stopping.signal),
    },
  ]

  async function sweep({ some }: Sweep, env: Kept): Promise<void> {
    while (!stopping.signal.aborted && (await some(env, batchSize)) === batchSize)
      await pause(pauseMs, stopping.signal)
  }

  async function cleanUp({ loop, environments, clean }: Kind): Promise<void> {
    const failed = (error: unknown, about?: object) => {
      if (!stopping.signal.aborted) loop.failed(error, about)
      return null
    }
    const found = await environments().catch(failed) // too many expired rows for the time limit of a statement
    if (found?.length === 0) return
    const among = found && new Set(found)
    for (const env of await deps.environments()) {
      if (stopping.signal.aborted) return
      if (!among || among.has(env.tenantId))
        await clean(env).catch((error) => failed(error, { tenant_id: env.tenantId }))
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      for (const each of kinds) await each.loop.round(() => cleanUp(each))
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
