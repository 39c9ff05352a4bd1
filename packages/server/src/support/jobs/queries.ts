import type { SortKey } from '../../platform/kernel/page.ts'
import type { Db } from '../../platform/postgres/database.ts'
import { rowSet } from '../../platform/postgres/row-set.ts'
import { limitTo, none, type Sql, sql } from '../../platform/postgres/sql.ts'
import { byCreation, defineTable } from '../../platform/tables/table.ts'
import type { Actor } from '../../platform/unit-of-work/principal.ts'
import { type RowOf, tables } from '../vocabulary/tables.generated.ts'

export const jobTypes = [
  'bulk',
  'export',
  'import',
  'erasure',
  'person_export',
  'retention',
  'custom_field_removal',
] as const
export type JobType = (typeof jobTypes)[number]

export const jobStatuses = [
  'queued',
  'running',
  'succeeded',
  'completed_with_errors',
  'failed',
  'cancelled',
] as const
export type JobStatus = (typeof jobStatuses)[number]

/** The actor and request that started a job, and what they may do: its changes are made in their name. */
export type Starter = {
  actor: Actor
  viewerId: string | null
  scopes: string[]
  ip: string | null
  userAgent: string | null
  idempotencyKey: string | null
}

export type JobError = { code: string; detail: string }

export type Job = RowOf<
  'jobs',
  {
    type: JobType
    status: JobStatus
    params: Record<string, unknown>
    starter: Starter
    /** Where the work goes on, in the form of its kind. */
    state: unknown
    result: Record<string, unknown> | null
    error: JobError | null
  }
>

export const jobTable = defineTable<Job>({
  name: 'jobs',
  columns: tables.jobs,
  fixed: ['type', 'dry_run', 'starter', 'erases_params'],
})

export const jobOrders = byCreation

type JobFilter = { type?: string; status?: string }

export const jobConditions = ({ type, status }: JobFilter): Sql[] => [
  ...(type === undefined ? [] : [sql`jobs.type = any(${type.split(',')}::text[])`]),
  ...(status === undefined ? [] : [sql`jobs.status = any(${status.split(',')}::text[])`]),
]

/** An invalid field of an object, or the reason why the object as a whole was refused: then without `pointer`. */
export type ResultFault = { pointer: string | null; code: string; detail: string }

/** The result of an object or line of a job. `place` is its index or line. */
export type JobResult = {
  job_id: string
  place: number
  status: 'succeeded' | 'failed'
  object_id: string | null
  errors: ResultFault[] | null
  /** The fields that a dry run would change. */
  changes: Record<string, { from: unknown; to: unknown }> | null
}

const resultRows = rowSet<JobResult>({
  job_id: ['uuid', ({ job_id }) => job_id],
  place: ['integer', ({ place }) => place],
  status: ['text', ({ status }) => status],
  object_id: ['text', ({ object_id }) => object_id],
  errors: ['json', ({ errors }) => errors && JSON.stringify(errors)],
  changes: ['json', ({ changes }) => changes && JSON.stringify(changes)],
})

export const insertResults = (tenantId: string, results: JobResult[]): Sql =>
  sql`insert into job_results (tenant_id, job_id, place, status, object_id, errors, changes)
    select ${tenantId}::uuid, job_id, place, status, object_id, errors, changes from ${resultRows(results)}`

const ofStatus = (status: string | undefined): Sql =>
  status === undefined ? none : sql` and status = ${status}`

/** In the order of the objects or lines. */
export const listResults = (
  db: Db,
  tenantId: string,
  jobId: string,
  status: string | undefined,
  { limit, after }: { limit: number; after: SortKey | null },
): Promise<JobResult[]> =>
  db.rows(sql`select job_id, place, status, object_id, errors, changes from job_results
    where tenant_id = ${tenantId} and job_id = ${jobId} and place > ${after?.[0] ?? -1}${ofStatus(status)}
    order by place ${limitTo(limit)}`)

export async function countResults(
  db: Db,
  tenantId: string,
  jobId: string,
  status: string | undefined,
  atMost: number,
): Promise<number> {
  const [row] = await db.slowRows<{ count: number }>(sql`select count(*) from (select 1 from job_results
    where tenant_id = ${tenantId} and job_id = ${jobId}${ofStatus(status)} limit ${atMost + 1}) found`)
  return row!.count
}

/** The most ids in a part of a selection. */
export const selectedTogether = 1_000

/** Ids of a selection, with the place of the first one. */
export type SelectedPart = { job_id: string; first_place: number; ids: string[] }

export const insertSelected = (tenantId: string, { job_id, first_place, ids }: SelectedPart): Sql =>
  sql`insert into job_selections (tenant_id, job_id, first_place, ids)
    values (${tenantId}, ${job_id}, ${first_place}, ${ids}::uuid[])`

/** Up to `count` ids of a selection from a place on, of one of its parts. */
export async function selectedIds(
  db: Db,
  tenantId: string,
  jobId: string,
  place: number,
  count: number,
): Promise<string[]> {
  if (count === 0) return []
  const row = await db.maybe<{ ids: string[] }>(sql`select
      ids[${place}::integer - first_place + 1 : ${place}::integer - first_place + ${count}::integer] as ids
    from job_selections where tenant_id = ${tenantId} and job_id = ${jobId} and first_place <= ${place}
    order by first_place desc limit 1`)
  return row?.ids ?? []
}

/** The place up to which a job has so many results; null if it has fewer. */
export async function placeAfter(
  db: Db,
  tenantId: string,
  jobId: string,
  count: number,
): Promise<number | null> {
  const row = await db.maybe<{ place: number }>(sql`select place from job_results
    where tenant_id = ${tenantId} and job_id = ${jobId} order by place offset ${count - 1} limit 1`)
  return row?.place ?? null
}

export const deleteResults = (tenantId: string, jobId: string, upToPlace: number): Sql =>
  sql`delete from job_results where tenant_id = ${tenantId} and job_id = ${jobId} and place <= ${upToPlace}`

export const deleteSelection = (tenantId: string, jobId: string): Sql =>
  sql`delete from job_selections where tenant_id = ${tenantId} and job_id = ${jobId}`

/** The difference of the environment's clock to real time. */
export async function clockOffset(db: Db, tenantId: string): Promise<number> {
  const row = await db.maybe<{ ms: number }>(
    sql`select clock_offset_ms as ms from environments where id = ${tenantId}`,
  )
  return row!.ms
}

/** Hides the params of jobs. The attempt of the process at work ends. */
export const markHidden = (tenantId: string, ids: string[]): Sql =>
  sql`update jobs set erases_params = true, attempts = attempts - (status = 'running')::integer,
      version = version + 1
    where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`

/** Empties the params of jobs that have ended. */
export const emptyParams = (tenantId: string, ids: string[]): Sql =>
  sql`update jobs set params = '{}' where tenant_id = ${tenantId} and id = any(${ids}::uuid[])
    and ended_at is not null`

/** The job of a type that works on an end user and has not ended; null if there is none. */
export const findUnended = (
  db: Db,
  tenantId: string,
  type: JobType,
  endUserId: string,
): Promise<{ id: string } | null> =>
  db.maybe(sql`select id from jobs where tenant_id = ${tenantId} and type = ${type} and ended_at is null
    and not dry_run and params ->> 'end_user_id' = ${endUserId} limit 1`)
