import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { type Columns, rowSet } from '../../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'
import type { Department } from '../../../team/departments/queries.ts'
import { loadStatuses } from '../lifecycle.ts'

/** The operator for the next conversation of a department, with the values that the guards check. */
export type Candidate = {
  operator_id: string
  /** The number of available operators. */
  candidates: number
  open_conversations: number
  /** The member's place in the rotation before and after this assignment. */
  turn: number
  next_turn: number
}

/** The candidate of a department and its oldest waiting conversation; null if there is none. */
export type Prospect = { candidate: Candidate | null; oldest_waiting: string | null }

/**
 * The candidate is online, below capacity and below the department's limit; first in the rotation or least loaded.
 */
export async function findProspect(
  db: Db,
  tenantId: string,
  { id, assignment: { strategy, max_open_per_operator: max } }: Department,
): Promise<Prospect> {
  const candidate = sql`select o.id as operator_id, count(*) over () as candidates, o.open_conversations, m.turn,
      (select max(turn) + 1 from department_members where tenant_id = ${tenantId} and department_id = ${id}) as next_turn
    from department_members m
      join operators o on o.tenant_id = ${tenantId} and o.id = m.operator_id
      left join operator_loads l on l.tenant_id = ${tenantId} and l.department_id = ${id} and l.operator_id = m.operator_id
    where m.tenant_id = ${tenantId} and m.department_id = ${id} and o.status = 'online' and not o.archived
      and (o.capacity is null or o.open_conversations < o.capacity)
      and (${max}::integer is null or coalesce(l.open, 0) < ${max})
    order by ${strategy === 'least_busy' ? sql`o.open_conversations, m.turn` : sql`m.turn`}, o.id limit 1`
  const [prospect] = await db.rows<Prospect>(sql`select
    (select row_to_json(candidate) from (${candidate}) candidate) as candidate,
    (select id from conversations
      where tenant_id = ${tenantId} and department_id = ${id} and ${waits} order by id limit 1) as oldest_waiting`)
  return prospect!
}

/** The oldest waiting conversation of each department, oldest first. */
export const findOldestWaiting = (
  db: Db,
  tenantId: string,
  departmentIds: string[],
): Promise<{ id: string; department_id: string }[]> =>
  db.rows(sql`select c.id, d.id as department_id from unnest(${departmentIds}::uuid[]) as d (id)
    cross join lateral (select id from conversations
      where tenant_id = ${tenantId} and department_id = d.id and ${waits} order by id limit 1) c
    order by c.id`)

/** The condition of the index conversations_waiting. */
const waits = sql`awaits_routing and assignee_id is null and status in ('new', 'open', 'pending')`

/**
 * The departments whose conversations an operator can receive: the operator's own, and those that fall back to them.
 */
export async function servedDepartments(db: Db, tenantId: string, operatorId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    sql`select d.id from departments d where d.tenant_id = ${tenantId} and ${servedBy(tenantId, operatorId)}`,
  )
  return rows.map(({ id }) => id)
}

/** A department and those that fall back to it; its operators receive conversations of all of them. */
export async function departmentsFallingBackTo(db: Db, tenantId: string, id: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    sql`select id from departments where tenant_id = ${tenantId} and (id = ${id} or fallback_department_id = ${id})`,
  )
  return rows.map((row) => row.id)
}

const servedBy = (tenantId: string, operatorId: string): Sql => {
  const own = sql`(select m.department_id from department_members m
    where m.tenant_id = ${tenantId} and m.operator_id = ${operatorId})`
  return sql`(d.id in ${own} or d.fallback_department_id in ${own})`
}

/** Does a conversation wait that this operator may receive? */
export const anyWaitingFor = async (db: Db, tenantId: string, operatorId: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from departments d where d.tenant_id = ${tenantId} and ${servedBy(tenantId, operatorId)}
    and exists (select 1 from conversations
      where tenant_id = ${tenantId} and department_id = d.id and ${waits}) limit 1`)) !== null

type Take = { operator_id: string; count: 0 | 1 }
const takes = rowSet<Take>({
  id: ['uuid', ({ operator_id }) => operator_id],
  count: ['integer', ({ count }) => count],
})

/**
 * Increments the counter of each operator who is online and below capacity, or only checks that the operator is
 * online.
 */
export const takeOperators = (tenantId: string, operators: Take[]): Sql =>
  sql`update operators set open_conversations = open_conversations + v.count from ${takes(operators)}
    where operators.tenant_id = ${tenantId} and operators.id = v.id and status = 'online' and not archived
      and (capacity is null or open_conversations + v.count <= capacity or v.count = 0) returning 1`

type Place = { department_id: string; operator_id: string }

const place: Columns<Place> = {
  operator_id: ['uuid', ({ operator_id }) => operator_id],
  department_id: ['uuid', ({ department_id }) => department_id],
}

type PlaceToTake = Place & { max_open_per_operator: number | null }
const placesToTake = rowSet<PlaceToTake>({
  ...place,
  most: ['integer', (each) => each.max_open_per_operator],
})

/** Increments the department's counter of each operator below its limit. */
export const takePlaces = (tenantId: string, places: PlaceToTake[]): Sql =>
  sql`insert into operator_loads (tenant_id, operator_id, department_id, open, most)
    select ${tenantId}::uuid, operator_id, department_id, 1, most from ${placesToTake(places)}
    on conflict (tenant_id, operator_id, department_id)
    do update set open = operator_loads.open + 1, most = excluded.most
      where excluded.most is null or operator_loads.open < excluded.most
    returning 1`

type Turn = Place & { turn: number; next_turn: number }
const turnRows = rowSet<Turn>({
  ...place,
  turn: ['bigint', ({ turn }) => turn],
  next_turn: ['bigint', ({ next_turn }) => next_turn],
})

/** Advances the rotation if the member's turn is unchanged. */
export const moveTurns = (tenantId: string, turns: Turn[]): Sql =>
  sql`update department_members set turn = v.next_turn from ${turnRows(turns)}
    where department_members.tenant_id = ${tenantId} and department_members.department_id = v.department_id
      and department_members.operator_id = v.operator_id and department_members.turn = v.turn returning 1`

/**
 * Adds up counts of one key, because a statement writes each row once. The order is fixed, so that writers do not
 * deadlock.
 */
function sums<Item extends { count: number }>(items: Item[], keyOf: (item: Item) => string): Item[] {
  const byKey = new Map<string, Item>()
  for (const item of items) {
    const former = byKey.get(keyOf(item))
    byKey.set(keyOf(item), { ...item, count: item.count + (former?.count ?? 0) })
  }
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item)
}

type Count = { operator_id: string; count: number }
const count = ['integer', (each: Count) => each.count] as const
const operatorCounts = rowSet<Count>({ id: ['uuid', ({ operator_id }) => operator_id], count })
const placeCounts = rowSet<Place & Count>({ ...place, count })

/** Increments or decrements counters of operators, whatever their capacity. */
export const addToOperators = (tenantId: string, counts: Count[]): Sql =>
  sql`update operators set open_conversations = open_conversations + v.count
    from ${operatorCounts(sums(counts, ({ operator_id }) => operator_id))}
    where operators.tenant_id = ${tenantId} and operators.id = v.id`

export const addToPlaces = (tenantId: string, counts: (Place & Count)[]): Sql =>
  sql`insert into operator_loads (tenant_id, operator_id, department_id, open)
    select ${tenantId}::uuid, operator_id, department_id, count
    from ${placeCounts(sums(counts, ({ department_id, operator_id }) => `${department_id}/${operator_id}`))}
    on conflict (tenant_id, operator_id, department_id) do update set open = operator_loads.open + excluded.open`

export type ConversationLoad = {
  open_conversations: number
  unassigned_conversations: number
  oldest_unassigned_at: Instant | null
}

/** The number of open and waiting conversations of a department. */
export async function conversationLoad(
  db: Db,
  tenantId: string,
  departmentId: string,
): Promise<ConversationLoad> {
  const [row] = await db.slowRows<ConversationLoad>(sql`select count(*) as open_conversations,
      count(*) filter (where assignee_id is null) as unassigned_conversations,
      min(created_at) filter (where assignee_id is null) as oldest_unassigned_at
    from conversations
    where tenant_id = ${tenantId} and department_id = ${departmentId} and status = any(${loadStatuses}::text[])`)
  return row!
}
