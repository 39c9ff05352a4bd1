import { nameKey } from '../../../platform/kernel/names.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { byCreation, byName, defineTable, type Order } from '../../../platform/tables/table.ts'
import type { ClaimOrder } from '../../vocabulary/conversations.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'

export const strategies = ['manual', 'round_robin', 'least_busy'] as const

export type Assignment = {
  strategy: (typeof strategies)[number]
  max_open_per_operator: number | null
}

export type Department = RowOf<
  'departments',
  {
    assignment: Assignment
    claim_order: ClaimOrder
    metadata: Record<string, string>
  },
  'name_key'
>

export const departmentTable = defineTable<Department>({
  name: 'departments',
  columns: tables.departments,
  derived: { name_key: { type: 'text', value: (row) => nameKey(row.name) } },
})

export const departmentOrders = {
  name: byName,
  ...byCreation,
} as const satisfies Record<string, Order<Department>>

export const findDepartmentByName = (
  db: Db,
  tenantId: string,
  name: string,
): Promise<{ id: string } | null> =>
  db.maybe(sql`select id from departments where tenant_id = ${tenantId} and name_key = ${nameKey(name)}`)

/** The number of members by status, without archived ones. */
export const countMembersByStatus = (
  db: Db,
  tenantId: string,
  departmentId: string,
): Promise<{ status: 'online' | 'away' | 'busy' | 'offline'; count: number }[]> =>
  db.rows(sql`select o.status, count(*) as count from department_members m
    join operators o on o.tenant_id = ${tenantId} and o.id = m.operator_id
    where m.tenant_id = ${tenantId} and m.department_id = ${departmentId} and not o.archived group by o.status`)
