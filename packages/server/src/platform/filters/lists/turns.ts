import { unavailable } from '../../kernel/errors.ts'

/** The statements of one environment that check many rows at once, in this process; further ones wait. */
const mostAtOnce = 3
/** The longest wait of a request that has nothing to answer yet. */
const patienceMs = 5_000

type Turns = { running: number; waiting: Set<() => void> }
const tenants = new Map<string, Turns>()

/**
 * Runs a statement that may take long when the environment has a turn, so that one environment cannot occupy all
 * connections for slow statements.
 * @param endsAtMs the time after which it is no longer run, of the monotonic clock
 * @param mayEnd true if the caller can answer without the result
 * @returns null if the time was over before
 * @throws ApiError `unavailable` if there was no turn for a long time, and the caller has nothing to answer
 */
export async function taking<Result>(
  tenantId: string,
  endsAtMs: number,
  mayEnd: boolean,
  run: () => Promise<Result>,
): Promise<Result | null> {
  const turns = tenants.get(tenantId) ?? { running: 0, waiting: new Set() }
  tenants.set(tenantId, turns)
  const waitMs = mayEnd ? endsAtMs - performance.now() : patienceMs
  if (!(await turnOf(turns, waitMs))) {
    if (turns.running === 0) tenants.delete(tenantId)
    if (mayEnd) return null
    throw unavailable('too_many_at_once')
  }
  try {
    return await run()
  } finally {
    const [next] = turns.waiting
    if (next) next()
    else if (--turns.running === 0) tenants.delete(tenantId)
  }
}

/** @returns false if there was no turn in time */
function turnOf(turns: Turns, waitMs: number): Promise<boolean> {
  if (waitMs <= 0) return Promise.resolve(false)
  if (turns.running < mostAtOnce) {
    turns.running++
    return Promise.resolve(true)
  }
  return new Promise((resolve) => {
    const start = () => {
      clearTimeout(timer)
      turns.waiting.delete(start)
      resolve(true)
    }
    const timer = setTimeout(() => {
      turns.waiting.delete(start)
      resolve(false)
    }, waitMs)
    turns.waiting.add(start)
  })
}
