import type { Position } from '../../../../platform/journal/positions.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { type Columns, rowSet, rowSetColumn } from '../../../../platform/postgres/row-set.ts'
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
  sql`insert into conversation_removals (tenant_id, conversation_id, kind, after_sequence, file_ids, stream_ids, part)
    select ${tenantId}::uuid, ${conversationId}::uuid, 'delete', 0,
      array(select uses.file_id from message_files uses where uses.tenant_id = ${tenantId}
        and uses.message_id in (${messageIds(tenantId, conversationId)}) order by uses.file_id),
      array[${conversationId}::uuid], 0
    on conflict (tenant_id, conversation_id) do update set kind = 'delete',
      file_ids = conversation_removals.file_ids || excluded.file_ids,
      stream_ids = excluded.stream_ids || conversation_removals.stream_ids,
      epoch = null, position = null, ordinal = null, part = conversation_removals.part + 1`

/** Records other work on a conversation, unless some is still in progress. */
export const insertRemoval = (tenantId: string, conversationId: string, kind: Removal['kind']): Sql =>
  sql`insert into conversation_removals (tenant_id, conversation_id, kind, after_sequence, file_ids, stream_ids, part)
    values (${tenantId}, ${conversationId}, ${kind}, 0, '{}', array[${conversationId}::uuid], 0)
    on conflict (tenant_id, conversation_id) do nothing`

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
  // Those of objects that show no external id stay, and an import finds that their objects are gone.
  sql`delete from import_mappings where import_mappings.tenant_id = ${tenantId} and import_mappings.type = 'message'
    and import_mappings.external_id in (select sent.external_id from messages sent where sent.tenant_id = ${tenantId}
      and sent.conversation_id = ${conversationId} and sent.external_id is not null)
    and import_mappings.object_id in (${messageIds(tenantId, conversationId)})`,
  sql`delete from import_mappings where import_mappings.tenant_id = ${tenantId} and import_mappings.type = 'conversation'
    and import_mappings.external_id in (select own.external_id from conversations own where own.tenant_id = ${tenantId}
      and own.id = ${conversationId} and own.external_id is not null)
    and import_mappings.object_id = ${conversationId}`,
  sql`delete from scheduled_messages where tenant_id = ${tenantId} and conversation_id = ${conversationId}`,
  sql`delete from messages where tenant_id = ${tenantId} and conversation_id = ${conversationId}`,
  sql`delete from conversation_holds where tenant_id = ${tenantId} and conversation_id = ${conversationId}`,
  sql`delete from read_states where tenant_id = ${tenantId} and conversation_id = ${conversationId}`,
  sql`delete from conversation_moments where tenant_id = ${tenantId} and conversation_id = ${conversationId}`,
  sql`delete from followers where tenant_id = ${tenantId} and conversation_id = ${conversationId}`,
  sql`delete from notifications where tenant_id = ${tenantId} and conversation_id = ${conversationId}`,
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

/** Work on a conversation, and how far it is done. */
export type Removal = {
  kind: 'delete' | 'redact' | 'delete_files'
  after_sequence: number
  file_ids: string[]
  stream_ids: string[]
  after: Position | null
  part: number
}

export async function findRemoval(db: Db, tenantId: string, conversationId: string): Promise<Removal | null> {
  type Row = Omit<Removal, 'after'> & { epoch: number | null; position: number; ordinal: number }
  const row =
    await db.maybe<Row>(sql`select kind, after_sequence, file_ids, stream_ids, epoch, position, ordinal, part
    from conversation_removals where tenant_id = ${tenantId} and conversation_id = ${conversationId}`)
  if (!row) return null
  const { epoch, position, ordinal, ...rest } = row
  return { ...rest, after: epoch === null ? null : { epoch, position, ordinal } }
}

export type Progress = Removal & { conversation_id: string }

const written: Columns<Progress> = {
  conversation_id: ['uuid', ({ conversation_id }) => conversation_id],
  part: ['integer', ({ part }) => part],
}
const writtenRows = rowSet(written)
const progressRows = rowSet<Progress>({
  ...written,
  after_sequence: ['integer', ({ after_sequence }) => after_sequence],
  file_ids: ['uuid[]', ({ file_ids }) => file_ids],
  stream_ids: ['uuid[]', ({ stream_ids }) => stream_ids],
  epoch: ['integer', ({ after }) => after?.epoch ?? null],
  position: ['text', ({ after }) => (after ? String(after.position) : null)],
  ordinal: ['integer', ({ after }) => after?.ordinal ?? null],
})

const ofPart = (tenantId: string): Sql => sql`conversation_removals.tenant_id = ${tenantId}
  and conversation_removals.conversation_id = v.conversation_id and conversation_removals.part = v.part`

/** Records what parts have done; returns no row for one if another process was faster. */
export const updateRemovals = (tenantId: string, progress: Progress[]): Sql =>
  sql`update conversation_removals set after_sequence = v.after_sequence,
      file_ids = ${rowSetColumn('file_ids', 'uuid[]')}, stream_ids = ${rowSetColumn('stream_ids', 'uuid[]')},
      epoch = v.epoch, position = v.position::xid8, ordinal = v.ordinal, part = v.part + 1
    from ${progressRows(progress)} where ${ofPart(tenantId)} returning 1`

/** As `updateRemovals`, for the last parts. */
export const endRemovals = (tenantId: string, done: Progress[]): Sql =>
  sql`delete from conversation_removals using ${writtenRows(done)} where ${ofPart(tenantId)} returning 1`

/** The conversations of some for which a policy has something to do. */
export async function withSomethingToDo(
  db: Db,
  tenantId: string,
  conversationIds: string[],
  kind: Exclude<Removal['kind'], 'delete'>,
): Promise<Set<string>> {
  const isLeft =
    kind === 'redact'
      ? sql`m.redacted_at is null`
      : sql`m.attachments is not null and exists (select 1 from message_files uses
          where uses.tenant_id = ${tenantId} and uses.message_id = m.id)`
  const rows = await db.slowRows<{
    id: string
  }>(sql`select c.id from unnest(${conversationIds}::uuid[]) as c (id)
    where exists (select 1 from messages m where m.tenant_id = ${tenantId} and m.conversation_id = c.id and ${isLeft})`)
  return new Set(rows.map(({ id }) => id))
}
