import { typeId } from '../../../platform/kernel/ids.ts'
import { caseless } from '../../../platform/lists/folding.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { cancelJob, hideParams } from '../../jobs/actions.ts'
import { jobs } from '../../jobs/entity.ts'
import { endUserTable } from '../../people/end-users/queries.ts'
import { deleteParts } from '../exports/parts.ts'
import { emptyChanges, jobsNaming, jobsWithFiles, nextPreviews } from './queries.ts'
import { counting, type ErasureState, nextStep } from './state.ts'

/*
 * Jobs and the files that they made. What the team asked for can name a person: a filter by an address, for example.
 */

/**
 * Hides the params of jobs that name the person, before the texts by which they are found are gone, and removes its own
 * exports. The params and the events of these jobs are emptied later: until then, an erasure of others whom they name
 * finds them, too.
 */
export async function findJobs(change: Change, state: ErasureState, ids: string[]): Promise<ErasureState> {
  const { db, tenantId } = change
  const people = await endUserTable.findMany(db, tenantId, ids)
  const names = people.flatMap(({ external_id, name, emails, phones }) => [
    external_id,
    name,
    ...emails.map(({ address }) => address),
    ...phones,
  ])
  const texts = names.flatMap((name) => (name === null ? [] : caseless(name)))
  const naming = texts.length === 0 ? [] : await jobsNaming(db, tenantId, texts)
  hideParams(change, naming)
  const removed = await removeExports(change, ids)
  return nextStep(
    counting(
      { ...state, jobs: [...new Set([...state.jobs, ...naming.map(({ id }) => id)])] },
      { jobs: naming.length, files: removed },
    ),
  )
}

/** Removes what was exported about the person, and ends such exports. @returns the number of files */
export async function removeExports(change: Change, ids: string[]): Promise<number> {
  const endUserIds = ids.map((id) => typeId('eu', id))
  let removed = 0
  const { db, tenantId, now } = change
  for (const { id } of await jobsWithFiles(db, tenantId, 'person_export', now, endUserIds)) {
    const job = await change.rows.find(jobs, id)
    if (job?.ended_at === null) await cancelJob(change, id)
    if (job) removed += await deleteParts(change, job)
  }
  return removed
}

/** The results of dry runs that are emptied next. */
const previewsAtOnce = 1_000

/**
 * Empties what dry runs would have changed, whomever it shows: previews are soon out of date. The conversations were
 * emptied before, so that later dry runs show nothing of the person.
 */
export async function emptyPreviews(change: Change, state: ErasureState): Promise<ErasureState> {
  const { db, tenantId } = change
  const { after, after_sequence } = state
  const next = await nextPreviews(db, tenantId, after, after_sequence, previewsAtOnce)
  const last = next.at(-1)
  if (!last) return nextStep(state)
  change.effects.write(emptyChanges(tenantId, next))
  return counting({ ...state, after: last.job_id, after_sequence: last.place }, { job_results: next.length })
}

/** The whole exports whose files still exist: the person is in those that were made before. */
export async function wholeExports({ db, tenantId, now }: Change): Promise<string[]> {
  const exports = await jobsWithFiles(db, tenantId, 'export', now, null)
  return exports.map(({ id }) => typeId('job', id))
}
