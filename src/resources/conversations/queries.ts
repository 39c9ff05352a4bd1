import type { Db } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { byCreation, defineTable, type Order } from '../../db/table.ts'
import type { Instant } from '../../lib/clock.ts'
import { firstUuidAt } from '../../lib/ids.ts'
import type { Page, SortKey } from '../../lib/page.ts'
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

export const conversationTable = defineTable<Conversation>({
  name: 'conversations',
  columns: {
    id: 'uuid',
    external_user_id: 'text',
    subject: 'text',
    initiated_by_side: 'text',
    channel: 'text',
    priority: 'text',
    language: 'text',
    external_id: 'text',
    metadata: 'json',
    follow_up_of_id: 'uuid',
    status: 'text',
    waiting_since: 'timestamptz',
    message_count: 'integer',
    last_message_at: 'timestamptz',
    last_message_side: 'text',
    first_response_at: 'timestamptz',
    resolved_at: 'timestamptz',
    closed_at: 'timestamptz',
    reopened_count: 'integer',
    merged_into_id: 'uuid',
    read_by_end_user: 'integer',
    read_by_operator: 'integer',
    unread_by_end_user: 'integer',
    unread_by_operator: 'integer',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  fixed: ['external_user_id', 'initiated_by_side', 'channel', 'follow_up_of_id'],
  derived: { search: { type: 'tsvector', value: (row) => searchTokens(row.subject ?? '') } },
})

export const findConversation = conversationTable.find

export const findConversationByExternalId = (db: Db, tenantId: string, externalId: string) =>
  db.maybe<{ id: string }>(
    sql`select id from conversations where tenant_id = ${tenantId} and external_id = ${externalId}`,
  )

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
}

export const conversationSortKey = (row: Conversation, sort: ConversationSort): SortKey =>
  orders[sort].key(row)

export async function listConversations(
  db: Db,
  tenantId: string,
  filter: ConversationFilter,
  page: Page<ConversationSort>,
): Promise<Conversation[]> {
  const conditions = conditionsOf(tenantId, filter)
  return conditions ? conversationTable.list(db, tenantId, conditions, orders[page.sort], page) : []
}

export async function countConversations(
  db: Db,
  tenantId: string,
  filter: ConversationFilter,
  atMost: number,
): Promise<number> {
  const conditions = conditionsOf(tenantId, filter)
  return conditions ? conversationTable.count(db, tenantId, conditions, atMost) : 0
}

/** Null when nothing can match: a search without a letter or digit. */
function conditionsOf(tenantId: string, filter: ConversationFilter): Sql[] | null {
  const conditions: Sql[] = []
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
