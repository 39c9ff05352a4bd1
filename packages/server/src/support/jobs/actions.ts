import { type Instant, plusSeconds } from '../../platform/kernel/clock.ts'
import { ApiError } from '../../platform/kernel/errors.ts'
import type { Change } from '../../platform/unit-of-work/change.ts'
import { jobs } from './entity.ts'
import { emptyParams, type Job, type JobStatus, type JobType, markHidden } from './queries.ts'
import { starterOf } from './starter.ts'

/** The due work of a job that has not ended, and of one whose results expire. */
export const dueNames = { work: 'job', expiry: 'job_expiry' } as const

const keptSeconds = 30 * 86_400

export type NewJob = Pick<Job, 'type' | 'params'> &
  Partial<Pick<Job, 'dry_run' | 'state' | 'total'>> & {
    /** The time of its start; at once by default. */
    startsAt?: Instant
  }

/** Creates a job. It begins once the change is committed. */
export function createJob(
  change: Change,
  { type, params, dry_run = false, state = {}, total = null, startsAt = change.now }: NewJob,
): Job {
  const job = change.rows.create(jobs, {
    ...change.stamp(),
    type: type satisfies JobType,
    status: 'queued',
    dry_run,
    params,
    starter: starterOf(change),
    state,
    done: 0,
    total,
    failed: 0,
    attempts: 0,
    erases_params: false,
    result: null,
    error: null,
    started_at: null,
    ended_at: null,
    expires_at: null,
  })
  change.jobs.schedule(dueNames.work, job.id, startsAt)
  return job
}

/**
 * Lets jobs show no params any more, because these name a person who is being erased. One that is running goes on at
 * once, as after the end of its process: its version has changed.
 */
export function hideParams(change: Change, found: Pick<Job, 'id' | 'status' | 'created_at'>[]): void {
  if (found.length === 0) return
  const ids = found.map(({ id }) => id)
  change.effects.write(markHidden(change.tenantId, ids))
  for (const { id, status, created_at } of found)
    if (status === 'running') change.jobs.schedule(dueNames.work, id, created_at)
}

/** Empties the hidden params of jobs; those of jobs that have not ended go when they end. */
export function forgetParams(change: Change, ids: string[]): void {
  if (ids.length > 0) change.effects.write(emptyParams(change.tenantId, ids))
}

/** The fields of a job that ends. Results and files are kept for 30 days. */
export function ended(change: Change, job: Job, status: JobStatus): Partial<Job> {
  const expiresAt = plusSeconds(change.now, keptSeconds)
  change.jobs.schedule(dueNames.expiry, job.id, expiresAt)
  const params = job.erases_params ? {} : job.params
  return { status, params, ended_at: change.now, expires_at: expiresAt }
}

/** Jobs that are completed once they have begun: half of the data would be neither there nor gone. */
const unstoppable: ReadonlySet<JobType> = new Set(['erasure', 'custom_field_removal'])

/** Ends a job before its work is done. The part that is being worked on is not written. */
export async function cancelJob(change: Change, id: string): Promise<Job> {
  const job = await change.rows.load(jobs, id)
  if (job.ended_at !== null || (job.status === 'running' && unstoppable.has(job.type)))
    throw new ApiError('invalid_transition', { from: job.status, action: 'cancel', allowed: [] })
  change.jobs.cancel(dueNames.work, id)
  return change.rows.update(jobs, job, ended(change, job, 'cancelled'), 'job.ended')
}
