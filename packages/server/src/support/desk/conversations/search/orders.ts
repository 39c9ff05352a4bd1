import { firstUuid, lastUuid } from '../../../../platform/kernel/ids.ts'
import type { SortKey } from '../../../../platform/kernel/page.ts'
import { limitTo, type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { byCreation, type Order } from '../../../../platform/tables/table.ts'
import type { Status } from '../lifecycle.ts'
import type { Conversation } from '../queries.ts'

export const conversationSorts = [
  '-created_at',
  'created_at',
  '-updated_at',
  '-last_message_at',
  'sla_due_at',
] as const
export type ConversationSort = (typeof conversationSorts)[number]

/** Conversations without a message come last; a constant in place of null keeps the order one index range. */
export const noMessage = '-infinity'
/** The same for conversations without a due time. */
export const neverDue = 'infinity'

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

/**
 * The order of a list.
 * @param possible the statuses of the filter. The index of due times has them first, so that each is read in order.
 */
export const orderOf = (sort: ConversationSort, possible: Status[]): Order<Conversation> =>
  sort === 'sla_due_at'
    ? { ...orders[sort], rows: (where, after, limit) => dueByStatus(possible, where, after, limit) }
    : orders[sort]

function dueByStatus(possible: Status[], where: Sql, after: SortKey | null, limit: number): Sql {
  const [at, id] = after ?? ['-infinity', firstUuid]
  return sql`unnest(${possible}::text[]) as walk (walked_status) cross join lateral (
    select * from conversations where ${where}
      and (status, coalesce(sla_due_at, 'infinity'), id) > (walked_status, ${at}::timestamptz, ${id}::uuid)
      and (status, coalesce(sla_due_at, 'infinity'), id) < (walked_status, 'infinity', ${lastUuid}::uuid)
    order by status, coalesce(sla_due_at, 'infinity'), id ${limitTo(limit)}) conversations`
}
