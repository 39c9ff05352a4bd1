import type { Db } from '../../../db/database.ts'
import { and, join, type Sql, sql } from '../../../db/sql.ts'
import { byCreation, type Order } from '../../../db/table.ts'
import type { Instant } from '../../../lib/clock.ts'
import { firstUuidAt } from '../../../lib/ids.ts'
import type { Page, SortKey } from '../../../lib/page.ts'
import { searchQuery } from '../../../lib/search-text.ts'
import { conversationsTagged, idsOfTagNamed } from '../../tags/queries.ts'
import { type Status, statusesWaitingOn, type WaitingOn } from '../lifecycle.ts'
import { type Conversation, conversationTable } from '../queries.ts'

export type ConversationFilter = {
  status?: Status[]
  external_user_id?: string
  priority?: string
  channel?: string
  waiting_on?: WaitingOn
  /** Null for those without. */
  assignee_id?: string | null
  department_id?: string
  category_id?: string
  /** The tag's name. */
  tag?: string
  external_id?: string
  created_after?: Instant
  created_before?: Instant
  updated_after?: Instant
  q?: string
}

export const conversationSorts = [
  '-created_at',
  'created_at',
  '-updated_at',
  '-last_message_at',
  'sla_due_at',
] as const
type ConversationSort = (typeof conversationSorts)[number]

/** Conversations without a message come last; a constant in the place of null keeps the order one index range. */
const noMessage = '-infinity'
/** And so do those of which no clock will be due. */
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

/**
 * A search has two ways to a page. Few matches are all found, by the index of words, which knows no order. Of many,
 * that would read them all: then conversations are looked through in the order of the list until the page is full.
 * First the next few, which have enough of a frequent word; then, unless matches are few, ever more of them. What is
 * frequent among old conversations alone, or with another filter only there, is found by the first way after all. bench/README.md has what each costs.
 */
const fewMatches = 2_000
const lookedThrough = [200, 10_000, 100_000]

export async function listConversations(
  db: Db,
  tenantId: string,
  filter: ConversationFilter,
  page: Page<ConversationSort>,
): Promise<Conversation[]> {
  const order = orders[page.sort]
  const conditions = await conditionsOf(db, tenantId, filter)
  if (conditions === null) return []
  if (filter.q === undefined) return conversationTable.list(db, tenantId, conditions, order, page)
  const query = searchQuery(filter.q)
  if (query === null) return []
  const { limit, after } = page
  const next = after ? [...conditions, order.after(after)] : conditions
  for (const [i, among] of lookedThrough.entries()) {
    if (i === 1 && (await matchesFew(db, tenantId, query))) {
      // As an array, from which the plan begins: for a join it may walk through all conversations to meet these few.
      const few = sql`id = any(array(${matches(tenantId, query)}))`
      return conversationTable.list(db, tenantId, [...conditions, few], order, page)
    }
    const found = await firstOf(db, tenantId, next, order, query, { among, limit })
    if (found) return found
  }
  return conversationTable.list(
    db,
    tenantId,
    [...conditions, sql`id in (${matches(tenantId, query)})`],
    order,
    page,
  )
}

export async function countConversations(
  db: Db,
  tenantId: string,
  filter: ConversationFilter,
  atMost: number,
): Promise<number> {
  const conditions = await conditionsOf(db, tenantId, filter)
  if (conditions === null) return 0
  if (filter.q === undefined) return conversationTable.count(db, tenantId, conditions, atMost)
  const query = searchQuery(filter.q)
  if (query === null) return 0
  return (
    (await countAmongSome(db, tenantId, conditions, query, atMost)) ??
    conversationTable.count(db, tenantId, [...conditions, sql`id in (${matches(tenantId, query)})`], atMost)
  )
}

/** Enough for `maxTotal` conversations, of which each has one or a few messages that match. */
const someMatches = 40_000

/**
 * Counts conversations among some matches, whichever come first; null when these are neither all there are nor enough. Who
 * counts up to ten thousand need not have found a million.
 */
async function countAmongSome(
  db: Db,
  tenantId: string,
  conditions: Sql[],
  query: string,
  atMost: number,
): Promise<number | null> {
  const [row] = await db.slowRows<{ count: number; all: boolean }>(
    sql`with said as materialized (select conversation_id from messages where tenant_id = ${tenantId} and search @@ ${query}::tsquery limit ${someMatches}),
        titled as materialized (select id from conversations where tenant_id = ${tenantId} and search @@ ${query}::tsquery limit ${someMatches}),
        found as materialized (select 1 from conversations where ${join([sql`tenant_id = ${tenantId}`, ...conditions], and)}
          and id = any(array(select conversation_id from said union select id from titled)) limit ${atMost})
      select (select count(*) from found) as count,
        (select count(*) from said) < ${someMatches} and (select count(*) from titled) < ${someMatches} as all`,
  )
  const { count, all } = row!
  return all || count === atMost ? count : null
}

/**
 * A page of what a query finds among the next conversations in an order; null when there may be more behind these. How
 * many were looked through is asked in the same statement, hence of the same moment: who leaves the range while the page is
 * read must not make it look as if it had ended.
 */
async function firstOf(
  db: Db,
  tenantId: string,
  conditions: Sql[],
  { by }: Order<Conversation>,
  query: string,
  { among, limit }: { among: number; limit: number },
): Promise<Conversation[] | null> {
  const next = sql`select * from conversations where ${join([sql`tenant_id = ${tenantId}`, ...conditions], and)}
    order by ${by} limit ${among}`
  const rows = await db.slowRows<Partial<Conversation> & { looked_through: number | null }>(
    sql`with found as materialized (select ${conversationTable.columns(tenantId)} from (${next}) conversations
        where ${matchesEach(tenantId, query)} order by ${by} limit ${limit}),
      looked as materialized (select case when (select count(*) from found) < ${limit}::integer
        then (select count(*) from (${next}) all_of_them) end as looked_through)
      select looked.looked_through, found.* from looked left join found on true order by ${by}`,
  )
  const lookedThrough = rows[0]!.looked_through
  if (lookedThrough !== null && lookedThrough >= among) return null
  return rows.filter(({ id }) => id != null).map(({ looked_through: _, ...row }) => row as Conversation)
}

/** The conversations that a query finds, by the index of words. */
const matches = (tenantId: string, query: string): Sql =>
  sql`select id from conversations where tenant_id = ${tenantId} and search @@ ${query}::tsquery
    union select conversation_id from messages where tenant_id = ${tenantId} and search @@ ${query}::tsquery`

/** The same asked of one after the other; as a value, because `exists` may be turned into a look at all messages. */
const matchesEach = (tenantId: string, query: string): Sql =>
  sql`(search @@ ${query}::tsquery or coalesce((select true from messages said where said.tenant_id = ${tenantId}
    and said.conversation_id = conversations.id and said.search @@ ${query}::tsquery limit 1), false))`

/** Planned as if all were wanted: a plan for the first ones alone would read the whole table for words that are not together. */
async function matchesFew(db: Db, tenantId: string, query: string): Promise<boolean> {
  const among = (table: Sql) =>
    sql`select 1 from ${table} where tenant_id = ${tenantId} and search @@ ${query}::tsquery`
  const counted = (name: Sql) => sql`(select count(*) from (select 1 from ${name} limit ${fewMatches}) first)`
  const [row] = await db.slowRows<{ few: boolean }>(
    sql`with said as materialized (${among(sql`messages`)}), titled as materialized (${among(sql`conversations`)})
      select ${counted(sql`said`)} < ${fewMatches} and ${counted(sql`titled`)} < ${fewMatches} as few`,
  )
  return row!.few
}

/** All but the search; null when nothing can match. */
async function conditionsOf(db: Db, tenantId: string, filter: ConversationFilter): Promise<Sql[] | null> {
  const conditions: Sql[] = []
  const equal = (column: Sql, value: string | null | undefined) => {
    if (value === null) conditions.push(sql`${column} is null`)
    else if (value !== undefined) conditions.push(sql`${column} = ${value}`)
  }
  equal(sql`external_user_id`, filter.external_user_id)
  equal(sql`priority`, filter.priority)
  equal(sql`channel`, filter.channel)
  equal(sql`external_id`, filter.external_id)
  equal(sql`waiting_on`, filter.waiting_on)
  // Says nothing more, but there is an index of it.
  if (filter.waiting_on) conditions.push(sql`status = any(${statusesWaitingOn(filter.waiting_on)}::text[])`)
  equal(sql`assignee_id`, filter.assignee_id)
  equal(sql`department_id`, filter.department_id)
  equal(sql`category_id`, filter.category_id)
  const { status, tag } = filter
  if (status)
    conditions.push(status.length === 1 ? sql`status = ${status[0]}` : sql`status = any(${status}::text[])`)
  if (tag !== undefined) {
    const ids = await idsOfTagNamed(db, tenantId, tag)
    if (ids.length === 0) return null
    conditions.push(sql`id in (${conversationsTagged(tenantId, ids)})`)
  }
  // Ids carry the millisecond of creation, so times of creation are ranges of the primary key.
  if (filter.created_after) conditions.push(sql`id >= ${firstUuidAt(Date.parse(filter.created_after) + 1)}`)
  if (filter.created_before) conditions.push(sql`id < ${firstUuidAt(Date.parse(filter.created_before))}`)
  if (filter.updated_after) conditions.push(sql`updated_at > ${filter.updated_after}`)
  return conditions
}
