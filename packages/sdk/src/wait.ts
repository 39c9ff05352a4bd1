import { NotModifiedError } from './errors.ts'
import type { RequestOptions } from './options.ts'
import type { Reply } from './reply.ts'
import { pause } from './retry.ts'
import type { Job } from './types.generated.ts'

/** Options of a wait for a job. */
export type WaitOptions = RequestOptions & {
  /** Called with the job whenever it has come further, and when it has ended. */
  onProgress?: ((job: Job) => void) | undefined
}

type Jobs = { retrieve(id: string, options?: RequestOptions): Reply<Job> }

/** The pauses between requests, in milliseconds: short ones for a job that ends at once, longer ones later. */
const [shortestMs, longestMs] = [250, 2_000]

/**
 * Asks for a job until it has ended, and returns it, whatever its status is then. It has no time limit; `signal` ends
 * the wait, and the job goes on.
 */
export async function waitForJob(
  jobs: Jobs,
  id: string,
  { onProgress, ...options }: WaitOptions = {},
): Promise<Job> {
  let known: string | undefined
  for (let pauseMs = shortestMs; ; pauseMs = Math.min(longestMs, pauseMs * 1.5)) {
    try {
      const job = await jobs.retrieve(id, { ...options, ifNoneMatch: known })
      known = `"${job.version}"`
      onProgress?.(job)
      if (job.ended_at !== null) return job
    } catch (error) {
      if (!(error instanceof NotModifiedError)) throw error
    }
    await pause(pauseMs, options.signal)
    options.signal?.throwIfAborted()
  }
}
