import type { Sql } from '../postgres/sql.ts'
import type { Job } from '../resource/resource.ts'
import { type Batch, Change, keyOf } from '../unit-of-work/change.ts'
import type { Ctx, DueRow, FoundDueRow } from '../unit-of-work/context.ts'
import { findDue } from '../unit-of-work/due.ts'
import type { Prepared } from '../unit-of-work/statement.ts'
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
 * Does the first of `rows`, and with it, in one statement, as many of the next as are independent of what is done
 * before them: none that needs a row which was written, and none that is due after something which was appointed; nor
 * more than memory has room for.
 * So the effects are those of doing one after the other, each at the time that `ctxAt` says.
 * @param alongside a further statement of the same transaction, given the last row that is done
 * @throws and then none of them is done
 */
export async function runBatch(
  jobs: Jobs,
  ctxAt: (row: DueRow) => Ctx,
  rows: FoundDueRow[],
  alongside?: (last: DueRow) => Sql,
): Promise<void> {
  const batch: Batch = { written: new Set(), shared: new Set(), read: new Map() }
  const drafts: Change[] = []
  const prepared: Prepared[] = []
  const appointed: string[] = []
  let readUpTo = 0
  let length = 0
  for (const [i, row] of rows.entries()) {
    if (i === readUpTo) {
      readUpTo = Math.max(readFirst, 4 * i)
      await readSubjects(jobs, ctxAt(row), rows.slice(i, readUpTo), batch)
    }
    if (length > maxLength || appointed.some((dueAt) => dueAt <= row.dueAt)) break
    const draft = new Change(ctxAt(row), batch)
    try {
      draft.completes(row)
      await jobNamed(jobs, row).perform(draft, row.subjectId, row.dueAt)
      prepared.push(await draft.prepare(null))
    } catch (error) {
      if (drafts.length > 0) break // the next batch begins with it
      throw error
    }
    drafts.push(draft)
    length += lengthOf(prepared.at(-1)!)
    for (const name of draft.written) batch.written.add(name)
    for (const { dueAt } of draft.scheduled) appointed.push(dueAt)
  }
  const last = rows[drafts.length - 1]
  if (alongside && last) prepared[0]!.parts.push({ part: () => alongside(last), item: null, mode: 'plain' })
  await commit(drafts, prepared)
}

/**
 * So many characters of what it writes are held in memory for a batch, several times over. Articles have up to some
 * millions: two hundred of them in one statement would end the process, and again whenever it is started.
 */
const maxLength = 4 * 1024 * 1024

/** How much a change writes, more or less: its events show its rows. */
const lengthOf = ({ events }: Prepared): number =>
  events.reduce((sum, { object, previous }) => sum + object.length + previous.length, 0)

/** Subjects are read ahead, more of them each time: a batch that ends soon has read few for nothing. */
const readFirst = 10

async function readSubjects(jobs: Jobs, { db, env }: Ctx, rows: DueRow[], batch: Batch): Promise<void> {
  for (const [name, due] of Map.groupBy(rows, ({ job }) => job)) {
    const entity = jobs.get(name)?.subjects
    if (!entity) continue
    const ids = due.map(({ subjectId }) => subjectId).filter((id) => !batch.read.has(keyOf(entity, id)))
    if (ids.length === 0) continue
    const found = await entity.table.findMany(db, env.tenantId, ids)
    for (const id of ids) batch.read.set(keyOf(entity, id), null)
    for (const row of found) batch.read.set(keyOf(entity, row.id), row)
  }
}

/** Does one, again and again while others are faster on its rows; nothing when somebody else has done it. */
export async function runOne(jobs: Jobs, ctx: Ctx, row: DueRow): Promise<void> {
  await transact(ctx, async (draft) => {
    const found = await findDue(ctx.db, ctx.env.tenantId, row)
    if (!found) return
    draft.completes(found)
    await jobNamed(jobs, row).perform(draft, row.subjectId, row.dueAt)
  })
}
