import { type Instant, toInstant } from '../../../platform/kernel/clock.ts'
import { unixMsOf } from '../../../platform/kernel/ids.ts'
import { maxPageBytes, type Page, type PartialPage, type SortKey } from '../../../platform/kernel/page.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { comma, join, type Sql, sql } from '../../../platform/postgres/sql.ts'
import { searchTokens } from '../../../platform/search/search-text.ts'
import { defineTable, type Order } from '../../../platform/tables/table.ts'
import { partialPageOf, withinPage } from '../../../platform/tables/within-page.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'
import type { Person, Side } from '../conversations/lifecycle.ts'
import { type Attachment, type FileStates, fileStates } from './attachments/queries.ts'
import type { Delivery } from './email/delivery.ts'
import type { MessageEmail } from './email/queries.ts'

export type Message = RowOf<
  'messages',
  {
    author_side: Side
    body_format: 'text' | 'markdown'
    visibility: 'public' | 'internal'
    metadata: Record<string, string>
    attachments: Attachment[] | null
    email: MessageEmail | null
    delivery: Delivery | null
  },
  'search'
> & { file_states: FileStates }

/** A duplicate sequence number fails at the insert, by (tenant_id, conversation_id, sequence). */
export const messageTable = defineTable<Message>({
  name: 'messages',
  columns: tables.messages,
  fixed: [
    'conversation_id',
    'sequence',
    'author_side',
    'operator_id',
    'author_end_user_id',
    'body_format',
    'visibility',
    'template_id',
    'in_reply_to_id',
    'external_id',
  ],
  joined: { file_states: (tenantId) => fileStates(sql`messages`, tenantId) },
  usuallyNull: ['email', 'delivery', 'mentions'],
  large: ['body', 'body_html', 'email'],
  derived: { search: { type: 'tsvector', value: (row) => searchTokens(row.body) } },
})

export const findMessage = messageTable.find

export const findMessageByExternalId = (db: Db, tenantId: string, externalId: string) =>
  db.maybe<{ id: string }>(
    sql`select id from messages where tenant_id = ${tenantId} and external_id = ${externalId}
      union select message_id from message_external_ids where tenant_id = ${tenantId} and external_id = ${externalId} limit 1`,
  )

/** With `include`, also the messages of conversations that were merged into this one. */
export type MessageFilter = { visibility?: string; author_side?: string; include?: string }
const orders: Record<MessageSort, Order<Message>> = {
  sequence: {
    by: sql`sequence`,
    after: ([sequence]) => sql`sequence > ${sequence}`,
    key: (row) => [row.sequence],
  },
  '-sequence': {
    by: sql`sequence desc`,
    after: ([sequence]) => sql`sequence < ${sequence}`,
    key: (row) => [row.sequence],
  },
}
/** The creation time in a key. Cursors of older servers lack it, and then the id contains it. */
const timeIn = ([, id, createdAt]: SortKey) => createdAt ?? toInstant(unixMsOf(id as string))
/**
 * Sequence numbers of several conversations are not comparable. Ids are neither: that of a scheduled message is older
 * than its creation time, which is when it was sent.
 */
const timeOrders: typeof orders = {
  sequence: {
    by: sql`created_at, id`,
    after: (key) => sql`(created_at, id) > (${timeIn(key)}, ${key[1]})`,
    key: (row) => messageSortKey(row),
  },
  '-sequence': {
    by: sql`created_at desc, id desc`,
    after: (key) => sql`(created_at, id) < (${timeIn(key)}, ${key[1]})`,
    key: (row) => messageSortKey(row),
  },
}
const orderOf = (sort: MessageSort, { include }: MessageFilter): Order<Message> =>
  (include ? timeOrders : orders)[sort]

export const messageSorts = ['sequence', '-sequence'] as const
export type MessageSort = (typeof messageSorts)[number]

/** The key continues either order of the list: the sequence, or the time and id. */
export const messageSortKey = (row: Message): SortKey => [row.sequence, row.id, row.created_at]

export const listMessages = (
  db: Db,
  tenantId: string,
  conversationId: string,
  filter: MessageFilter,
  { sort, limit, after }: Page<MessageSort>,
): Promise<Message[] | PartialPage<Message>> =>
  messageTable.page(
    db,
    tenantId,
    conditionsOf(tenantId, conversationId, filter),
    orderOf(sort, filter),
    { limit, after },
    { slow: Object.keys(filter).length > 0 },
  )

export const countMessages = (
  db: Db,
  tenantId: string,
  conversationId: string,
  filter: MessageFilter,
  atMost: number,
): Promise<number> => messageTable.count(db, tenantId, conditionsOf(tenantId, conversationId, filter), atMost)

export function conditionsOf(tenantId: string, conversationId: string, filter: MessageFilter): Sql[] {
  const conditions = [
    filter.include
      ? sql`conversation_id in (${withMerged(tenantId, conversationId)})`
      : sql`conversation_id = ${conversationId}`,
  ]
  if (filter.visibility) conditions.push(sql`visibility = ${filter.visibility}`)
  if (filter.author_side) conditions.push(sql`author_side = ${filter.author_side}`)
  return conditions
}

/** For work on the messages of several conversations. */
export const inConversations = (ids: string[]): Sql => sql`conversation_id = any(${ids}::uuid[])`
export const messagesInOrder: Order<Message> = {
  by: sql`conversation_id, sequence`,
  after: ([conversationId, sequence]) => sql`(conversation_id, sequence) > (${conversationId}, ${sequence})`,
  key: (row) => [row.conversation_id, row.sequence],
}

/** A conversation and all conversations merged into it, transitively. */
const withMerged = (tenantId: string, conversationId: string): Sql =>
  sql`with recursive merged (id) as (
    select ${conversationId}::uuid
    union
    select c.id from conversations c join merged on c.merged_into_id = merged.id where c.tenant_id = ${tenantId})
  select id from merged`

/** The ids of a conversation and of all conversations merged into it. */
export const conversationsMergedInto = async (
  db: Db,
  tenantId: string,
  conversationId: string,
): Promise<string[]> =>
  (await db.rows<{ id: string }>(withMerged(tenantId, conversationId))).map(({ id }) => id)

/** The maximum number of messages that are searched for the latest ones of a side. */
const maxRecent = 200

/** The latest messages of an end user, newest first, among the last messages of the conversation. */
export const lastSaid = (
  db: Db,
  tenantId: string,
  conversationId: string,
  limit: number,
): Promise<{ body: string }[]> =>
  db.rows(sql`select body from (
      select body, sequence, author_side, visibility from messages
      where tenant_id = ${tenantId} and conversation_id = ${conversationId} order by sequence desc limit ${maxRecent}) recent
    where author_side = 'end_user' and visibility = 'public' order by sequence desc limit ${limit}`)

/** Public messages of `author` after a sequence number. */
export async function countUnread(
  db: Db,
  tenantId: string,
  conversationId: string,
  author: Person,
  afterSequence: number,
): Promise<number> {
  const [row] = await db.slowRows<{ count: number }>(sql`select count(*) from messages
    where tenant_id = ${tenantId} and conversation_id = ${conversationId} and sequence > ${afterSequence}
      and author_side = ${author} and visibility = 'public'`)
  return row!.count
}

export type Revision = { version: number; body: string; written_at: Instant; replaced_at: Instant }

export const insertRevisions = (tenantId: string, revisions: (Revision & { message_id: string })[]): Sql =>
  sql`insert into message_revisions (tenant_id, message_id, version, body, written_at, replaced_at) values ${join(
    revisions.map(
      ({ message_id, version, body, written_at, replaced_at }) =>
        sql`(${tenantId}, ${message_id}, ${version}, ${body}, ${written_at}, ${replaced_at})`,
    ),
    comma,
  )}`

export const deleteRevisions = (tenantId: string, messageIds: string[]): Sql =>
  sql`delete from message_revisions where tenant_id = ${tenantId} and message_id = any(${messageIds}::uuid[])`

/** The next messages of a conversation by their sequence. */
export const nextMessages = (
  db: Db,
  tenantId: string,
  conversationId: string,
  afterSequence: number,
  limit: number,
  conditions: Sql[] = [],
): Promise<Message[]> =>
  messageTable.list(
    db,
    tenantId,
    [sql`conversation_id = ${conversationId}`, sql`sequence > ${afterSequence}`, ...conditions],
    orders.sequence,
    { limit, after: null },
  )

/** Oldest first. A page ends early if the texts are long. */
export async function listRevisions(
  db: Db,
  tenantId: string,
  messageId: string,
  page: { limit: number; after: SortKey | null },
): Promise<Revision[] | PartialPage<Revision>> {
  const columns = sql`version, body, written_at, replaced_at`
  const rows = sql`select * from message_revisions where tenant_id = ${tenantId} and message_id = ${messageId}
    and version > ${page.after?.[0] ?? 0} order by version limit ${page.limit}`
  const read = withinPage({
    columns,
    rows,
    name: sql`revisions`,
    bytes: sql`octet_length(body)`,
    by: sql`version`,
  })
  return partialPageOf(
    await db.largeRows<Revision & { found: number }>(read, maxPageBytes),
    ({ version }) => [version],
  )
}

export async function countRevisions(db: Db, tenantId: string, messageId: string): Promise<number> {
  const [row] = await db.slowRows<{ count: number }>(sql`select count(*) from message_revisions
    where tenant_id = ${tenantId} and message_id = ${messageId}`)
  return row!.count
}
