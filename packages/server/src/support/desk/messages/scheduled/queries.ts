import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { Page, PartialPage, SortKey } from '../../../../platform/kernel/page.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { rowSet } from '../../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { defineTable, type Order } from '../../../../platform/tables/table.ts'
import { type RowOf, tables } from '../../../vocabulary/tables.generated.ts'
import type { Side } from '../../conversations/lifecycle.ts'
import { type Attachment, type FileStates, fileStates } from '../attachments/queries.ts'
import type { NewEmail } from '../email/new-email.ts'

/** A message that is sent at a later time. Then its row is removed and becomes a message with the same id. */
export type ScheduledMessage = RowOf<
  'scheduled_messages',
  {
    author_side: Side
    body_format: 'text' | 'markdown'
    visibility: 'public' | 'internal'
    set_status: 'open' | 'pending' | 'resolved' | null
    metadata: Record<string, string>
    attachments: Attachment[] | null
    email: NewEmail | null
  }
> & {
  file_states: FileStates
  /** Set in the response to a redaction, which removes the row. */
  redacted_at?: Instant
}

export const scheduledMessageTable = defineTable<ScheduledMessage>({
  name: 'scheduled_messages',
  columns: tables.scheduled_messages,
  fixed: [
    'send_at',
    'author_side',
    'operator_id',
    'body_format',
    'visibility',
    'template_id',
    'in_reply_to_id',
    'external_id',
    'set_status',
    'attachments',
  ],
  joined: { file_states: (tenantId) => fileStates(sql`scheduled_messages`, tenantId) },
  large: ['body', 'body_html'],
})

export const scheduledOrders: Record<'sequence' | '-sequence', Order<ScheduledMessage>> = {
  sequence: {
    by: sql`send_at, id`,
    after: ([sendAt, id]) => sql`(send_at, id) > (${sendAt}, ${id})`,
    key: (row) => [row.send_at, row.id],
  },
  '-sequence': {
    by: sql`send_at desc, id desc`,
    after: ([sendAt, id]) => sql`(send_at, id) < (${sendAt}, ${id})`,
    key: (row) => [row.send_at, row.id],
  },
}

/** The next messages of a conversation, in the order in which they are sent. */
export const nextScheduled = (
  db: Db,
  tenantId: string,
  conversationId: string,
  limit: number,
): Promise<ScheduledMessage[]> =>
  scheduledMessageTable.list(
    db,
    tenantId,
    [sql`conversation_id = ${conversationId}`],
    scheduledOrders.sequence,
    { limit, after: null },
    { slow: false },
  )

export const listScheduled = (
  db: Db,
  tenantId: string,
  conditions: Sql[],
  { sort, limit, after }: Page<'sequence' | '-sequence'>,
): Promise<ScheduledMessage[] | PartialPage<ScheduledMessage>> =>
  scheduledMessageTable.page(db, tenantId, conditions, scheduledOrders[sort], { limit, after })

export const countScheduled = (
  db: Db,
  tenantId: string,
  conditions: Sql[],
  atMost: number,
): Promise<number> => scheduledMessageTable.count(db, tenantId, conditions, atMost)

export const scheduledSortKey = (row: ScheduledMessage): SortKey => scheduledOrders.sequence.key(row)

type Unsent = { id: string; conversation_id: string }

const unsent = rowSet<Unsent>({
  id: ['uuid', ({ id }) => id],
  conversation_id: ['uuid', ({ conversation_id }) => conversation_id],
})

/** Keeps the conversation of each message that is never sent. */
export const insertUnsent = (tenantId: string, messages: Unsent[]): Sql =>
  sql`insert into unsent_messages (tenant_id, id, conversation_id)
    select ${tenantId}::uuid, id, conversation_id from ${unsent(messages)}`

export const findUnsent = (db: Db, tenantId: string, id: string) =>
  db.maybe<{ conversation_id: string }>(
    sql`select conversation_id from unsent_messages where tenant_id = ${tenantId} and id = ${id}`,
  )

type Claim = { external_id: string; message_id: string }

const claims = rowSet<Claim>({
  external_id: ['text', ({ external_id }) => external_id],
  message_id: ['uuid', ({ message_id }) => message_id],
})

/** Claims the external ids of new messages: one that is taken violates the primary key. */
export const claimExternalIds = (tenantId: string, claimed: Claim[]): Sql =>
  sql`insert into message_external_ids (tenant_id, external_id, message_id)
    select ${tenantId}::uuid, external_id, message_id from ${claims(claimed)}`

/** Releases the external ids of messages that are never sent. */
export const releaseExternalIds = (tenantId: string, externalIds: string[]): Sql =>
  sql`delete from message_external_ids where tenant_id = ${tenantId} and external_id = any(${externalIds}::text[])`
