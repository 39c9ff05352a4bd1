import type { Backline, JobResult } from '@backline/sdk'

const pageSize = 100

/** The first results of a job. */
export async function readResults(
  backline: Backline,
  jobId: string,
  { most = Number.POSITIVE_INFINITY, signal }: { most?: number; signal?: AbortSignal } = {},
  query: { status?: 'failed' } = {},
): Promise<JobResult[]> {
  const results: JobResult[] = []
  for await (const result of backline.jobs.results.list(jobId, { limit: pageSize, ...query }, { signal })) {
    results.push(result)
    if (results.length >= most) break
  }
  return results
}
