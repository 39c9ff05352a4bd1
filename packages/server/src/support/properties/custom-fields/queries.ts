import type { SortKey } from '../../../platform/kernel/page.ts'
import type { Db, RowSource } from '../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, defineTable, type Order } from '../../../platform/tables/table.ts'
import { counter } from '../../../platform/unit-of-work/plan.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'

export type Subject = 'conversation' | 'end_user' | 'company'

export const types = [
  'text',
  'number',
  'boolean',
  'date',
  'datetime',
  'select',
  'multi_select',
  'url',
] as const
export type CustomFieldType = (typeof types)[number]

export const endUserAccesses = ['none', 'read', 'write'] as const
export type EndUserAccess = (typeof endUserAccesses)[number]

export type Option = { value: string; label: string; archived: boolean }

export type CustomField = RowOf<
  'custom_fields',
  {
    applies_to: Subject
    type: CustomFieldType
    options: Option[]
    required_on: 'create' | 'resolve' | null
    end_user_access: EndUserAccess
  },
  'slot'
>

/** The name under which objects store the values of a field: unlike its key, it is never given to another field. */
export const slotOf = (fieldId: string): string => fieldId.replaceAll('-', '').slice(-12)

export const customFieldTable = defineTable<CustomField>({
  name: 'custom_fields',
  columns: tables.custom_fields,
  fixed: ['applies_to', 'key', 'type'],
  derived: { slot: { type: 'text', value: ({ id }) => slotOf(id), isFixed: true } },
})

export const customFieldOrders = {
  position: {
    by: sql`position, id`,
    after: ([position, id]: SortKey) => sql`(position, id) > (${position}, ${id})`,
    key: (row: CustomField): SortKey => [row.position, row.id],
  },
  ...byCreation,
} as const satisfies Record<string, Order<CustomField>>

export const indexStatusOf = ({
  indexed,
  index_ready,
}: Pick<CustomField, 'indexed' | 'index_ready'>): 'none' | 'building' | 'ready' =>
  indexed ? (index_ready ? 'ready' : 'building') : 'none'

export const withSubject = (subject: string): Sql => sql`applies_to = ${subject}`

export const findCustomFieldByKey = (
  db: Db,
  tenantId: string,
  { applies_to, key }: Pick<CustomField, 'applies_to' | 'key'>,
): Promise<{ id: string } | null> =>
  db.maybe(
    sql`select id from custom_fields where tenant_id = ${tenantId} and applies_to = ${applies_to} and key = ${key}`,
  )

/** All fields of an environment, in their order. */
export const allCustomFields = (db: Db, tenantId: string): Promise<CustomField[]> =>
  db.rows(sql`select ${customFieldTable.columns(tenantId)} from custom_fields
    where tenant_id = ${tenantId} order by position, id`)

type Generation = { id: string; generation: number }

const generations: RowSource<Generation> = {
  one: (db, tenantId) => db.maybe(generationOf(tenantId)),
  many: (db, tenantId) => db.rows(generationOf(tenantId)),
}

export const fieldGenerations = sql`custom_field_generations`

const generationOf = (tenantId: string): Sql =>
  sql`select tenant_id as id, generation from ${fieldGenerations} where tenant_id = ${tenantId}`

/** Changes whenever a custom field does; 0 before the first one. Concurrent requests share one statement. */
export const generationOfCustomFields = async (db: Db, tenantId: string): Promise<number> =>
  (await db.reads.find(generations, db, tenantId, tenantId))?.generation ?? 0

/** The same as an expression, for rows that are cached with the values of fields; null before the first field. */
export const generationForRows = (tenantId: string): Sql =>
  sql`(select generation from custom_field_generations where tenant_id = ${tenantId})`

export const raiseGenerations = counter<null>(
  { table: 'custom_field_generations' },
  (tenantId) => sql`insert into custom_field_generations (tenant_id, generation) values (${tenantId}, 1)
    on conflict (tenant_id) do update set generation = custom_field_generations.generation + 1 returning 1`,
)
