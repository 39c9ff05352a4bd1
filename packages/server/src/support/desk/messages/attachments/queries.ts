import { type Sql, sql } from '../../../../platform/postgres/sql.ts'

/** A file of a message, as it was when the message was written. */
export type Attachment = {
  /** UUID. */
  file_id: string
  filename: string
  content_type: string
  size_bytes: number
  disposition: 'attachment' | 'inline'
}

/** The present status of each file that a message uses, by UUID; null for a message that never had any. */
export type FileStates = Record<string, string> | null

/** @param table `messages` or `scheduled_messages` */
export const fileStates = (table: Sql, tenantId: string): Sql =>
  sql`(case when ${table}.attachments is not null then (
    select json_object_agg(f.id, f.status) from message_files u join files f on f.tenant_id = ${tenantId} and f.id = u.file_id
    where u.tenant_id = ${tenantId} and u.message_id = ${table}.id) end)`
