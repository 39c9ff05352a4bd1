import type { Db } from '../../../../platform/postgres/database.ts'
import { identifier, type Sql, sql } from '../../../../platform/postgres/sql.ts'
import type { Subject } from '../queries.ts'
import type { Value } from '../values/queries.ts'

/** The job that works on the values of a field; its subject is the field. */
export const valuesJob = 'custom_field_values'

export type Task = { field_id: string; applies_to: Subject; slot: string; after: string }

export const beginTask = (tenantId: string, { field_id, applies_to, slot, after }: Task): Sql =>
  sql`insert into custom_field_tasks (tenant_id, field_id, applies_to, slot, after)
    values (${tenantId}, ${field_id}, ${applies_to}, ${slot}, ${after})
    on conflict (tenant_id, field_id) do update set fence = null, after = excluded.after`

/** A task. `fence` is null until it has been noted. */
export const findTask = (
  db: Db,
  tenantId: string,
  fieldId: string,
): Promise<(Task & { fence: string | null }) | null> =>
  db.maybe(sql`select field_id, applies_to, slot, after, fence::text as fence
    from custom_field_tasks where tenant_id = ${tenantId} and field_id = ${fieldId}`)

/** The number that the next transaction that writes will have. */
export const nextTransaction = async (db: Db): Promise<string> =>
  (await db.rows<{ next: string }>(sql`select pg_snapshot_xmax(pg_current_snapshot())::text as next`))[0]!
    .next

/**
 * Have all statements ended that may see the database as it was before a transaction? A statement that writes has its
 * number only from its first row on; before that it shows in `backend_xmin`.
 */
export const haveEndedBefore = async (db: Db, fence: string): Promise<boolean> => {
  const found = await db.rows<{ ended: boolean }>(sql`select
    pg_snapshot_xmin(pg_current_snapshot()) >= ${fence}::text::xid8 and not exists (
      select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
        and pid <> pg_backend_pid() and age(backend_xmin) > age(${fence}::text::xid8::xid)) as ended`)
  return found[0]!.ended
}

export const setFence = (tenantId: string, fieldId: string, fence: string): Sql =>
  sql`update custom_field_tasks set fence = ${fence}::text::xid8
    where tenant_id = ${tenantId} and field_id = ${fieldId}`

export const moveTask = (tenantId: string, fieldId: string, after: string): Sql =>
  sql`update custom_field_tasks set after = ${after} where tenant_id = ${tenantId} and field_id = ${fieldId}`

export const endTask = (tenantId: string, fieldId: string): Sql =>
  sql`delete from custom_field_tasks where tenant_id = ${tenantId} and field_id = ${fieldId}`

const tables: Record<Subject, Sql> = {
  conversation: identifier('conversations'),
  end_user: identifier('end_users'),
  company: identifier('companies'),
}

/** The next objects of a task, in the order of their ids, with their value; null for none. */
export const nextObjects = (
  db: Db,
  tenantId: string,
  { applies_to, slot, after }: Task,
  limit: number,
): Promise<{ id: string; value: Value | null }[]> =>
  db.rows(sql`select id, custom_values -> ${slot}::text as value from ${tables[applies_to]}
    where tenant_id = ${tenantId} and id > ${after} order by id limit ${limit}`)

/** Removes the values of a deleted field, which nothing shows any more: the version of the objects stays. */
export const removeValues = (tenantId: string, { applies_to, slot }: Task, ids: string[]): Sql =>
  sql`update ${tables[applies_to]} set custom_values = nullif(custom_values - ${slot}::text, '{}'::jsonb)
    where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`

/** Some entries of the index of a field. */
export const someEntries = async (
  db: Db,
  tenantId: string,
  fieldId: string,
  limit: number,
): Promise<{ value: string; subject_id: string }[]> =>
  db.rows(sql`select value, subject_id from custom_field_values
    where tenant_id = ${tenantId} and field_id = ${fieldId} limit ${limit}`)
