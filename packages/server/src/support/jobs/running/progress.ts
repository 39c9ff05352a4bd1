import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { Draft } from '../../../platform/unit-of-work/draft.ts'
import { commit, transact } from '../../../platform/unit-of-work/transact.ts'
import { dueNames, ended } from '../actions.ts'
import { jobs } from '../entity.ts'
import type { Ending, Part } from '../kinds.ts'
import { insertResults, type Job, type JobError, type JobStatus } from '../queries.ts'

/**
 * Writes a part of the work and the progress of the job as one transaction. It fails with a write conflict if somebody
 * else has changed the job: cancelled it, or taken it over.
 */
export async function writePart(ctx: Ctx, job: Job, part: Part): Promise<Job> {
  const draft = new Draft(ctx)
  try {
    const { change } = draft
    change.startAfter(job)
    await part.write?.(change)
    for (const result of part.results ?? [])
      change.effects.writeBatched(insertResults, { ...result, job_id: job.id })
    const next = advance(change, job, part)
    if (part.ends) change.jobs.cancel(dueNames.work, job.id)
    const changes = part.changes ?? []
    await commit(
      ctx,
      [...changes.map((each) => each.draft), draft],
      [...changes.map(({ plan }) => plan), await draft.plan(null)],
    )
    return next
  } finally {
    draft.releaseLocks()
  }
}

/** The version rises with each part, so that two processes cannot both write one. */
function advance(change: Change, job: Job, { done, failed, total, state, ends }: Part): Job {
  const progress = {
    done: job.done + done,
    failed: job.failed + failed,
    total: total ?? job.total,
    state,
  }
  const counted = change.rows.update(jobs, job, progress, null)
  if (!ends) return change.rows.bumpVersion(jobs, counted, null)
  const fields = {
    ...ended(change, job, statusOf(counted, ends)),
    total: counted.total ?? counted.done,
    result: ends.result ?? null,
    error: ends.error ?? null,
  }
  return change.rows.update(jobs, counted, fields, 'job.ended')
}

const statusOf = ({ failed }: Job, { error }: Ending): JobStatus =>
  error ? 'failed' : failed > 0 ? 'completed_with_errors' : 'succeeded'

/** Ends a job whose work cannot go on, unless somebody else has changed it. */
export async function endAsFailed(ctx: Ctx, id: string, version: number, error: JobError): Promise<void> {
  await transact(ctx, async (change) => {
    const job = await change.rows.find(jobs, id)
    if (job?.version !== version) return
    change.jobs.cancel(dueNames.work, id)
    change.rows.update(jobs, job, { ...ended(change, job, 'failed'), error }, 'job.ended')
  })
}

/** Ends the lease, so that another process goes on at once. The attempt of this process does not count. */
export async function handBack(ctx: Ctx, id: string, version: number): Promise<void> {
  await transact(ctx, async (change) => {
    const job = await change.rows.find(jobs, id)
    if (job?.version !== version || job.ended_at !== null) return
    change.startAfter(job)
    change.rows.update(jobs, job, { attempts: job.attempts - 1 }, null)
    change.jobs.schedule(dueNames.work, id, job.created_at)
  })
}
