import { firstUuid, lastUuid } from '../../../../../platform/kernel/ids.ts'
import type { Page } from '../../../../../platform/kernel/page.ts'
import { comma, join, limitTo, none, type Sql, sql } from '../../../../../platform/postgres/sql.ts'
import type { Status } from '../../lifecycle.ts'
import { type ConversationFilter, type ConversationSort, idsCreated, possibleStatuses } from '../queries.ts'

/*
 * A walk reads a bounded number of index entries in the order of a list, whatever the values of the filter are. So one
 * plan suits all values, and the shared connections can carry it (docs/adr/0037-lists-are-bounded-walks.md).
 *
 * - The ranges are comparisons of rows and not equalities: after `status = $2`, PostgreSQL also gets the order `id`
 *   from the primary key, and would read all conversations for a rare status. One index has the order `status, id`.
 * - Values come from the subquery `given`, where the planner does not see them: it would otherwise expect less work for
 *   some values than for all, and plan for the values of each call.
 */

/**
 * The number of conversations that a walk reads in each range, for a page, if it has to check further conditions.
 * @param limit one more than the page has
 */
const mostFor = (limit: number): Sql => (limit <= 26 ? sql`100` : sql`200`)

/** A part of an index between two values of its columns, both exclusive. */
type Range = { columns: Sql[]; above: Sql[]; below: Sql[]; where?: Sql }

type Walk = {
  /** Read for each possible status, whose name is `walked_status`. */
  byStatus: boolean
  ranges: Range[]
  /** The value of the first column of the ranges. */
  key?: string | undefined
  /** The parts of the filter that the ranges do not ensure. */
  rest: ConversationFilter
}

/** Exclusive bounds of ids and times (RFC 3339). */
type Bounds = { aboveId: string; belowId: string; aboveAt: string; belowAt: string }

const isDescending = (sort: ConversationSort) => sort.startsWith('-')

/**
 * Returns the heads of a page as a from item. A row whose `version` is null means that more rows may follow than were
 * read. Null if no walk serves the filter, or if the page has no filter.
 */
export function walkOf(
  tenantId: string,
  filter: ConversationFilter,
  { sort, limit, after }: Page<ConversationSort>,
): Sql | null {
  const isPlain = Object.keys(filter).length === 0 && sort !== 'sla_due_at'
  const { end_user_ids } = filter
  const isSeveral =
    end_user_ids !== undefined && (end_user_ids.length > 1 || filter.external_user_id !== undefined)
  if (
    isPlain ||
    isSeveral ||
    filter.q !== undefined ||
    filter.tag !== undefined ||
    filter.external_id !== undefined
  )
    return null
  const { byStatus, ranges, key, rest } = sort.endsWith('created_at') ? byId(filter) : byTime(filter, sort)
  const possible = possibleStatuses(filter)
  const remaining = conditionsLeft(rest, possible)
  const { aboveId, belowId, aboveAt, belowAt } = boundsOf(filter, sort, after as string[] | null)
  const given = sql`select ${possible}::text[] as statuses, ${key ?? null}::text as text_key, ${isId(key) ? key : null}::uuid as id_key,
    ${aboveId}::uuid as above_id, ${belowId}::uuid as below_id, ${aboveAt}::timestamptz as above_at,
    ${belowAt}::timestamptz as below_at${remaining ? sql`, ${valuesOf(remaining)}` : none} offset 0`
  const scans = ranges.map((range) => scan(tenantId, range, sort, limit, remaining !== null))
  return sql`(${given}) given${byStatus ? sql` cross join unnest(given.statuses) as walk (walked_status)` : none}
    cross join lateral (${join(scans, sql` union all `)}) conversations`
}

const isId = (key: string | undefined) => key !== undefined && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(key)

/** The first conversations of a range, up to `limit` of those that meet the other conditions. */
function scan(
  tenantId: string,
  range: Range,
  sort: ConversationSort,
  limit: number,
  isFiltered: boolean,
): Sql {
  const { columns, above, below, where } = range
  const tuple = (values: Sql[]) => sql`(${join(values, comma)})`
  const order = join(
    columns.map((column) => (isDescending(sort) ? sql`${column} desc` : column)),
    comma,
  )
  const first = (found: Sql, limit: Sql) => sql`(select ${found} from conversations
    where tenant_id = ${tenantId}${where ? sql` and ${where}` : none}
      and ${tuple(columns)} > ${tuple(above)} and ${tuple(columns)} < ${tuple(below)} order by ${order} ${limit})`
  if (!isFiltered) return first(sql`version, ${shown}`, limitTo(limit))
  const most = mostFor(limit)
  return sql`(select case when n < ${most} then version end as version, ${shown}
    from (select looked.*, row_number() over () as n from ${first(checked, sql`limit ${most}`)} looked) numbered
    where n = ${most} or ${isWanted} ${limitTo(limit)})`
}

/** The columns of heads and of all orders. */
const shown = sql`id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at`

/** The columns of heads, orders and `isWanted`; few, because PostgreSQL sorts the rows of small tables. */
const checked = sql`version, ${shown}, status, priority, channel, initiated_by_side, waiting_on,
  assignee_id, department_id, category_id`

const id = sql`id`
const aboveId = sql`given.above_id`
const belowId = sql`given.below_id`
const status = sql`status`
const walkedStatus = sql`walked_status`
const idKey = sql`given.id_key`
const textKey = sql`given.text_key`
const dueAt = sql`coalesce(sla_due_at, 'infinity')`
const never = sql`'infinity'::timestamptz`

/** A range in the order of ids, with all other columns of the index equal. */
const idsWith = (columns: Sql[], values: Sql[], where?: Sql): Range => ({
  columns: [...columns, id],
  above: [...values, aboveId],
  below: [...values, belowId],
  ...(where ? { where } : {}),
})

const both = (one: Sql | undefined, other: Sql): Sql => (one ? sql`${one} and ${other}` : other)

const byEndUser = idsWith([sql`end_user_id`], [idKey], sql`end_user_id is not null`)
const byAssignee = idsWith([sql`assignee_id`, status], [idKey, walkedStatus], sql`assignee_id is not null`)
const byDepartment = idsWith(
  [sql`department_id`, status],
  [idKey, walkedStatus],
  sql`department_id is not null`,
)
const statusRanges = [
  idsWith([status, dueAt], [walkedStatus, never]),
  idsWith([status], [walkedStatus], sql`sla_due_at is not null`),
]
/** New conversations have no operator. The others without one have an index of their own. */
const unassigned = [
  ...statusRanges.map((range) => ({
    ...range,
    where: both(range.where, sql`walked_status = 'new' and assignee_id is null`),
  })),
  idsWith([status], [walkedStatus], sql`assignee_id is null and status <> 'new'`),
]
const byCategory = idsWith([sql`category_id`], [idKey], sql`category_id is not null`)
const byPriority = idsWith([sql`priority`], [textKey], sql`priority <> 'normal'`)
const byChannel = idsWith([sql`channel`], [textKey], sql`channel <> 'api'`)
const all = idsWith([], [])

function byId({ created_after: _, created_before: __, ...filter }: ConversationFilter): Walk {
  const { end_user_ids, assignee_id, department_id, category_id, priority, channel } = filter
  const through = (range: Range, name: keyof ConversationFilter, key: string): Walk =>
    range.columns.includes(status)
      ? { byStatus: true, ranges: [range], key, rest: without(without(filter, name), 'status') }
      : { byStatus: false, ranges: [range], key, rest: without(filter, name) }
  if (end_user_ids) return through(byEndUser, 'end_user_ids', end_user_ids[0]!)
  if (assignee_id) return through(byAssignee, 'assignee_id', assignee_id)
  if (department_id !== undefined) return through(byDepartment, 'department_id', department_id)
  if (assignee_id === null)
    return { byStatus: true, ranges: unassigned, rest: without(without(filter, 'assignee_id'), 'status') }
  if (filter.status || filter.waiting_on)
    return { byStatus: true, ranges: statusRanges, rest: without(filter, 'status') }
  if (category_id !== undefined) return through(byCategory, 'category_id', category_id)
  if (priority !== undefined && priority !== 'normal') return through(byPriority, 'priority', priority)
  if (channel !== undefined && channel !== 'api') return through(byChannel, 'channel', channel)
  return { byStatus: false, ranges: [all], rest: filter }
}

const inTime = (column: Sql): Range => ({
  columns: [column, id],
  above: [sql`given.above_at`, aboveId],
  below: [sql`given.below_at`, belowId],
})
const updated = inTime(sql`updated_at`)
const lastMessage = inTime(sql`coalesce(last_message_at, '-infinity')`)
const due: Range = {
  columns: [status, dueAt, id],
  above: [walkedStatus, sql`given.above_at`, aboveId],
  below: [walkedStatus, sql`given.below_at`, belowId],
}

function byTime(filter: ConversationFilter, sort: ConversationSort): Walk {
  if (sort === 'sla_due_at') return { byStatus: true, ranges: [due], rest: without(filter, 'status') }
  return sort === '-updated_at'
    ? { byStatus: false, ranges: [updated], rest: without(filter, 'updated_after') }
    : { byStatus: false, ranges: [lastMessage], rest: filter }
}

/** The bounds of a page: those of the filter, and the key that it continues. */
function boundsOf(filter: ConversationFilter, sort: ConversationSort, after: string[] | null): Bounds {
  const whole = { aboveId: firstUuid, belowId: lastUuid, aboveAt: '-infinity', belowAt: 'infinity' }
  if (sort.endsWith('created_at')) {
    const { above, below } = idsCreated(filter)
    const bounds = { ...whole, aboveId: above ?? firstUuid, belowId: below ?? lastUuid }
    if (!after) return bounds
    return isDescending(sort) ? { ...bounds, belowId: after[0]! } : { ...bounds, aboveId: after[0]! }
  }
  const from = sort === '-updated_at' ? filter.updated_after : undefined
  const bounds = from === undefined ? whole : { ...whole, aboveAt: from, aboveId: lastUuid }
  if (!after) return bounds
  const [at, id] = after as [string, string]
  return isDescending(sort)
    ? { ...bounds, belowAt: at, belowId: id }
    : { ...bounds, aboveAt: at, aboveId: id }
}

function without(filter: ConversationFilter, name: keyof ConversationFilter): ConversationFilter {
  const { [name]: _, ...others } = filter
  return others
}

/** The conditions to check for each conversation; null if there are none. */
function conditionsLeft(rest: ConversationFilter, possible: Status[]): ConversationFilter | null {
  // Except on hold, the status implies it.
  const needed = possible.includes('on_hold') ? rest : without(rest, 'waiting_on')
  return Object.keys(needed).length > 0 ? needed : null
}

/** The values of `isWanted`. */
function valuesOf(filter: ConversationFilter): Sql {
  const { above, below } = idsCreated(filter)
  return sql`${filter.end_user_ids?.[0] ?? null}::uuid as end_user, ${filter.priority ?? null}::text as priority,
    ${filter.channel ?? null}::text as channel, ${filter.initiated_by_side ?? null}::text as initiator,
    ${filter.waiting_on ?? null}::text as waiting_on,
    ${filter.assignee_id ?? null}::uuid as assignee, ${filter.assignee_id === null}::boolean as unassigned,
    ${filter.department_id ?? null}::uuid as department, ${filter.category_id ?? null}::uuid as category,
    ${filter.updated_after ?? null}::timestamptz as updated_after, ${above}::uuid as created_above, ${below}::uuid as created_below`
}

/** One text for all filters, so that a connection prepares few statements. */
const isWanted = sql`status = any(given.statuses)
    and (given.end_user is null or numbered.end_user_id = given.end_user)
    and (given.priority is null or numbered.priority = given.priority)
    and (given.channel is null or numbered.channel = given.channel)
    and (given.initiator is null or numbered.initiated_by_side = given.initiator)
    and (given.waiting_on is null or numbered.waiting_on = given.waiting_on)
    and (given.assignee is null or numbered.assignee_id = given.assignee)
    and (not given.unassigned or numbered.assignee_id is null)
    and (given.department is null or numbered.department_id = given.department)
    and (given.category is null or numbered.category_id = given.category)
    and (given.updated_after is null or numbered.updated_at > given.updated_after)
    and (given.created_above is null or numbered.id > given.created_above)
    and (given.created_below is null or numbered.id < given.created_below)`
