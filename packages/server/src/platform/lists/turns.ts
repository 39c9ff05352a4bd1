import { unavailable } from '../kernel/errors.ts'
import { openSemaphore } from '../kernel/semaphore.ts'

/** The longest wait of a request that has nothing to answer yet. */
const patienceMs = 5_000

/** The statements of one environment that check many rows at once, in this process. */
const slots = openSemaphore({ limitOfKey: 3 })

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
  const waitMs = mayEnd ? endsAtMs - performance.now() : patienceMs
  const leave = waitMs > 0 ? await slots.acquire(tenantId, waitMs) : null
  if (!leave) {
    if (mayEnd) return null
    throw unavailable('too_many_at_once')
  }
  try {
    return await run()
  } finally {
    leave()
  }
}
