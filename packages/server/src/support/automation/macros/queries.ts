import type { Instant } from '../../../platform/kernel/clock.ts'
import { newUuid } from '../../../platform/kernel/ids.ts'
import { nameKey } from '../../../platform/kernel/names.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { comma, join, type Sql, sql } from '../../../platform/postgres/sql.ts'
import {
  byCreation,
  byName,
  defineTable,
  type Order,
  type TableDefinition,
} from '../../../platform/tables/table.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'
import type { Action } from './action-schema.ts'

export type Macro = RowOf<
  'macros',
  {
    /** Their ids are TypeIDs. */
    actions: Action[]
    /** The departments that may use the macro; all if it is empty. */
    department_ids: string[]
    usage_count: number
    last_used_at: Instant | null
  },
  'name_key'
>

const definition: TableDefinition<Macro> = {
  name: 'macros',
  columns: tables.macros,
  large: ['actions'],
  derived: { name_key: { type: 'text', value: (row) => nameKey(row.name) } },
}

export const macroTable = defineTable<Macro>({
  ...definition,
  joined: {
    usage_count: (tenantId) => sql`(select count(*) from macro_uses used
      where used.tenant_id = ${tenantId} and used.macro_id = macros.id)`,
    last_used_at: (tenantId) => sql`(select used.used_at from macro_uses used
      where used.tenant_id = ${tenantId} and used.macro_id = macros.id order by used.id desc limit 1)`,
  },
})

/** For changes that apply a macro and do not show it: the cost of counting its uses grows with them. */
export const macroTableUncounted = defineTable<Macro>({
  ...definition,
  joined: { usage_count: sql`0`, last_used_at: sql`null::timestamptz` },
})

export const macroOrders = {
  position: {
    by: sql`position, name_key, id`,
    after: ([position, name, id]) => sql`(position, name_key, id) > (${position}, ${name}, ${id})`,
    key: (row) => [row.position, nameKey(row.name), row.id],
  },
  name: byName,
  ...byCreation,
} as const satisfies Record<string, Order<Macro>>

/** The macros that a department can use. */
export const usableIn = (departmentId: string): Sql =>
  sql`(department_ids = '{}' or ${departmentId}::uuid = any(department_ids))`

export const findMacroByName = (db: Db, tenantId: string, name: string): Promise<{ id: string } | null> =>
  db.maybe(sql`select id from macros where tenant_id = ${tenantId} and name_key = ${nameKey(name)}`)

type Use = { macro_id: string; used_at: Instant }

export const insertMacroUses = (tenantId: string, uses: Use[]): Sql =>
  sql`insert into macro_uses (tenant_id, macro_id, id, used_at) values ${join(
    uses.map(
      ({ macro_id, used_at }) => sql`(${tenantId}, ${macro_id}, ${newUuid(Date.parse(used_at))}, ${used_at})`,
    ),
    comma,
  )}`

export const deleteMacroUses = (tenantId: string, macroId: string): Sql =>
  sql`delete from macro_uses where tenant_id = ${tenantId} and macro_id = ${macroId}`
