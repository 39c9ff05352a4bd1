import { everyEnvironment } from '../../../platform/journal/every-environment.ts'
import type { Instant } from '../../../platform/kernel/clock.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { comma, join, type Sql, sql } from '../../../platform/postgres/sql.ts'

export type Task = {
  file_id: string
  task: 'scan' | 'tidy'
  copies: number
  final_at: Instant
  failures: number
}

/**
 * Reserves the number of the next copy of an upload, before it is made: whatever happens to the process, `tidy` knows
 * the keys of all copies. It is due when no more bytes can arrive.
 * @returns null if the file is no longer waiting for its upload
 */
export async function reserveCopy(
  db: Db,
  tenantId: string,
  fileId: string,
  finalAt: Instant,
): Promise<number | null> {
  const [row] = await db.write<{ copies: number }>(sql`
    insert into file_tasks (tenant_id, file_id, task, copies, due_at, final_at, failures)
    select ${tenantId}::uuid, id, 'tidy', 1, ${finalAt}::timestamptz, ${finalAt}::timestamptz, 0 from files
    where tenant_id = ${tenantId} and id = ${fileId} and status = 'awaiting_upload'
    on conflict (tenant_id, file_id, task) do update
      set copies = file_tasks.copies + 1, due_at = excluded.due_at, final_at = excluded.final_at
    returning copies`)
  return row?.copies ?? null
}

/** Reserves the copy of a file that the server makes, as `reserveCopy` does. */
export const reserveFirstCopy = async (
  db: Db,
  tenantId: string,
  fileId: string,
  finalAt: Instant,
): Promise<void> => {
  await db.write(sql`insert into file_tasks (tenant_id, file_id, task, copies, due_at, final_at, failures)
    values (${tenantId}, ${fileId}, 'tidy', 1, ${finalAt}, ${finalAt}, 0)`)
}

/** `copies` is the number of copies that may exist. */
type NewTask = { file_id: string; copies: number; due_at: Instant; final_at: Instant }

const valuesOf = (tenantId: string, task: string, tasks: NewTask[]) =>
  join(
    tasks.map(
      ({ file_id, copies, due_at, final_at }) =>
        sql`(${tenantId}, ${file_id}, ${task}, ${copies}, ${due_at}, ${final_at}, 0)`,
    ),
    comma,
  )

export const insertScans = (tenantId: string, tasks: NewTask[]): Sql =>
  sql`insert into file_tasks (tenant_id, file_id, task, copies, due_at, final_at, failures)
    values ${valuesOf(tenantId, 'scan', tasks)}`

/** Lets the bytes of files be tidied at once, and again when no more can arrive. */
export const tidySoon = (tenantId: string, tasks: NewTask[]): Sql =>
  sql`insert into file_tasks (tenant_id, file_id, task, copies, due_at, final_at, failures)
    values ${valuesOf(tenantId, 'tidy', tasks)}
    on conflict (tenant_id, file_id, task) do update set due_at = excluded.due_at, final_at = excluded.final_at,
      copies = greatest(file_tasks.copies, excluded.copies)`

/** The environments with tasks of a kind that are due. */
export const environmentsWithTasks = (db: Db, task: Task['task'], now: Instant): Promise<Environment[]> =>
  db.rows(sql`select e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from ${everyEnvironment} cross join lateral (select 1 from file_tasks
      where file_tasks.tenant_id = h.tenant_id and file_tasks.task = ${task} and file_tasks.due_at <= ${now} limit 1) due`)

/** Takes the tasks that have been due longest. Another process takes them after `until`, if they are still there. */
export const claimTasks = (
  db: Db,
  tenantId: string,
  task: Task['task'],
  now: Instant,
  until: Instant,
  limit: number,
): Promise<Task[]> =>
  db.write(sql`update file_tasks set due_at = ${until} from (
      select file_id, task from file_tasks where tenant_id = ${tenantId} and task = ${task} and due_at <= ${now}
      order by due_at limit ${limit} for update skip locked) mine
    where file_tasks.tenant_id = ${tenantId} and file_tasks.file_id = mine.file_id and file_tasks.task = mine.task
    returning file_tasks.file_id, file_tasks.task, file_tasks.copies, file_tasks.final_at, file_tasks.failures`)

/** Lets a task that this process took at `until` run again. One that was made due meanwhile stays so. */
export async function postponeTask(
  db: Db,
  tenantId: string,
  { file_id, task }: Task,
  until: Instant,
  next: { dueAt: Instant; failures: number },
): Promise<void> {
  await db.write(sql`update file_tasks set due_at = ${next.dueAt}, failures = ${next.failures}
    where tenant_id = ${tenantId} and file_id = ${file_id} and task = ${task} and due_at = ${until}`)
}

/** Removes a task that is done. One that was made due meanwhile stays. */
export async function finishTask(
  db: Db,
  tenantId: string,
  { file_id, task }: Task,
  until: Instant,
): Promise<void> {
  await db.write(sql`delete from file_tasks
    where tenant_id = ${tenantId} and file_id = ${file_id} and task = ${task} and due_at = ${until}`)
}

export const deleteScans = (tenantId: string, fileIds: string[]): Sql =>
  sql`delete from file_tasks
    where tenant_id = ${tenantId} and file_id = any(${fileIds}::uuid[]) and task = 'scan'`
