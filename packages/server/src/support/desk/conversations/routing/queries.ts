import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { Outdated } from '../../../../platform/postgres/errors.ts'
import { type Columns, rowSet } from '../../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { counter } from '../../../../platform/unit-of-work/plan.ts'
import type { Assignment } from '../../../team/departments/queries.ts'
import { loadStatuses } from '../lifecycle.ts'

/** A member who is available: online, below capacity, and below the department's limit. */
export type Member = {
  operator_id: string
  open_conversations: number
  /** The number of conversations that the member can take; null without a limit. */
  room: number | null
  /** The member's place in the rotation: the lowest one is next. */
  turn: number
}

/** The facts that decisions about a department depend on. */
export type RosterRow = {
  department_id: string
  assignment: Assignment
  oldest_waiting: string | null
  /** The highest turn that is stored; null before the first assignment. */
  turn: number | null
  /** The turn of the next assignment. */
  next_turn: number
  /** The number of available members. */
  available: number
  /** The first of them, in the order of the strategy. */
  members: Member[]
}

export type RosterQuery = {
  departmentId: string
  /** The number of decisions: as many members are read. */
  decisions: number
}

const rosterQueries = rowSet<RosterQuery>({
  id: ['uuid', ({ departmentId }) => departmentId],
  decisions: ['integer', ({ decisions }) => decisions],
})

/** Reads the members of departments, and their oldest waiting conversations. */
export function findRosters(db: Db, tenantId: string, queries: RosterQuery[]): Promise<RosterRow[]> {
  const most = sql`(d.assignment ->> 'max_open_per_operator')::integer`
  const isAvailable = sql`o.status = 'online' and not o.archived
    and (o.capacity is null or o.open_conversations < o.capacity)
    and (${most} is null or coalesce(l.open, 0) < ${most})`
  const load = sql`case when d.assignment ->> 'strategy' = 'least_busy' then o.open_conversations end`
  return db.rows<RosterRow>(sql`with asked as (
      select d.id, d.assignment, v.decisions
        from ${rosterQueries(queries)} join departments d on d.tenant_id = ${tenantId} and d.id = v.id),
    members as (
      select d.id as department_id, d.decisions, m.operator_id, m.turn, o.open_conversations,
          ${isAvailable} as is_available, least(o.capacity - o.open_conversations, ${most} - coalesce(l.open, 0)) as room,
          row_number() over (partition by d.id order by ${isAvailable} desc, ${load}, m.turn, m.operator_id) as place
        from asked d
          join department_members m on m.tenant_id = ${tenantId} and m.department_id = d.id
          join operators o on o.tenant_id = ${tenantId} and o.id = m.operator_id
          left join operator_loads l on l.tenant_id = ${tenantId} and l.department_id = d.id
            and l.operator_id = m.operator_id),
    rosters as (
      select department_id, max(turn) + 1 as next_turn, count(*) filter (where is_available) as available,
          json_agg(json_build_object('operator_id', operator_id, 'open_conversations', open_conversations,
            'room', room, 'turn', turn)) filter (where is_available and place <= decisions) as members
        from members group by department_id)
    select asked.id as department_id, asked.assignment,
      (select id from conversations
        where tenant_id = ${tenantId} and department_id = asked.id and ${waits} order by id limit 1) as oldest_waiting,
      t.turn, coalesce(greatest(t.turn + 1, next_turn), 0) as next_turn,
      coalesce(available, 0) as available, coalesce(members, '[]') as members
    from asked left join rosters on department_id = asked.id
      left join department_turns t on t.tenant_id = ${tenantId} and t.department_id = asked.id`)
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

type OperatorCount = {
  operator_id: string
  count: number
  /** True if the operator must be online, and stay within the capacity. */
  isTaken: boolean
}
const operatorCounts = rowSet<OperatorCount>({
  id: ['uuid', ({ operator_id }) => operator_id],
  count: ['integer', ({ count }) => count],
  is_taken: ['boolean', ({ isTaken }) => isTaken],
})

/** Changes the numbers of open conversations of operators. */
export const countOfOperators = counter<OperatorCount>(
  {
    table: 'operators',
    merge: (items) =>
      sums(
        items,
        ({ operator_id }) => operator_id,
        (one, other) => ({ ...other, isTaken: one.isTaken || other.isTaken }),
      ),
  },
  (
    tenantId,
    counts,
  ) => sql`update operators set open_conversations = open_conversations + v.count from ${operatorCounts(counts)}
    where operators.tenant_id = ${tenantId} and operators.id = v.id
      and (not v.is_taken or status = 'online' and not archived
        and (capacity is null or open_conversations + v.count <= capacity)) returning 1`,
)

type Place = { department_id: string; operator_id: string }

const place: Columns<Place> = {
  operator_id: ['uuid', ({ operator_id }) => operator_id],
  department_id: ['uuid', ({ department_id }) => department_id],
}
const placeKey = ({ department_id, operator_id }: Place) => `${department_id}/${operator_id}`

type PlaceCount = Place & {
  count: number
  /** The limit of the department that the number must not exceed; null without one. */
  most: number | null
}
const placeCounts = rowSet<PlaceCount>({
  ...place,
  count: ['integer', ({ count }) => count],
  most: ['integer', ({ most }) => most],
})

/** Changes the numbers of open conversations of operators in departments. */
export const countOfPlaces = counter<PlaceCount>(
  {
    table: 'operator_loads',
    merge: (items) => sums(items, placeKey, (one, other) => ({ ...other, most: other.most ?? one.most })),
  },
  (tenantId, counts) => sql`insert into operator_loads (tenant_id, operator_id, department_id, open, most)
    select ${tenantId}::uuid, operator_id, department_id, count, most from ${placeCounts(counts)}
      where most is null or count <= most
    on conflict (tenant_id, operator_id, department_id)
    do update set open = operator_loads.open + excluded.open, most = excluded.most
      where excluded.most is null or operator_loads.open + excluded.open <= excluded.most
    returning 1`,
)

type Turn = Place & { turn: number }
const turnRows = rowSet<Turn>({ ...place, turn: ['bigint', ({ turn }) => turn] })

/** Gives members their new turns in the rotation. */
export const turnsOfMembers = counter<Turn>(
  {
    table: 'department_members',
    merge: (turns) => {
      const highestLast = turns.toSorted((one, other) => one.turn - other.turn)
      return inOrder(new Map(highestLast.map((each) => [placeKey(each), each])))
    },
  },
  (tenantId, turns) => sql`update department_members set turn = v.turn from ${turnRows(turns)}
    where department_members.tenant_id = ${tenantId} and department_members.department_id = v.department_id
      and department_members.operator_id = v.operator_id returning 1`,
)

/**
 * A decision about a department: its highest turn before and after. They are the same if nobody is available. `former`
 * is null before the first assignment.
 */
export type Decision = { department_id: string; former: number | null; turn: number }
const decisionRows = rowSet<Decision>({
  department_id: ['uuid', ({ department_id }) => department_id],
  former: ['bigint', ({ former }) => former],
  turn: ['bigint', ({ turn }) => turn],
})

/** Raises the highest turns of departments. A decision that does not follow the one before it fails. */
export const turnsOfDepartments = counter<Decision>(
  { table: 'department_turns', merge: joined },
  (tenantId, decisions) => sql`insert into department_turns (tenant_id, department_id, former, turn)
    select ${tenantId}::uuid, v.department_id, v.former, v.turn from ${decisionRows(decisions)}
      where v.former is null or exists (select 1 from department_turns t
        where t.tenant_id = ${tenantId} and t.department_id = v.department_id)
    on conflict (tenant_id, department_id) do update set former = excluded.former, turn = excluded.turn
      where department_turns.turn = excluded.former
    returning 1`,
)

/** Joins the decisions about each department, which are in the order of their turns. */
function joined(decisions: Decision[]): Decision[] {
  const joined = new Map<string, Decision>()
  for (const decision of decisions.toSorted(
    (one, other) => one.turn - other.turn || (one.former ?? -1) - (other.former ?? -1),
  )) {
    const before = joined.get(decision.department_id)
    if (before && before.turn !== decision.former) throw new Outdated()
    joined.set(decision.department_id, { ...decision, former: before ? before.former : decision.former })
  }
  return inOrder(joined)
}

/** Adds up the counts of each key. */
function sums<Item extends { count: number }>(
  items: Item[],
  keyOf: (item: Item) => string,
  unite: (one: Item, other: Item) => Item,
): Item[] {
  const byKey = new Map<string, Item>()
  for (const item of items) {
    const former = byKey.get(keyOf(item))
    byKey.set(keyOf(item), former ? { ...unite(former, item), count: former.count + item.count } : item)
  }
  return inOrder(byKey)
}

const inOrder = <Item>(byKey: Map<string, Item>): Item[] =>
  [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item)

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
