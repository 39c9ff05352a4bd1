import type { Sql } from '../postgres/sql.ts'
import type { Job } from '../resource/resource.ts'
import { Batch } from '../unit-of-work/batch.ts'
import type { Ctx } from '../unit-of-work/context.ts'
import { Draft } from '../unit-of-work/draft.ts'
import { type DueRow, type FoundDueRow, findDue } from '../unit-of-work/due.ts'
import type { WritePlan } from '../unit-of-work/plan.ts'
import { keyOf } from '../unit-of-work/rows.ts'
import { commit, transact } from '../unit-of-work/transact.ts'

/** All jobs by name. */
export type Jobs = ReadonlyMap<string, Job>

export const jobsOf = (resources: { jobs?: Job[] }[]): Jobs =>
  new Map(resources.flatMap(({ jobs = [] }) => jobs.map((job) => [job.name, job])))

const jobNamed = (jobs: Jobs, { job }: DueRow): Job => {
  const found = jobs.get(job)
  if (!found) throw new Error(`Unknown job ${job}; a newer version of Backline may have scheduled it`)
  return found
}

/**
 * Runs the first job of `rows`, and with the same statement as many of the following ones as are independent of it and
 * of each other: their footprints do not conflict, and no job that the batch schedules is due before them. The effects
 * equal those of running the jobs one after the other, each at the time of `ctxAt`.
 * @param alongside a further statement of the transaction; its argument is the last row whose job runs
 * @throws if one job fails; none of them has run then
 */
export async function runBatch(
  jobs: Jobs,
  ctxAt: (row: DueRow) => Ctx,
  rows: FoundDueRow[],
  alongside?: (last: DueRow) => Sql,
): Promise<void> {
  const batch = new Batch()
  const drafts: Draft[] = []
  const plans: WritePlan[] = []
  const scheduled: string[] = []
  let readUpTo = 0
  let length = 0
  for (const [i, row] of rows.entries()) {
    if (i === readUpTo) {
      readUpTo = Math.max(readFirst, 4 * i)
      await readSubjects(jobs, ctxAt(row), rows.slice(i, readUpTo), batch)
    }
    if (length > maxLength || scheduled.some((dueAt) => dueAt <= row.dueAt)) break
    const draft = new Draft(ctxAt(row), batch)
    let plan: WritePlan
    try {
      draft.completes(row)
      await jobNamed(jobs, row).perform(draft.change, row.subjectId, row.dueAt)
      plan = await draft.plan(null)
    } catch (error) {
      if (drafts.length > 0) break // the next batch begins with this row
      throw error
    }
    const footprint = draft.footprint(plan)
    if (footprint.dependsOn(batch.earlier)) break
    batch.earlier.add(footprint)
    drafts.push(draft)
    plans.push(plan)
    length += lengthOf(plan)
    for (const { dueAt } of draft.scheduled) scheduled.push(dueAt)
  }
  const last = rows[drafts.length - 1]
  if (alongside && last) plans[0]!.parts.push({ part: () => alongside(last), item: null, mode: 'plain' })
  await commit(drafts[0]!.change.ctx, drafts, plans)
}

/**
 * The maximum size of a batch in characters, which memory holds several times. An article can have millions: two
 * hundred of them in one statement would end the process, and end it again after each restart.
 */
const maxLength = 4 * 1024 * 1024

/** The approximate size of a change: its events contain its rows. */
const lengthOf = ({ events }: WritePlan): number =>
  events.reduce((sum, { object, previous }) => sum + object.length + previous.length, 0)

/**
 * The number of subjects that are read ahead at first. It grows, so that a batch that ends early has read few in vain.
 */
const readFirst = 10

async function readSubjects(jobs: Jobs, { db, env }: Ctx, rows: DueRow[], { known }: Batch): Promise<void> {
  for (const [name, due] of Map.groupBy(rows, ({ job }) => job)) {
    const entity = jobs.get(name)?.subjects
    if (!entity) continue
    const ids = due.map(({ subjectId }) => subjectId).filter((id) => !known.has(keyOf(entity, id)))
    if (ids.length === 0) continue
    const found = await entity.table.findMany(db, env.tenantId, ids)
    for (const id of ids) known.set(keyOf(entity, id), null)
    for (const row of found) known.set(keyOf(entity, row.id), row)
  }
}

/** Runs one job, again after each write conflict. Does nothing if another process has run it. */
export async function runOne(jobs: Jobs, ctx: Ctx, row: DueRow): Promise<void> {
  await transact(ctx, async (change, draft) => {
    const found = await findDue(ctx.db, ctx.env.tenantId, row)
    if (!found) return
    draft.completes(found)
    await jobNamed(jobs, row).perform(change, row.subjectId, row.dueAt)
  })
}
