import { accessOf, accessOptions } from './access/access.ts'
import { openClient } from './api/client.ts'
import { defineCommand } from './command.ts'
import { UsageError } from './errors.ts'
import {
  describeFailed,
  type FailedResult,
  firstFailed,
  hasFailed,
  type Job,
  waitForJob,
} from './jobs/watch.ts'
import { untilStopped } from './stop.ts'
import { counted, printable } from './text.ts'

const mostShown = 10

export const command = defineCommand({
  argument: 'ID',
  description: `Shows how far the job is until it has ended, then its status and its first failed results. The exit code \
is 1 if the job failed or was cancelled. Ctrl-C ends the command; the job goes on. The key needs the scope jobs:read.`,
  options: accessOptions,
  async run({ argument: id, options, environment }) {
    if (!/^job_\w+$/.test(id)) throw new UsageError('ID must be the id of a job, job_…', 'jobs watch')
    const access = await accessOf('jobs watch', options, environment)
    return untilStopped(async (stop) => {
      const client = openClient(access, stop)
      const job = await waitForJob(client, id, stop)
      const failed = job.progress.failed > 0 ? await firstFailed(client, id, mostShown) : []
      return {
        json: { ...job, failed_results: failed },
        text: summary(job, failed),
        exitCode: hasFailed(job) ? 1 : 0,
      }
    })
  },
})

function summary({ id, status, progress, dry_run, error }: Job, failed: FailedResult[]): string {
  const count = `${counted(progress.done, 'item')}, ${progress.failed} failed`
  return [
    `${id} ${status}${dry_run ? ' (dry run)' : ''}: ${count}`,
    ...(error ? [printable(`  ${error.code}: ${error.detail}`)] : []),
    ...failed.map((each) => `  ${describeFailed(each)}`),
    ...(progress.failed > failed.length ? [`  and ${progress.failed - failed.length} more`] : []),
  ].join('\n')
}
