import type { Sql } from '../postgres/sql.ts'
import type { Job } from '../resource/resource.ts'
import { Batch } from '../unit-of-work/batch.ts'
import type { Ctx } from '../unit-of-work/context.ts'
import { Draft } from '../unit-of-work/draft.ts'
import { type DueRow, type FoundDueRow, findDue } from '../unit-of-work/due.ts'
import type { WritePlan } from '../unit-of-work/plan.ts'
import { keyOf } from '../unit-of-work/rows.ts'
import { commit, transact } from '../unit-of-work/transact.ts'

/** All jobs by their names. */
export type Jobs = ReadonlyMap<string, Job>

export const jobsOf = (resources: { jobs?: Job[] }[]): Jobs =>
  new Map(resources.flatMap(({ jobs = [] }) => jobs.map((job) => [job.name, job])))

const jobNamed = (jobs: Jobs, { job }: DueRow): Job => {
  const found = jobs.get(job)
  if (!found) throw new Error(`Unknown job ${job}; a newer version of Backline may have scheduled it`)
  return found
}

/**
 * Runs the job of the first of `rows`, and in the same statement those of as many of the next as are independent of the
 * ones before them: whose footprints do not conflict, and which are not due after a job that was scheduled on the way. The
 * effects are those of running one after the other, each at the time that `ctxAt` says.
 * @param alongside a further statement of the same transaction, given the last row whose job is run
 * @throws and then none of them has run
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
      if (drafts.length > 0) break // the next batch begins with it
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
 * So many characters of what it writes are held in memory for a batch, several times over. Articles have up to some
 * millions: two hundred of them in one statement would end the process, and again whenever it is started.
 */
const maxLength = 4 * 1024 * 1024

/** How much a change writes, more or less: its events show its rows. */
const lengthOf = ({ events }: WritePlan): number =>
  events.reduce((sum, { object, previous }) => sum + object.length + previous.length, 0)

/** Subjects are read ahead, more of them each time: a batch that ends soon has read few for nothing. */
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

/** Runs one job, again after each write conflict; does nothing when another process has done it. */
export async function runOne(jobs: Jobs, ctx: Ctx, row: DueRow): Promise<void> {
  await transact(ctx, async (change, draft) => {
    const found = await findDue(ctx.db, ctx.env.tenantId, row)
    if (!found) return
    draft.completes(found)
    await jobNamed(jobs, row).perform(change, row.subjectId, row.dueAt)
  })
}
