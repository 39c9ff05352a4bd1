import { typeId } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { cancelJob } from '../../jobs/actions.ts'
import { jobs } from '../../jobs/entity.ts'
import { endUserTable } from '../../people/end-users/queries.ts'
import { deleteParts } from '../exports/parts.ts'
import { emptyParams, jobsNaming, jobsWithFiles } from './queries.ts'
import { counting, type ErasureState, nextStep } from './state.ts'

/*
 * Jobs and the files that they made. What the team asked for can name a person: a filter by an address, for example.
 */

/** Notes the jobs that name the person, before the texts that name it are gone, and removes its own exports. */
export async function findJobs(change: Change, state: ErasureState, ids: string[]): Promise<ErasureState> {
  const { db, tenantId } = change
  const people = await endUserTable.findMany(db, tenantId, ids)
  const names = people.flatMap(({ external_id, name, emails, phones }) => [
    external_id,
    name,
    ...emails.map(({ address }) => address),
    ...phones,
  ])
  const texts = names.flatMap((name) => (name === null ? [] : name.toLowerCase()))
  const naming = texts.length === 0 ? [] : await jobsNaming(db, tenantId, texts)
  const removed = await removeExports(change, ids)
  return nextStep(
    counting(
      { ...state, jobs: [...new Set([...state.jobs, ...naming.map(({ id }) => id)])] },
      { jobs: naming.length, files: removed },
    ),
  )
}

/** Removes what was exported about the person, and ends such exports. @returns the number of files */
async function removeExports(change: Change, ids: string[]): Promise<number> {
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

/** Empties the params of the jobs that name the person. */
export function forgetParams({ effects, tenantId }: Change, { jobs }: ErasureState): void {
  if (jobs.length > 0) effects.write(emptyParams(tenantId, jobs))
}

/** The whole exports whose files still exist: the person is in those that were made before. */
export async function wholeExports({ db, tenantId, now }: Change): Promise<string[]> {
  const exports = await jobsWithFiles(db, tenantId, 'export', now, null)
  return exports.map(({ id }) => typeId('job', id))
}
