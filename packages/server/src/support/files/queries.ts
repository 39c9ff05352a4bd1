import type { Environment } from '../../platform/kernel/environment.ts'
import type { Db } from '../../platform/postgres/database.ts'
import { comma, join, type Sql, sql } from '../../platform/postgres/sql.ts'
import { defineTable } from '../../platform/tables/table.ts'
import { type RowOf, tables } from '../vocabulary/tables.generated.ts'

export type FileStatus = 'awaiting_upload' | 'scanning' | 'ready' | 'rejected'
export type RejectedReason = 'size' | 'hash' | 'type' | 'infected'
export type FileRow = RowOf<'files', { status: FileStatus; rejected_reason: RejectedReason | null }>

export const fileTable = defineTable<FileRow>({
  name: 'files',
  columns: tables.files,
  fixed: ['filename', 'size_bytes', 'sha256', 'end_user_id', 'required_scopes'],
})

/** A file with its environment, for requests that name both in a signed URL instead of presenting a credential. */
export async function findFileWithEnvironment(
  db: Db,
  tenantId: string,
  id: string,
): Promise<{ file: FileRow; environment: Environment } | null> {
  const [file, environment] = await Promise.all([
    fileTable.find(db, tenantId, id),
    db.maybe<Environment>(sql`select id as "tenantId", workspace_id as "workspaceId", kind,
      clock_offset_ms as "clockOffsetMs" from environments where id = ${tenantId}`),
  ])
  return file && environment && { file, environment }
}

/** Counts the files that an end user has created and nothing uses, up to `atMost`. */
export async function countUnused(
  db: Db,
  tenantId: string,
  endUserId: string,
  atMost: number,
): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`select count(*) from (select 1 from files
    where tenant_id = ${tenantId} and end_user_id = ${endUserId} and use_count = 0 limit ${atMost}) unused`)
  return row!.count
}

/** The extensions that the workspace denies; null for those that are denied by default. */
export const deniedExtensions = async (db: Db, tenantId: string): Promise<string[] | null> =>
  (await db.maybe<{ denied: string[] | null }>(
    sql`select file_types_denied as denied from environments where id = ${tenantId}`,
  ))!.denied

type Use = { message_id: string; file_id: string }

export const insertMessageFiles = (tenantId: string, uses: Use[]): Sql =>
  sql`insert into message_files (tenant_id, message_id, file_id) values ${join(
    uses.map(({ message_id, file_id }) => sql`(${tenantId}, ${message_id}, ${file_id})`),
    comma,
  )}`

export const deleteMessageFiles = (tenantId: string, messageIds: string[]): Sql =>
  sql`delete from message_files where tenant_id = ${tenantId} and message_id = any(${messageIds}::uuid[])`

/** The messages, sent or scheduled, that use a file. */
export const messagesWith = async (db: Db, tenantId: string, fileId: string): Promise<string[]> => {
  const rows = await db.rows<{ message_id: string }>(
    sql`select message_id from message_files where tenant_id = ${tenantId} and file_id = ${fileId} order by message_id`,
  )
  return rows.map(({ message_id }) => message_id)
}

/** The conversations with a public message that has the file; messages that are scheduled do not count. */
export const conversationsShowing = async (db: Db, tenantId: string, fileId: string): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`select distinct m.conversation_id as id
    from message_files u join messages m on m.tenant_id = ${tenantId} and m.id = u.message_id
    where u.tenant_id = ${tenantId} and u.file_id = ${fileId} and m.visibility = 'public' limit 10`)
  return rows.map(({ id }) => id)
}
