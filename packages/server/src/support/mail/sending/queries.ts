import type { Instant } from '../../../platform/kernel/clock.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import type { OutgoingFile } from '../../desk/messages/email/queries.ts'

/** What the sender of a mail needs beside its message. */
export type Outgoing = {
  message_id: string
  mailbox_id: string
  /** The sender of the envelope. */
  mail_from: string
  files: OutgoingFile[]
  /** The hand-overs whose answer nobody knows. */
  unanswered: number
  /** True from before the last byte of a hand-over until its answer is stored. */
  is_open: boolean
  sent_at: Instant | null
}

export const findOutgoing = (db: Db, tenantId: string, messageId: string): Promise<Outgoing | null> =>
  db.maybe(sql`select message_id, mailbox_id, mail_from, files, unanswered, is_open, sent_at from outgoing_emails
    where tenant_id = ${tenantId} and message_id = ${messageId}`)

/**
 * Records that the last byte of a mail is about to be sent: whatever happens then, nobody forgets that the relay may
 * have taken it.
 */
export const openHandover = async (db: Db, tenantId: string, messageId: string, at: Instant): Promise<void> => {
  await db.write(sql`update outgoing_emails set is_open = true, sent_at = ${at}
    where tenant_id = ${tenantId} and message_id = ${messageId}`)
}

type Ended = { messageId: string; unanswered: number }

/** Records the answer to a hand-over, in the transaction of what follows from it. */
export const closeHandover = (tenantId: string, [{ messageId, unanswered }]: [Ended]): Sql =>
  sql`update outgoing_emails set is_open = false, unanswered = ${unanswered}
    where tenant_id = ${tenantId} and message_id = ${messageId}`

/** The time at which the mail was handed over that is `rank` mails before the last one; null if there were fewer. */
export const handedOverBefore = async (
  db: Db,
  tenantId: string,
  mailboxId: string,
  since: Instant,
  rank: number,
): Promise<Instant | null> =>
  (
    await db.maybe<{ sent_at: Instant }>(sql`select sent_at from outgoing_emails
      where tenant_id = ${tenantId} and mailbox_id = ${mailboxId} and sent_at > ${since}
      order by sent_at desc offset ${rank} limit 1`)
  )?.sent_at ?? null
