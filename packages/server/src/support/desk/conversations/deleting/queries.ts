import type { Position } from '../../../../platform/journal/positions.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { type Conversation, conversationTable } from '../queries.ts'

/** The messages of a conversation, sent or scheduled. */
export const messageIds = (tenantId: string, conversationId: string): Sql =>
  sql`select sent.id from messages sent where sent.tenant_id = ${tenantId} and sent.conversation_id = ${conversationId}
    union all select scheduled.id from scheduled_messages scheduled
      where scheduled.tenant_id = ${tenantId} and scheduled.conversation_id = ${conversationId}`

/**
 * Records the rest of a deletion: the uses of files by its messages, and its stream of events. The statement sees the
 * messages that others of the same transaction delete.
 */
export const insertDeletion = (tenantId: string, conversationId: string): Sql =>
  sql`insert into conversation_deletions (tenant_id, conversation_id, file_ids, stream_ids)
    select ${tenantId}::uuid, ${conversationId}::uuid,
      array(select uses.file_id from message_files uses where uses.tenant_id = ${tenantId}
        and uses.message_id in (${messageIds(tenantId, conversationId)}) order by uses.file_id),
      array[${conversationId}::uuid]`

/** The statements that delete the rows of a conversation, but for those that reactions delete. */
export const deletionsOf = (tenantId: string, conversationId: string): Sql[] => [
  sql`delete from message_files where message_files.tenant_id = ${tenantId}
    and message_files.message_id in (${messageIds(tenantId, conversationId)})`,
  sql`delete from message_revisions where message_revisions.tenant_id = ${tenantId}
    and message_revisions.message_id in (${messageIds(tenantId, conversationId)})`,
  sql`delete from message_external_ids where message_external_ids.tenant_id = ${tenantId}
    and message_external_ids.external_id in (
      select sent.external_id from messages sent where sent.tenant_id = ${tenantId}
        and sent.conversation_id = ${conversationId} and sent.external_id is not null
      union all select scheduled.external_id from scheduled_messages scheduled where scheduled.tenant_id = ${tenantId}
        and scheduled.conversation_id = ${conversationId} and scheduled.external_id is not null)`,
  sql`delete from scheduled_messages where tenant_id = ${tenantId} and conversation_id = ${conversationId}`,
  sql`delete from messages where tenant_id = ${tenantId} and conversation_id = ${conversationId}`,
  sql`delete from conversation_holds where tenant_id = ${tenantId} and conversation_id = ${conversationId}`,
  sql`delete from conversation_moments where tenant_id = ${tenantId} and conversation_id = ${conversationId}`,
]

/** The conversations that follow up a conversation, or were merged into it. */
export const referringTo = (
  db: Db,
  tenantId: string,
  conversationId: string,
  limit: number,
): Promise<Conversation[]> =>
  db.rows(sql`select ${conversationTable.columns(tenantId)} from conversations
    where conversations.tenant_id = ${tenantId} and conversations.id in (
      select followed.id from conversations followed
        where followed.tenant_id = ${tenantId} and followed.follow_up_of_id = ${conversationId}
      union select merged.id from conversations merged
        where merged.tenant_id = ${tenantId} and merged.merged_into_id = ${conversationId})
    order by conversations.id limit ${limit}`)

/** The scheduled messages of a conversation, which jobs send. */
export const scheduledIds = async (
  db: Db,
  tenantId: string,
  conversationId: string,
  limit: number,
): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`select id from scheduled_messages
    where tenant_id = ${tenantId} and conversation_id = ${conversationId} limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** The work that remains for a deleted conversation. */
export type Deletion = { file_ids: string[]; stream_ids: string[]; after: Position | null }

export async function findDeletion(
  db: Db,
  tenantId: string,
  conversationId: string,
): Promise<Deletion | null> {
  type Row = Omit<Deletion, 'after'> & { epoch: number | null; position: number; ordinal: number }
  const row = await db.maybe<Row>(sql`select file_ids, stream_ids, epoch, position, ordinal
    from conversation_deletions where tenant_id = ${tenantId} and conversation_id = ${conversationId}`)
  if (!row) return null
  const { epoch, position, ordinal, ...rest } = row
  return { ...rest, after: epoch === null ? null : { epoch, position, ordinal } }
}

export const updateDeletion = (
  tenantId: string,
  conversationId: string,
  { file_ids, stream_ids, after }: Deletion,
): Sql =>
  sql`update conversation_deletions set file_ids = ${file_ids}::uuid[], stream_ids = ${stream_ids}::uuid[],
      epoch = ${after?.epoch ?? null}::integer, position = ${after ? String(after.position) : null}::text::xid8,
      ordinal = ${after?.ordinal ?? null}::integer
    where tenant_id = ${tenantId} and conversation_id = ${conversationId}`

export const endDeletion = (tenantId: string, conversationId: string): Sql =>
  sql`delete from conversation_deletions where tenant_id = ${tenantId} and conversation_id = ${conversationId}`
