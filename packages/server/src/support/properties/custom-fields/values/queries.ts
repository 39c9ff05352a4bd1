import { rowSet } from '../../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { type EndUserAccess, slotOf } from '../queries.ts'

export type Value = string | number | boolean | string[]

/** A value of a custom field of an object. */
export type CustomValue = { field_id: string; key: string; access: EndUserAccess; value: Value }

/** The values in a column `custom_values`, as a `joined` expression. Those of deleted fields are left out. */
export const customValuesIn =
  (column: Sql) =>
  (tenantId: string): Sql =>
    sql`case when ${column} is null then '[]'::json else (
    select coalesce(json_agg(json_build_object('field_id', field.id, 'key', field.key, 'access', field.end_user_access,
        'value', stored.value) order by field.key collate "C"), '[]'::json)
      from jsonb_each(${column}) stored
        cross join lateral (select * from custom_fields field where field.tenant_id = ${tenantId}
          and field.slot = stored.key limit 1) field) end`

/** The column `custom_values` of values, as a `derived` column. */
export const storedValues = {
  type: 'json',
  value: ({ custom_fields }: { custom_fields: CustomValue[] }) =>
    custom_fields.length === 0
      ? null
      : JSON.stringify(
          Object.fromEntries(custom_fields.map(({ field_id, value }) => [slotOf(field_id), value])),
        ),
} as const

/** A value in `custom_field_values`. */
export type IndexedValue = { field_id: string; value: string; subject_id: string }

const entries = rowSet<IndexedValue>({
  field_id: ['uuid', ({ field_id }) => field_id],
  value: ['text', ({ value }) => value],
  subject_id: ['uuid', ({ subject_id }) => subject_id],
})

/** Adds the values of indexed fields. The database decides which these are, as of the statement. */
export const insertIndexed = (tenantId: string, values: IndexedValue[]): Sql =>
  sql`insert into custom_field_values (tenant_id, field_id, value, subject_id)
    select ${tenantId}::uuid, field.id, v.value, v.subject_id from ${entries(values)}
      join custom_fields field on field.tenant_id = ${tenantId} and field.id = v.field_id and field.indexed
    on conflict (tenant_id, field_id, value, subject_id) do nothing`

/** Adds values of a field that the caller knows to be indexed. */
export const insertKnownIndexed = (tenantId: string, values: IndexedValue[]): Sql =>
  sql`insert into custom_field_values (tenant_id, field_id, value, subject_id)
    select ${tenantId}::uuid, v.field_id, v.value, v.subject_id from ${entries(values)}
    on conflict (tenant_id, field_id, value, subject_id) do nothing`

export const deleteIndexed = (tenantId: string, values: IndexedValue[]): Sql =>
  sql`delete from custom_field_values using ${entries(values)} where custom_field_values.tenant_id = ${tenantId}
    and custom_field_values.field_id = v.field_id and custom_field_values.value = v.value
    and custom_field_values.subject_id = v.subject_id`
