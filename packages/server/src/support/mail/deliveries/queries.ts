import { everyEnvironment } from '../../../platform/journal/every-environment.ts'
import type { Instant } from '../../../platform/kernel/clock.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'

/** True for a mail that this server sends, and not the client. */
export const isSentHere = async (db: Db, tenantId: string, messageId: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 as found from outgoing_emails sent
    join mailboxes m on m.tenant_id = ${tenantId} and m.id = sent.mailbox_id and m.outbound = 'smtp'
    where sent.tenant_id = ${tenantId} and sent.message_id = ${messageId}`)) !== null

/** True if a Message-ID names a message already. */
export const isReferenceOf = async (
  db: Db,
  tenantId: string,
  reference: string,
  messageId: string,
): Promise<boolean> =>
  (await db.maybe(sql`select 1 as found from email_references
    where tenant_id = ${tenantId} and reference = ${reference} and message_id = ${messageId}`)) !== null

/** Deletes the rows by which mails are sent: nothing more of them is. */
export const deleteOutgoing = (tenantId: string, messageIds: string[]): Sql =>
  sql`delete from outgoing_emails where tenant_id = ${tenantId} and message_id = any(${messageIds}::uuid[])`

/** The statement sees the messages that others of the same transaction delete. */
export const deleteOutgoingOfConversation = (tenantId: string, conversationId: string): Sql =>
  sql`delete from outgoing_emails where outgoing_emails.tenant_id = ${tenantId} and outgoing_emails.message_id in (
    select sent.id from messages sent where sent.tenant_id = ${tenantId} and sent.conversation_id = ${conversationId})`

/** @param addresses in their canonical form */
export const deleteAutomaticTo = (tenantId: string, addresses: string[]): Sql =>
  sql`delete from automatic_emails where tenant_id = ${tenantId} and address = any(${addresses}::text[])`

/** Automatic mails count for an hour, and are forgotten after this time. */
export const automaticHours = 24

export async function sweepAutomatic(
  db: Db,
  tenantId: string,
  cutoff: Instant,
  limit: number,
): Promise<number> {
  const swept = await db.write(sql`delete from automatic_emails where tenant_id = ${tenantId}
    and (address, message_id) in (select address, message_id from automatic_emails
      where tenant_id = ${tenantId} and created_at < ${cutoff} order by created_at limit ${limit})
    returning 1 as swept`)
  return swept.length
}

/** The environments with automatic mails from before that time, by their own clock. */
export async function environmentsWithOldAutomatic(db: Db, realNowMs: number): Promise<string[]> {
  const found = await db.slowRows<{ id: string }>(sql`select e.id from ${everyEnvironment}
    cross join lateral (select created_at from automatic_emails
      where automatic_emails.tenant_id = h.tenant_id order by created_at limit 1) oldest
    where extract(epoch from oldest.created_at) * 1000
      < ${realNowMs}::bigint + e.clock_offset_ms - ${automaticHours * 3_600_000}::bigint`)
  return found.map(({ id }) => id)
}
