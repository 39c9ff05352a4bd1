import type { Db } from '../../../platform/postgres/database.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/** True for a mail that this server sends, and not the client. */
export const isSentHere = async (db: Db, tenantId: string, messageId: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 as found from outgoing_emails
    where tenant_id = ${tenantId} and message_id = ${messageId}`)) !== null

/** True if a Message-ID names a message already. */
export const isReferenceOf = async (
  db: Db,
  tenantId: string,
  reference: string,
  messageId: string,
): Promise<boolean> =>
  (await db.maybe(sql`select 1 as found from email_references
    where tenant_id = ${tenantId} and reference = ${reference} and message_id = ${messageId}`)) !== null
