import { firstUuid, lastUuid } from '../../../../platform/kernel/ids.ts'
import type { Page } from '../../../../platform/kernel/page.ts'
import { type Checked, type Checks, without } from '../../../../platform/lists/checks.ts'
import type { At } from '../../../../platform/lists/field.ts'
import {
  and,
  comma,
  identifier,
  join,
  limitTo,
  none,
  type Sql,
  sql,
} from '../../../../platform/postgres/sql.ts'
import { columnChecks } from './fields.ts'
import { type ConversationSort, possibleStatuses } from './orders.ts'

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

/** An index, and what a walk through it ensures. */
type Path = {
  /** The check that it serves. */
  by?: string
  /** The type of the check's value, if that is the first column of the ranges. */
  key?: 'id' | 'text'
  /** A value of that check that the index leaves out. */
  but?: string
  /** Read for each possible status, whose name is `walked_status`. */
  byStatus?: true
  ranges: Range[]
}

/** Exclusive bounds of ids and times (RFC 3339). */
type Bounds = { aboveId: string; belowId: string; aboveAt: string; belowAt: string }

const isDescending = (sort: ConversationSort) => sort.startsWith('-')

/**
 * Returns the heads of a page as a from item. A row whose `version` is null means that more rows may follow than were
 * read. Null if no walk serves the checks, or if the page has none.
 */
export function walkOf(
  checks: Checks,
  { sort, limit, after }: Page<ConversationSort>,
  { tenantId }: At,
): Sql | null {
  const hasNone = checks.size === 0 && sort !== 'sla_due_at'
  if (hasNone || ![...checks.values()].every(isWalkable)) return null
  const path = pathOf(checks, sort)
  const remaining = without(checks, ensuredBy(path, sort, checks))
  const keyOf = (type: Path['key']) => (path.key === type ? checks.get(path.by!)!.value : null)
  const { aboveId, belowId, aboveAt, belowAt } = boundsOf(checks, sort, after as string[] | null)
  const given = sql`select ${possibleStatuses(checks)}::text[] as statuses, ${keyOf('text')}::text as text_key, ${keyOf('id')}::uuid as id_key,
    ${aboveId}::uuid as above_id, ${belowId}::uuid as below_id, ${aboveAt}::timestamptz as above_at,
    ${belowAt}::timestamptz as below_at${remaining.size > 0 ? sql`, ${valuesOf(remaining)}` : none} offset 0`
  const scans = path.ranges.map((range) => scan(tenantId, range, sort, limit, remaining.size > 0))
  return sql`(${given}) given${path.byStatus ? sql` cross join unnest(given.statuses) as walk (walked_status)` : none}
    cross join lateral (${join(scans, sql` union all `)}) conversations`
}

const isWalkable = ({ check, value }: Checked): boolean =>
  check.as === 'status' || ('column' in check && typeof value !== 'object')

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
const shownNames = [
  'id',
  'end_user_id',
  'external_user_id',
  'participant_ids',
  'tag_ids',
  'updated_at',
  'last_message_at',
  'sla_due_at',
]
const shown = join(shownNames.map(identifier), comma)

const checkedNames = columnChecks.map(({ column }) => column).filter((name) => !shownNames.includes(name))

/** The columns of heads, orders and checks; few, because PostgreSQL sorts the rows of small tables. */
const checked = sql`version, ${shown}, ${join([...new Set(['status', ...checkedNames])].map(identifier), comma)}`

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
const byMailbox = idsWith([sql`mailbox_id`], [idKey], sql`mailbox_id is not null`)
const byPriority = idsWith([sql`priority`], [textKey], sql`priority <> 'normal'`)
const byChannel = idsWith([sql`channel`], [textKey], sql`channel <> 'api'`)

/** The indexes in the order of creation; the first one by a check of the list is read. */
const byCreation: Path[] = [
  { by: 'end_user_id', key: 'id', ranges: [byEndUser] },
  { by: 'external_user_id', key: 'id', ranges: [byEndUser] },
  { by: 'assignee_id', key: 'id', byStatus: true, ranges: [byAssignee] },
  { by: 'department_id', key: 'id', byStatus: true, ranges: [byDepartment] },
  { by: 'unassigned', byStatus: true, ranges: unassigned },
  { by: 'status', byStatus: true, ranges: statusRanges },
  { by: 'category_id', key: 'id', ranges: [byCategory] },
  { by: 'mailbox_id', key: 'id', ranges: [byMailbox] },
  { by: 'priority', key: 'text', but: 'normal', ranges: [byPriority] },
  { by: 'channel', key: 'text', but: 'api', ranges: [byChannel] },
]
const everything: Path = { ranges: [idsWith([], [])] }

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

const isByCreation = (sort: ConversationSort) => sort.endsWith('created_at')

function pathOf(checks: Checks, sort: ConversationSort): Path {
  if (sort === 'sla_due_at') return { byStatus: true, ranges: [due] }
  if (!isByCreation(sort)) return { ranges: [sort === '-updated_at' ? updated : lastMessage] }
  const isBy = ({ by, but }: Path) => checks.has(by!) && checks.get(by!)!.value !== but
  return byCreation.find(isBy) ?? everything
}

/** The checks that all rows of a path pass. */
const ensuredBy = ({ by, byStatus }: Path, sort: ConversationSort, checks: Checks): string[] => [
  ...(by === undefined ? [] : [by]),
  ...(byStatus ? ['status'] : []),
  ...(isByCreation(sort) ? ['created_after', 'created_before'] : []),
  ...(sort === '-updated_at' ? ['updated_after'] : []),
  // Except on hold, the status implies it.
  ...(possibleStatuses(checks).includes('on_hold') ? [] : ['waiting_on']),
]

/** The bounds of a page: those of the filter, and the key that it continues. */
function boundsOf(checks: Checks, sort: ConversationSort, after: string[] | null): Bounds {
  const whole = { aboveId: firstUuid, belowId: lastUuid, aboveAt: '-infinity', belowAt: 'infinity' }
  const boundOf = (as: string) => checks.get(as)?.value as string | undefined
  if (isByCreation(sort)) {
    const bounds = {
      ...whole,
      aboveId: boundOf('created_after') ?? firstUuid,
      belowId: boundOf('created_before') ?? lastUuid,
    }
    if (!after) return bounds
    return isDescending(sort) ? { ...bounds, belowId: after[0]! } : { ...bounds, aboveId: after[0]! }
  }
  const from = sort === '-updated_at' ? boundOf('updated_after') : undefined
  const bounds = from === undefined ? whole : { ...whole, aboveAt: from, aboveId: lastUuid }
  if (!after) return bounds
  const [at, id] = after as [string, string]
  return isDescending(sort)
    ? { ...bounds, belowAt: at, belowId: id }
    : { ...bounds, aboveAt: at, aboveId: id }
}

const wanted = (as: string): Sql => identifier(`wanted_${as}`)

/** The values of `isWanted`. */
const valuesOf = (checks: Checks): Sql =>
  join(
    columnChecks.map(({ as, type }) => sql`${checks.get(as)?.value ?? null}::${type} as ${wanted(as)}`),
    comma,
  )

/** One text for all checks, so that a connection prepares few statements. */
const isWanted = join(
  [
    sql`status = any(given.statuses)`,
    ...columnChecks.map(
      ({ as, test }) => sql`(given.${wanted(as)} is null or ${test(sql`given.${wanted(as)}` as never)})`,
    ),
  ],
  and,
)
