import { firstUuid, lastUuid } from '../../../../platform/kernel/ids.ts'
import type { SortKey } from '../../../../platform/kernel/page.ts'
import type { Checks } from '../../../../platform/lists/checks.ts'
import { limitTo, type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { byCreation, type Order } from '../../../../platform/tables/table.ts'
import { type Status, statuses, statusesWaitingOn, type WaitingOn } from '../lifecycle.ts'
import type { Conversation } from '../queries.ts'
import { statusCheck } from './columns.ts'

export const conversationSorts = [
  '-created_at',
  'created_at',
  '-updated_at',
  '-last_message_at',
  'sla_due_at',
] as const
export type ConversationSort = (typeof conversationSorts)[number]

/** Conversations without a message come last; a constant in place of null keeps the order one index range. */
const noMessage = '-infinity'
/** The same for conversations without a due time. */
const neverDue = 'infinity'

const orders: Record<ConversationSort, Order<Conversation>> = {
  ...byCreation,
  '-updated_at': {
    by: sql`updated_at desc, id desc`,
    after: ([at, id]) => sql`(updated_at, id) < (${at}, ${id})`,
    key: (row) => [row.updated_at, row.id],
  },
  '-last_message_at': {
    by: sql`coalesce(last_message_at, '-infinity') desc, id desc`,
    after: ([at, id]) => sql`(coalesce(last_message_at, '-infinity'), id) < (${at}, ${id})`,
    key: (row) => [row.last_message_at ?? noMessage, row.id],
  },
  sla_due_at: {
    by: sql`coalesce(sla_due_at, 'infinity'), id`,
    after: ([at, id]) => sql`(coalesce(sla_due_at, 'infinity'), id) > (${at}, ${id})`,
    key: (row) => [row.sla_due_at ?? neverDue, row.id],
  },
}

export const conversationSortKey = (row: Conversation, sort: ConversationSort): SortKey =>
  orders[sort].key(row)

/** The statuses that a conversation of a list can have. */
export const possibleStatuses = (checks: Checks): Status[] =>
  (checks.get('status')?.value as Status[] | undefined) ?? [...statuses]

/** Checks with the statuses that they leave possible, which indexes begin with. */
export function withPossibleStatuses(checks: Checks): Checks {
  const waitingOn = checks.get('waiting_on')?.value as WaitingOn | undefined
  if (waitingOn === undefined) return checks
  const possible = possibleStatuses(checks).filter((status) => statusesWaitingOn(waitingOn).includes(status))
  return new Map([...checks, ['status', { check: statusCheck, value: possible }]])
}

/** Checks whose indexes are narrower than that of a status. */
const narrower = ['end_user_id', 'external_user_id', 'assignee_id', 'department_id']

/** The order of a list. Indexes that begin with the status are read in order for each possible status. */
export function orderOf(sort: ConversationSort, checks: Checks): Order<Conversation> {
  const order = orders[sort]
  const possible = possibleStatuses(checks)
  if (sort === 'sla_due_at')
    return { ...order, rows: (where, after, limit) => dueByStatus(possible, where, after, limit) }
  const hasOther = narrower.some((as) => checks.has(as))
  return sort.endsWith('created_at') && checks.has('status') && !hasOther
    ? { ...order, rows: (where, _, limit) => createdByStatus(possible, where, order.by, limit) }
    : order
}

const createdByStatus = (possible: Status[], where: Sql, by: Sql, limit: number): Sql =>
  sql`unnest(${possible}::text[]) as walk (walked_status) cross join lateral (
    (select * from conversations where ${where} and status = walked_status
      and coalesce(sla_due_at, 'infinity') = 'infinity' order by ${by} ${limitTo(limit)})
    union all (select * from conversations where ${where} and status = walked_status
      and sla_due_at is not null order by ${by} ${limitTo(limit)})) conversations`

function dueByStatus(possible: Status[], where: Sql, after: SortKey | null, limit: number): Sql {
  const [at, id] = after ?? ['-infinity', firstUuid]
  return sql`unnest(${possible}::text[]) as walk (walked_status) cross join lateral (
    select * from conversations where ${where}
      and (status, coalesce(sla_due_at, 'infinity'), id) > (walked_status, ${at}::timestamptz, ${id}::uuid)
      and (status, coalesce(sla_due_at, 'infinity'), id) < (walked_status, 'infinity', ${lastUuid}::uuid)
    order by status, coalesce(sla_due_at, 'infinity'), id ${limitTo(limit)}) conversations`
}
