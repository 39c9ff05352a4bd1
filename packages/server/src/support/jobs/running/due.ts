import { toInstant, toUnixMs } from '../../../platform/kernel/clock.ts'
import type { Job as DueJob } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { dueNames, ended } from '../actions.ts'
import { jobs } from '../entity.ts'
import { kindOf } from '../kinds.ts'
import { deleteResults, deleteSelection, type JobError, placeAfter } from '../queries.ts'

/** The time until a job asks again for room in a process. */
const askAgainMs = 3_000
const deletedTogether = 2_000
const lastPlace = 2_147_483_647

/** A job that ends its process, for want of memory for example, is not taken more often. */
const mostAttempts = 20
const crashed: JobError = {
  code: 'internal_error',
  detail: `The server that worked on the job crashed ${mostAttempts} times.`,
}

/** Takes a job that waits, or whose process has not renewed its lease, for this process. */
async function take(change: Change, id: string, dueAt: string): Promise<void> {
  const { env, services } = change.ctx
  const job = await change.rows.find(jobs, id)
  if (!job || job.ended_at !== null) return
  change.startAfter(job)
  if (job.attempts >= mostAttempts) {
    change.rows.update(jobs, job, { ...ended(change, job, 'failed'), error: crashed }, 'job.ended')
    return
  }
  const runner = services.jobs
  if (!runner.hasRoom(env.tenantId)) {
    change.jobs.lease(dueNames.work, id, dueAt, toInstant(Date.now() + askAgainMs))
    return
  }
  change.jobs.lease(dueNames.work, id, dueAt, runner.leaseEnd())
  const attempts = job.attempts + 1
  const taken =
    job.status === 'queued'
      ? change.rows.update(jobs, job, { status: 'running', started_at: change.now, attempts }, 'job.started')
      : change.rows.update(jobs, job, { attempts }, null)
  change.effects.afterCommit(() => runner.run(env, taken))
}

/** Deletes the results of a job after its time, some at a time. */
async function expire(change: Change, id: string, dueAt: string): Promise<void> {
  const { db, tenantId } = change
  const place = await placeAfter(db, tenantId, id, deletedTogether)
  change.effects.write(deleteResults(tenantId, id, place ?? lastPlace))
  if (place === null) {
    const job = await change.rows.find(jobs, id)
    change.effects.write(deleteSelection(tenantId, id))
    if (job) await kindOf(job).expire?.(change, job)
  } else change.jobs.schedule(dueNames.expiry, id, toInstant(toUnixMs(dueAt) + 1))
}

export const dueJobs: DueJob[] = [
  { name: dueNames.work, isBackground: true, perform: take },
  { name: dueNames.expiry, isBackground: true, perform: expire },
]
