import { begin, recorded, type Span, type Tracer } from '../kernel/tracing.ts'
import type { Sql } from '../postgres/sql.ts'
import type { Job } from '../resource/resource.ts'
import { Batch } from '../unit-of-work/batch.ts'
import { type Ctx, within } from '../unit-of-work/context.ts'
import { Draft } from '../unit-of-work/draft.ts'
import { type DueRow, type FoundDueRow, findDue } from '../unit-of-work/due.ts'
import { Footprint } from '../unit-of-work/footprint.ts'
import { everywhere, lengthOf, planPart, type WritePlan } from '../unit-of-work/plan.ts'
import { keyOf } from '../unit-of-work/rows.ts'
import { commit, transact } from '../unit-of-work/transact.ts'

/** All jobs by name. */
export type Jobs = ReadonlyMap<string, Job>

export const jobsOf = (resources: { jobs?: Job[] }[]): Jobs =>
  new Map(resources.flatMap(({ jobs = [] }) => jobs.map((job) => [job.name, job])))

export type JobOutcome = 'completed' | 'failed'

/** The jobs, and those who watch them run. */
export type Running = {
  jobs: Jobs
  tracer: Tracer | null
  /** Called after a job has run, or has failed and will be tried again. */
  onRun(job: string, outcome: JobOutcome): void
}

/** Begins the span of due jobs: by OpenTelemetry's conventions for messages that a worker processes. */
const beginSpan = ({ tracer }: Running, ctx: Ctx): Span | null =>
  ctx.span
    ? ctx.span.child('process due_work', 'consumer', attributes)
    : begin(tracer, 'process due_work', 'consumer', null, attributes)
const attributes = {
  'messaging.system': 'backline',
  'messaging.operation.name': 'process',
  'messaging.operation.type': 'process',
  'messaging.destination.name': 'due_work',
}

const jobNamed = (jobs: Jobs, { job }: DueRow): Job => {
  const found = jobs.get(job)
  if (!found) throw new Error(`Unknown job ${job}; a newer version of Backline may have scheduled it`)
  return found
}

/**
 * Runs the first job of `rows`, and with the same statement as many of the following ones as are independent of it and
 * of each other: their footprints do not conflict, and no job that the batch schedules is due before them. The effects
 * equal those of running the jobs one after the other, each at the time of `ctxAt`.
 * @param alongside a further statement of the transaction, on rows that all servers of a cluster have; its argument is
 * the last row whose job runs
 * @throws if one job fails; none of them has run then
 */
export async function runBatch(
  running: Running,
  ctxAt: (row: DueRow) => Ctx,
  rows: FoundDueRow[],
  alongside?: (last: DueRow) => Sql,
): Promise<void> {
  const span = beginSpan(running, ctxAt(rows[0]!))
  const batch = performTogether(running, span ? (row) => within(ctxAt(row), span) : ctxAt, rows, alongside)
  const done = await (span ? recorded(span, batch) : batch)
  for (const { job } of done) running.onRun(job, 'completed')
}

async function performTogether(
  { jobs }: Running,
  ctxAt: (row: DueRow) => Ctx,
  rows: FoundDueRow[],
  alongside?: (last: DueRow) => Sql,
): Promise<DueRow[]> {
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
    const footprint = new Footprint()
    draft.addTo(footprint, plan)
    if (footprint.dependsOn(batch.earlier)) break
    batch.earlier.add(footprint)
    drafts.push(draft)
    plans.push(plan)
    length += lengthOf(plan)
    for (const { dueAt } of draft.scheduled) scheduled.push(dueAt)
    if (jobNamed(jobs, row).isBackground) break // what it begins comes before later work
  }
  const done = rows.slice(0, drafts.length)
  const last = done.at(-1)
  if (alongside && last)
    plans[0]!.parts.push(
      planPart(
        'plain',
        everywhere(() => alongside(last)),
        null,
      ),
    )
  const { ctx } = drafts[0]!.change
  ctx.span?.set({
    'messaging.batch.message_count': done.length,
    'backline.jobs': [...new Set(done.map(({ job }) => job))].join(','),
  })
  await commit(ctx, drafts, plans)
  return done
}

/**
 * The maximum size of a batch in characters, which memory holds several times. An article can have millions: two
 * hundred of them in one statement would end the process, and end it again after each restart.
 */
const maxLength = 4 * 1024 * 1024

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
export async function runOne(running: Running, given: Ctx, row: DueRow): Promise<void> {
  const span = beginSpan(running, given)
  span?.set({ 'messaging.batch.message_count': 1, 'backline.jobs': row.job })
  const ctx = within(given, span)
  const run = transact(ctx, async (change, draft) => {
    const found = await findDue(ctx.db, ctx.env.tenantId, row)
    if (!found) return false
    draft.completes(found)
    await jobNamed(running.jobs, row).perform(change, row.subjectId, row.dueAt)
    return true
  })
  const outcome = await (span ? recorded(span, run) : run)
  if (!outcome.replayed && outcome.result) running.onRun(row.job, 'completed')
}
