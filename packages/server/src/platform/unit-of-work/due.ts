import { everyEnvironment } from '../journal/every-environment.ts'
import { type Instant, toInstant } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'
import type { Db } from '../postgres/database.ts'
import { type Columns, rowSet } from '../postgres/row-set.ts'
import { type Sql, sql } from '../postgres/sql.ts'

/** A job for a subject, due at a time of its environment's clock. */
export type DueRow = { job: string; subjectId: string; dueAt: Instant }

/** A job that is not run before `leasedUntil`, a real time: a process works on it until then. Null for no lease. */
type LeasedRow = DueRow & { leasedUntil?: Instant | null }

/** A due row as it was read. A row that is scheduled again has a higher number, even for the same time. */
export type FoundDueRow = DueRow & { appointment: number }

type Subject = Pick<DueRow, 'job' | 'subjectId'>

/** The rows of one part are locked in one order. */
const inOrder = <Row extends Subject>(rows: Row[]): Row[] =>
  rows.toSorted((one, other) => (`${one.job}/${one.subjectId}` < `${other.job}/${other.subjectId}` ? -1 : 1))

const subject: Columns<Subject> = {
  duty: ['text', ({ job }) => job],
  subject_id: ['uuid', ({ subjectId }) => subjectId],
}
const appointment: Columns<LeasedRow> = {
  ...subject,
  due_at: ['timestamptz', ({ dueAt }) => dueAt],
  retry_at: ['timestamptz', ({ leasedUntil = null }) => leasedUntil],
}
const subjects = rowSet(subject)
const appointments = rowSet(appointment)

const insertDue = (tenantId: string, rows: LeasedRow[]): Sql =>
  sql`insert into due_work (tenant_id, duty, subject_id, due_at, retry_at)
    select ${tenantId}::uuid, duty, subject_id, due_at, retry_at from ${appointments(inOrder(rows))}`

/**
 * Locks rows in one order before any of them is written, so that transactions with different writes do not deadlock.
 */
export const lockDue = (tenantId: string, rows: Subject[]): Sql =>
  sql`select 1 from (select 1 from due_work, ${subjects(rows)} where ${ofSubject(tenantId)}
    order by due_work.duty, due_work.subject_id for update of due_work) locked`

/** Schedules jobs; a new time replaces an existing one. */
export const scheduleDue = (tenantId: string, rows: LeasedRow[]): Sql =>
  sql`${insertDue(tenantId, rows)} on conflict (tenant_id, duty, subject_id)
    do update set due_at = excluded.due_at, appointment = due_work.appointment + 1, attempts = 0,
      retry_at = excluded.retry_at
    returning 1`

/** Schedules jobs; an existing time stays. */
export const scheduleUnlessDue = (tenantId: string, rows: LeasedRow[]): Sql =>
  sql`${insertDue(tenantId, rows)} on conflict (tenant_id, duty, subject_id) do nothing returning 1`

const ofSubject = (tenantId: string): Sql =>
  sql`due_work.tenant_id = ${tenantId} and due_work.duty = v.duty and due_work.subject_id = v.subject_id`

export const cancelDue = (tenantId: string, rows: Subject[]): Sql =>
  sql`delete from due_work using ${subjects(inOrder(rows))} where ${ofSubject(tenantId)} returning 1`

const found: Columns<FoundDueRow> = { ...subject, appointment: ['integer', (row) => row.appointment] }
const foundRows = rowSet(found)

/** Deletes rows and returns one for each that was unchanged. */
export const completeDue = (tenantId: string, rows: FoundDueRow[]): Sql =>
  sql`delete from due_work using ${foundRows(rows)}
    where ${ofSubject(tenantId)} and due_work.appointment = v.appointment returning 1`

type Postponed = FoundDueRow & { next: Instant; leasedUntil: Instant | null }
const postponements = rowSet<Postponed>({
  ...found,
  next: ['timestamptz', ({ next }) => next],
  retry_at: ['timestamptz', ({ leasedUntil }) => leasedUntil],
})

/** Postpones rows and returns one for each that was unchanged. */
export const postponeDue = (tenantId: string, rows: Postponed[]): Sql =>
  sql`update due_work set due_at = v.next, appointment = v.appointment + 1, attempts = 0, retry_at = v.retry_at
    from ${postponements(rows)}
    where ${ofSubject(tenantId)} and due_work.appointment = v.appointment returning 1`

/**
 * Moves all due times of a job by a number of seconds after a change of the setting that they depend on. Computes in
 * UTC, because `timestamptz + interval` depends on the session's time zone and is not immutable.
 */
export const shiftDue = (tenantId: string, job: string, seconds: number): Sql =>
  sql`update due_work set due_at = (due_at at time zone 'UTC' + make_interval(secs => ${seconds})) at time zone 'UTC', appointment = appointment + 1
    where tenant_id = ${tenantId} and duty = ${job}`

/**
 * Returns the rows that are due by `until` on the environment's clock, in order, without those that wait after a
 * failure or are leased.
 */
export const dueRows = (
  db: Db,
  tenantId: string,
  until: Instant,
  realNow: Instant,
  limit: number,
): Promise<FoundDueRow[]> =>
  db.rows(sql`select duty as job, subject_id as "subjectId", due_at as "dueAt", appointment from due_work
    where tenant_id = ${tenantId} and due_at <= ${until} and (retry_at is null or retry_at <= ${realNow})
    order by due_at, duty, subject_id limit ${limit}`)

/** Returns the current due row; null if the job has run or was moved to another time. */
export const findDue = (
  db: Db,
  tenantId: string,
  { job, subjectId, dueAt }: DueRow,
): Promise<FoundDueRow | null> =>
  db.maybe(sql`select duty as job, subject_id as "subjectId", due_at as "dueAt", appointment from due_work
    where tenant_id = ${tenantId} and duty = ${job} and subject_id = ${subjectId} and due_at = ${dueAt}`)

/**
 * Returns the environments with rows that are due within some time, each with its next due time. Probes the index once
 * per environment.
 */
export async function nextDueTimes(
  db: Db,
  realNowMs: number,
  withinMs: number,
): Promise<{ env: Environment; nextDueAt: Instant }[]> {
  const rows = await db.slowRows<Environment & { nextDueAt: Instant }>(
    sql`select e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs", d.due_at as "nextDueAt"
      from ${everyEnvironment} cross join lateral (select due_at from due_work
        where due_work.tenant_id = h.tenant_id and (retry_at is null or retry_at <= ${toInstant(realNowMs)})
        order by due_at limit 1) d
      where d.due_at <= to_timestamp((${realNowMs + withinMs}::bigint + e.clock_offset_ms) / 1000.0)`,
  )
  return rows.map(({ nextDueAt, ...env }) => ({ env, nextDueAt }))
}

/** The due rows of an environment that are examined for the age of each job. */
const examined = 1_000

/**
 * Returns the time by which the oldest due row of each job is late, in milliseconds. Examines the oldest rows of each
 * environment only: a job whose rows all come after these is missing, and less late than the others. Leased rows are
 * being worked on, and not late.
 */
export async function overdueJobs(db: Pick<Db, 'rows'>, realNowMs: number): Promise<Map<string, number>> {
  const rows = await db.rows<{ job: string; ms: number }>(sql`select d.duty as job,
      max(${realNowMs}::bigint + e.clock_offset_ms - extract(epoch from d.due_at) * 1000)::float8 as ms
    from ${everyEnvironment}
    cross join lateral (select duty, due_at from due_work where due_work.tenant_id = h.tenant_id
        and (attempts > 0 or retry_at is null or retry_at <= ${toInstant(realNowMs)})
      order by due_at, duty, subject_id limit ${examined}) d
    where d.due_at <= to_timestamp((${realNowMs}::bigint + e.clock_offset_ms) / 1000.0) group by d.duty`)
  return new Map(rows.map(({ job, ms }) => [job, ms]))
}

/** Extends the lease of a job. */
export const renewLease = async (
  db: Db,
  tenantId: string,
  { job, subjectId }: Subject,
  leasedUntil: Instant,
): Promise<void> => {
  await db.write(sql`update due_work set retry_at = ${leasedUntil}
    where tenant_id = ${tenantId} and duty = ${job} and subject_id = ${subjectId} and retry_at is not null`)
}

/** Postpones a row after a failure: by one second, then two, four, and so on to about ten minutes, in real time. */
export const backOff = async (
  db: Db,
  tenantId: string,
  { job, subjectId, dueAt }: DueRow,
  realNow: Instant,
): Promise<void> => {
  await db.write(sql`update due_work set attempts = attempts + 1,
      retry_at = (${realNow}::timestamptz at time zone 'UTC' + make_interval(secs => least(600, 2 ^ least(attempts, 10)))) at time zone 'UTC'
    where tenant_id = ${tenantId} and duty = ${job} and subject_id = ${subjectId} and due_at = ${dueAt}`)
}
