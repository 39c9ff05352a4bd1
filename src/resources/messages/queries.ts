import type { Db } from '../../db/database.ts'
import { and, join, type Sql, sql } from '../../db/sql.ts'
import type { SortKey } from '../../http/pagination.ts'
import type { Instant } from '../../lib/clock.ts'
import { searchTokens } from '../../lib/search-text.ts'
import type { Person, Side } from '../conversations/lifecycle.ts'

export type Message = {
  id: string
  conversation_id: string
  sequence: number
  author_side: Side
  operator_id: string | null
  body: string
  body_format: 'text' | 'markdown'
  visibility: 'public' | 'internal'
  in_reply_to_id: string | null
  external_id: string | null
  metadata: Record<string, string>
  edited_at: Instant | null
  redacted_at: Instant | null
  created_at: Instant
  updated_at: Instant
  version: number
}

const columns = sql`id, conversation_id, sequence, author_side, operator_id, body, body_format, visibility,
  in_reply_to_id, external_id, metadata, edited_at, redacted_at, created_at, updated_at, version`

export const findMessage = (db: Db, tenantId: string, id: string): Promise<Message | null> =>
  db.maybe(sql`select ${columns} from messages where tenant_id = ${tenantId} and id = ${id}`)

export const findMessageByExternalId = (db: Db, tenantId: string, externalId: string) =>
  db.maybe<{ id: string }>(
    sql`select id from messages where tenant_id = ${tenantId} and external_id = ${externalId}`,
  )

/** Two messages that were given one sequence fail here, by (tenant_id, conversation_id, sequence). */
export const insertMessage = (tenantId: string, row: Message): Sql =>
  sql`insert into messages (tenant_id, ${columns}, search) values (${tenantId}, ${row.id}, ${row.conversation_id},
    ${row.sequence}, ${row.author_side}, ${row.operator_id}, ${row.body}, ${row.body_format}, ${row.visibility},
    ${row.in_reply_to_id}, ${row.external_id}, ${JSON.stringify(row.metadata)}, ${row.edited_at}, ${row.redacted_at},
    ${row.created_at}, ${row.updated_at}, ${row.version}, array_to_tsvector(${searchTokens(row.body)}::text[]))`

export const updateMessage = (tenantId: string, row: Message): Sql =>
  sql`update messages set body = ${row.body}, metadata = ${JSON.stringify(row.metadata)}, edited_at = ${row.edited_at},
      redacted_at = ${row.redacted_at}, updated_at = ${row.updated_at}, version = ${row.version},
      search = array_to_tsvector(${searchTokens(row.body)}::text[])
    where tenant_id = ${tenantId} and id = ${row.id} and version = ${row.version - 1} returning 1`

export const unchangedMessage = (tenantId: string, row: Message): Sql =>
  sql`select 1 from messages where tenant_id = ${tenantId} and id = ${row.id} and version = ${row.version} for share`

export type MessageFilter = { visibility?: string; author_side?: string }
export const messageSorts = ['sequence', '-sequence'] as const
export type MessageSort = (typeof messageSorts)[number]

export const messageSortKey = (row: Message): SortKey => [row.sequence]

export function listMessages(
  db: Db,
  tenantId: string,
  conversationId: string,
  filter: MessageFilter,
  page: { sort: MessageSort; limit: number; after: SortKey | null },
): Promise<Message[]> {
  const conditions = conditionsOf(tenantId, conversationId, filter)
  const ascending = page.sort === 'sequence'
  if (page.after) {
    const [sequence] = page.after
    conditions.push(ascending ? sql`sequence > ${sequence}` : sql`sequence < ${sequence}`)
  }
  const query = sql`select ${columns} from messages where ${join(conditions, and)}
    order by ${ascending ? sql`sequence` : sql`sequence desc`} limit ${page.limit}`
  // A filter may have to read far before it finds a page; nobody else shall wait behind it.
  return Object.keys(filter).length === 0 ? db.rows(query) : db.slowRows(query)
}

export async function countMessages(
  db: Db,
  tenantId: string,
  conversationId: string,
  filter: MessageFilter,
  atMost: number,
): Promise<number> {
  const conditions = conditionsOf(tenantId, conversationId, filter)
  const [row] = await db.slowRows<{ count: number }>(sql`select count(*) from (
    select 1 from messages where ${join(conditions, and)} limit ${atMost}) found`)
  return row!.count
}

function conditionsOf(tenantId: string, conversationId: string, filter: MessageFilter): Sql[] {
  const conditions = [sql`tenant_id = ${tenantId}`, sql`conversation_id = ${conversationId}`]
  if (filter.visibility) conditions.push(sql`visibility = ${filter.visibility}`)
  if (filter.author_side) conditions.push(sql`author_side = ${filter.author_side}`)
  return conditions
}

/** Public messages of `author` after a sequence. */
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

export const insertRevision = (tenantId: string, messageId: string, revision: Revision): Sql =>
  sql`insert into message_revisions (tenant_id, message_id, version, body, written_at, replaced_at)
    values (${tenantId}, ${messageId}, ${revision.version}, ${revision.body}, ${revision.written_at}, ${revision.replaced_at})`

export const deleteRevisions = (tenantId: string, messageId: string): Sql =>
  sql`delete from message_revisions where tenant_id = ${tenantId} and message_id = ${messageId}`

export const listRevisions = (
  db: Db,
  tenantId: string,
  messageId: string,
  page: { limit: number; after: SortKey | null },
): Promise<Revision[]> =>
  db.rows(sql`select version, body, written_at, replaced_at from message_revisions
    where tenant_id = ${tenantId} and message_id = ${messageId} and version > ${page.after?.[0] ?? 0}
    order by version limit ${page.limit}`)

export async function countRevisions(db: Db, tenantId: string, messageId: string): Promise<number> {
  const [row] = await db.slowRows<{ count: number }>(sql`select count(*) from message_revisions
    where tenant_id = ${tenantId} and message_id = ${messageId}`)
  return row!.count
}
