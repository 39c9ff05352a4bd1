import type { Instant } from '../../../platform/kernel/clock.ts'
import { nameKey } from '../../../platform/kernel/names.ts'
import type { Page, SortKey } from '../../../platform/kernel/page.ts'
import { countUpTo } from '../../../platform/postgres/count.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { rowSet } from '../../../platform/postgres/row-set.ts'
import { comma, join, none, type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, byName, defineTable, type Order } from '../../../platform/tables/table.ts'
import type { Role } from '../../vocabulary/roles.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'
import type { Presence, Status } from './lifecycle.ts'

export type Operator = RowOf<
  'operators',
  Presence & {
    role: Role
    metadata: Record<string, string>
    /** In ascending order. */
    department_ids: string[]
  },
  'name_key' | 'email_key'
>

/** The reactions to `department_ids` write the membership rows (reactions.ts). */
export const operatorTable = defineTable<Operator>({
  name: 'operators',
  columns: tables.operators,
  fixed: ['open_conversations'], // a counter with its own statements
  derived: {
    name_key: { type: 'text', value: (row) => nameKey(row.name) },
    email_key: { type: 'text', value: (row) => nameKey(row.email) },
  },
  joined: {
    department_ids: (tenantId) => sql`array(select m.department_id from department_members m
      where m.tenant_id = ${tenantId} and m.operator_id = operators.id order by m.department_id)`,
  },
})

/** The columns of the status list, the most frequent request. */
export type OperatorStatus = Pick<
  Operator,
  | 'id'
  | 'version'
  | 'status'
  | 'status_reason'
  | 'status_since'
  | 'status_until'
  | 'status_then'
  | 'open_conversations'
  | 'capacity'
>

export const operatorStatusTable = defineTable<OperatorStatus>({
  name: 'operators',
  columns: {
    id: 'uuid',
    version: 'integer',
    status: 'text',
    status_reason: 'text',
    status_since: 'timestamptz',
    status_until: 'timestamptz',
    status_then: 'text',
    open_conversations: 'integer',
    capacity: 'integer',
  },
})

export const operatorOrders = {
  name: byName,
  ...byCreation,
} as const satisfies Record<string, Order<Operator>>

type OperatorFilter = { status?: string; role?: string; email?: string; external_id?: string }

export function operatorConditions(filter: OperatorFilter): Sql[] {
  const conditions: Sql[] = []
  if (filter.status) conditions.push(sql`status = ${filter.status}`)
  if (filter.role) conditions.push(sql`role = ${filter.role}`)
  if (filter.email) conditions.push(sql`email_key = ${nameKey(filter.email)}`)
  if (filter.external_id) conditions.push(sql`external_id = ${filter.external_id}`)
  return conditions
}

export const memberOf = (tenantId: string, departmentId: string): Sql =>
  sql`id in (select m.operator_id from department_members m
    where m.tenant_id = ${tenantId} and m.department_id = ${departmentId})`

export const findOperatorByEmail = (
  db: Db,
  tenantId: string,
  email: string,
): Promise<{ id: string } | null> =>
  db.maybe(sql`select id from operators where tenant_id = ${tenantId} and email_key = ${nameKey(email)}`)

export const findOperatorByExternalId = (
  db: Db,
  tenantId: string,
  externalId: string,
): Promise<{ id: string } | null> =>
  db.maybe(sql`select id from operators where tenant_id = ${tenantId} and external_id = ${externalId}`)

export const findOtherAdmin = (db: Db, tenantId: string, id: string): Promise<{ id: string } | null> =>
  db.maybe(sql`select id from operators
    where tenant_id = ${tenantId} and role = 'admin' and not archived and id <> ${id} order by id limit 1`)

/** For the header `Backline-Operator` of any request, with only the required columns. */
export const findActingOperator = (
  db: Db,
  tenantId: string,
  id: string,
): Promise<{ archived: boolean } | null> =>
  db.maybe(sql`select archived from operators where tenant_id = ${tenantId} and id = ${id}`)

type NewPeriod = {
  operator_id: string
  started_at: Instant
  status: Status
  reason: string | null
}

const periodRows = rowSet<NewPeriod>({
  operator_id: ['uuid', ({ operator_id }) => operator_id],
  started_at: ['timestamptz', ({ started_at }) => started_at],
  status: ['text', ({ status }) => status],
  reason: ['text', ({ reason }) => reason],
})

/** If two statuses start in one millisecond, the later one remains. */
export const insertPeriods = (tenantId: string, periods: NewPeriod[]): Sql =>
  sql`insert into operator_status_periods (tenant_id, operator_id, started_at, status, reason)
    select ${tenantId}::uuid, operator_id, started_at, status, reason from ${periodRows(periods)}
    on conflict (tenant_id, operator_id, started_at) do update set status = excluded.status, reason = excluded.reason`

export const deletePeriods = (tenantId: string, operatorIds: string[]): Sql =>
  sql`delete from operator_status_periods where tenant_id = ${tenantId} and operator_id = any(${operatorIds}::uuid[])`

export type Period = { status: Status; reason: string | null; from: Instant; to: Instant | null }

export const periodSorts = ['-from', 'from'] as const
type PeriodSort = (typeof periodSorts)[number]

const periodOrders: Record<PeriodSort, { by: Sql; after(key: SortKey): Sql }> = {
  '-from': { by: sql`p.started_at desc`, after: ([at]) => sql`p.started_at < ${at}` },
  from: { by: sql`p.started_at`, after: ([at]) => sql`p.started_at > ${at}` },
}

/** Each period ends where the next one begins. */
export function listPeriods(
  db: Db,
  tenantId: string,
  operatorId: string,
  { limit, after, sort }: Page<PeriodSort>,
): Promise<Period[]> {
  const order = periodOrders[sort]
  return db.rows(sql`select p.status, p.reason, p.started_at as "from",
      (select min(n.started_at) from operator_status_periods n
        where n.tenant_id = ${tenantId} and n.operator_id = ${operatorId} and n.started_at > p.started_at) as "to"
    from operator_status_periods p
    where p.tenant_id = ${tenantId} and p.operator_id = ${operatorId}${after ? sql` and ${order.after(after)}` : none}
    order by ${order.by} limit ${limit}`)
}

export const countPeriods = (db: Db, tenantId: string, operatorId: string, atMost: number): Promise<number> =>
  countUpTo(
    db,
    sql`select 1 from operator_status_periods where tenant_id = ${tenantId} and operator_id = ${operatorId}`,
    atMost,
  )

/** The milliseconds that the operator had each status between two times after its creation. */
export const sumPeriods = (
  db: Db,
  tenantId: string,
  operatorId: string,
  from: Instant,
  to: Instant,
): Promise<{ status: Status; ms: number }[]> =>
  db.slowRows(sql`select status, sum(round(extract(epoch from ended_at - greatest(started_at, ${from})) * 1000))::bigint as ms
    from (select status, started_at, lead(started_at, 1, ${to}::timestamptz) over (order by started_at) as ended_at
      from operator_status_periods
      where tenant_id = ${tenantId} and operator_id = ${operatorId} and started_at < ${to}
        and started_at >= (select max(started_at) from operator_status_periods
          where tenant_id = ${tenantId} and operator_id = ${operatorId} and started_at <= ${from})) periods
    where ended_at > ${from} group by status`)

export type Member = { department_id: string; operator_id: string }

/** A new member is first in the rotation. */
export const insertMembers = (tenantId: string, members: (Member & { created_at: Instant })[]): Sql =>
  sql`insert into department_members (tenant_id, department_id, operator_id, turn, created_at) values ${join(
    members.map(
      ({ department_id, operator_id, created_at }) =>
        sql`(${tenantId}, ${department_id}, ${operator_id}, 0, ${created_at})`,
    ),
    comma,
  )}`

export const deleteMembers = (tenantId: string, members: Member[]): Sql =>
  sql`delete from department_members where tenant_id = ${tenantId} and (department_id, operator_id) in (${join(
    members.map(({ department_id, operator_id }) => sql`(${department_id}::uuid, ${operator_id}::uuid)`),
    comma,
  )})`
