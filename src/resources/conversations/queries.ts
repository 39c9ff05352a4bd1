import type { Db } from '../../db/database.ts'
import { and, join, type Sql, sql } from '../../db/sql.ts'
import type { SortKey } from '../../http/pagination.ts'
import type { Instant } from '../../lib/clock.ts'
import { firstUuidAt } from '../../lib/ids.ts'
import { searchQuery, searchTokens } from '../../lib/search-text.ts'
import type { Side, Status } from './lifecycle.ts'

export type Conversation = {
  id: string
  external_user_id: string
  subject: string | null
  initiated_by_side: Side
  channel: string
  priority: string
  language: string | null
  external_id: string | null
  metadata: Record<string, string>
  follow_up_of_id: string | null
  status: Status
  waiting_since: Instant | null
  message_count: number
  last_message_at: Instant | null
  last_message_side: Side | null
  first_response_at: Instant | null
  resolved_at: Instant | null
  closed_at: Instant | null
  reopened_count: number
  merged_into_id: string | null
  read_by_end_user: number
  read_by_operator: number
  unread_by_end_user: number
  unread_by_operator: number
  created_at: Instant
  updated_at: Instant
  version: number
}

const columns = sql`id, external_user_id, subject, initiated_by_side, channel, priority, language, external_id, metadata,
  follow_up_of_id, status, waiting_since, message_count, last_message_at, last_message_side, first_response_at,
  resolved_at, closed_at, reopened_count, merged_into_id, read_by_end_user, read_by_operator, unread_by_end_user,
  unread_by_operator, created_at, updated_at, version`

export const findConversation = (db: Db, tenantId: string, id: string): Promise<Conversation | null> =>
  db.maybe(sql`select ${columns} from conversations where tenant_id = ${tenantId} and id = ${id}`)

export const findConversationByExternalId = (db: Db, tenantId: string, externalId: string) =>
  db.maybe<{ id: string }>(
    sql`select id from conversations where tenant_id = ${tenantId} and external_id = ${externalId}`,
  )

export const insertConversation = (tenantId: string, row: Conversation): Sql =>
  sql`insert into conversations (tenant_id, ${columns}, search) values (${tenantId}, ${row.id}, ${row.external_user_id},
    ${row.subject}, ${row.initiated_by_side}, ${row.channel}, ${row.priority}, ${row.language}, ${row.external_id},
    ${JSON.stringify(row.metadata)}, ${row.follow_up_of_id}, ${row.status}, ${row.waiting_since}, ${row.message_count},
    ${row.last_message_at}, ${row.last_message_side}, ${row.first_response_at}, ${row.resolved_at}, ${row.closed_at},
    ${row.reopened_count}, ${row.merged_into_id}, ${row.read_by_end_user}, ${row.read_by_operator},
    ${row.unread_by_end_user}, ${row.unread_by_operator}, ${row.created_at}, ${row.updated_at}, ${row.version},
    array_to_tsvector(${searchTokens(row.subject ?? '')}::text[]))`

export const updateConversation = (tenantId: string, row: Conversation): Sql =>
  sql`update conversations set subject = ${row.subject}, priority = ${row.priority}, language = ${row.language},
      external_id = ${row.external_id}, metadata = ${JSON.stringify(row.metadata)}, status = ${row.status},
      waiting_since = ${row.waiting_since}, message_count = ${row.message_count}, last_message_at = ${row.last_message_at},
      last_message_side = ${row.last_message_side}, first_response_at = ${row.first_response_at},
      resolved_at = ${row.resolved_at}, closed_at = ${row.closed_at}, reopened_count = ${row.reopened_count},
      merged_into_id = ${row.merged_into_id}, read_by_end_user = ${row.read_by_end_user},
      read_by_operator = ${row.read_by_operator}, unread_by_end_user = ${row.unread_by_end_user},
      unread_by_operator = ${row.unread_by_operator}, updated_at = ${row.updated_at}, version = ${row.version},
      search = array_to_tsvector(${searchTokens(row.subject ?? '')}::text[])
    where tenant_id = ${tenantId} and id = ${row.id} and version = ${row.version - 1} returning 1`

export const unchangedConversation = (tenantId: string, row: Conversation): Sql =>
  sql`select 1 from conversations where tenant_id = ${tenantId} and id = ${row.id} and version = ${row.version} for share`

export type ConversationFilter = {
  status?: Status[]
  external_user_id?: string
  priority?: string
  channel?: string
  waiting_on_status?: Status[]
  external_id?: string
  created_after?: Instant
  created_before?: Instant
  updated_after?: Instant
  q?: string
}

export const conversationSorts = ['-created_at', 'created_at', '-updated_at', '-last_message_at'] as const
export type ConversationSort = (typeof conversationSorts)[number]

/** Conversations without a message come last; a constant in the place of null keeps the order one index range. */
const noMessage = '-infinity'

/** How each sort is ordered and continued. A row comparison is one index range scan; an OR of terms is not. */
const orders: Record<
  ConversationSort,
  { by: Sql; after(key: SortKey): Sql; key(row: Conversation): SortKey }
> = {
  '-created_at': {
    by: sql`id desc`,
    after: ([id]) => sql`id < ${id}`,
    key: (row) => [row.id],
  },
  created_at: {
    by: sql`id`,
    after: ([id]) => sql`id > ${id}`,
    key: (row) => [row.id],
  },
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
}

export const conversationSortKey = (row: Conversation, sort: ConversationSort): SortKey =>
  orders[sort].key(row)

export async function listConversations(
  db: Db,
  tenantId: string,
  filter: ConversationFilter,
  page: { sort: ConversationSort; limit: number; after: SortKey | null },
): Promise<Conversation[]> {
  const order = orders[page.sort]
  const conditions = conditionsOf(tenantId, filter)
  if (!conditions) return []
  if (page.after) conditions.push(order.after(page.after))
  const query = sql`select ${columns} from conversations where ${join(conditions, and)} order by ${order.by} limit ${page.limit}`
  // A filter may have to read far before it finds a page; nobody else shall wait behind it.
  return Object.keys(filter).length === 0 ? db.rows(query) : db.slowRows(query)
}

export async function countConversations(
  db: Db,
  tenantId: string,
  filter: ConversationFilter,
  atMost: number,
): Promise<number> {
  const conditions = conditionsOf(tenantId, filter)
  if (!conditions) return 0
  const [row] = await db.slowRows<{ count: number }>(sql`select count(*) from (
    select 1 from conversations where ${join(conditions, and)} limit ${atMost}) found`)
  return row!.count
}

/** Null when nothing can match: a search without a letter or digit. */
function conditionsOf(tenantId: string, filter: ConversationFilter): Sql[] | null {
  const conditions = [sql`tenant_id = ${tenantId}`]
  const equal = (column: Sql, value: string | undefined) => {
    if (value !== undefined) conditions.push(sql`${column} = ${value}`)
  }
  equal(sql`external_user_id`, filter.external_user_id)
  equal(sql`priority`, filter.priority)
  equal(sql`channel`, filter.channel)
  equal(sql`external_id`, filter.external_id)
  for (const among of [filter.status, filter.waiting_on_status]) {
    if (among)
      conditions.push(among.length === 1 ? sql`status = ${among[0]}` : sql`status = any(${among}::text[])`)
  }
  // Ids carry the millisecond of creation, so times of creation are ranges of the primary key.
  if (filter.created_after) conditions.push(sql`id >= ${firstUuidAt(Date.parse(filter.created_after) + 1)}`)
  if (filter.created_before) conditions.push(sql`id < ${firstUuidAt(Date.parse(filter.created_before))}`)
  if (filter.updated_after) conditions.push(sql`updated_at > ${filter.updated_after}`)
  if (filter.q !== undefined) {
    const query = searchQuery(filter.q)
    if (query === null) return null
    conditions.push(sql`id in (
      select id from conversations where tenant_id = ${tenantId} and search @@ ${query}::tsquery
      union select conversation_id from messages where tenant_id = ${tenantId} and search @@ ${query}::tsquery)`)
  }
  return conditions
}
