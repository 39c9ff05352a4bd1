import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { rowSet } from '../../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'
import type { automaticKinds, bases, directions } from './facts.ts'

export type EmailAddress = { address: string; name: string | null }

/**
 * How a mail came about without a person: `reply` answers another mail, `generated` is any other mail of a program,
 * `bulk` went to many, and may have the words of a person.
 */
export type Automatic = (typeof automaticKinds)[number]

/** The proof that a mail is from its `From` address. */
export type Authentication = {
  /** The authserv-id of the header that counts, in lower case; null without one. */
  authserv_id: string | null
  /** The results as that header reports them, in lower case; null for those that it does not report. */
  dmarc: string | null
  dkim: string | null
  spf: string | null
  verified: boolean
  basis: (typeof bases)[number] | null
}

/** The mail of a message. Ids are UUIDs. */
export type MessageEmail = {
  direction: (typeof directions)[number]
  mailbox_id: string | null
  inbound_email_id: string | null
  header_message_id: string | null
  in_reply_to: string | null
  references: string[]
  from: EmailAddress | null
  to: EmailAddress[]
  cc: EmailAddress[]
  bcc: EmailAddress[]
  reply_to: EmailAddress[]
  subject: string | null
  quoted: string | null
  automatic: Automatic | null
  authentication: Authentication | null
  warnings: string[]
}

/** A message that a Message-ID or token names, and its conversation. */
export type Reference = {
  /** A Message-ID, or `+` and the token of an address. */
  reference: string
  message_id: string
  conversation_id: string
  /** True if this server or the client sent it, false if it arrived. */
  is_sent: boolean
}

type NewReference = Reference & { created_at: Instant }

const referenceRows = rowSet<NewReference>({
  reference: ['text', ({ reference }) => reference],
  message_id: ['uuid', ({ message_id }) => message_id],
  conversation_id: ['uuid', ({ conversation_id }) => conversation_id],
  is_sent: ['boolean', ({ is_sent }) => is_sent],
  created_at: ['timestamptz', ({ created_at }) => created_at],
})

export const insertReferences = (tenantId: string, references: NewReference[]): Sql =>
  sql`insert into email_references (tenant_id, reference, message_id, conversation_id, is_sent, created_at)
    select ${tenantId}::uuid, reference, message_id, conversation_id, is_sent, created_at from ${referenceRows(references)}`

export type EmailContents = {
  message_id: string
  headers: { name: string; value: string }[]
  text: string | null
  html: string | null
}

const contentRows = rowSet<EmailContents>({
  message_id: ['uuid', ({ message_id }) => message_id],
  headers: ['json', ({ headers }) => JSON.stringify(headers)],
  text: ['text', ({ text }) => text],
  html: ['text', ({ html }) => html],
})

/** Stores the mail of a message as it was sent or received. */
export const insertContents = (tenantId: string, contents: EmailContents[]): Sql =>
  sql`insert into email_contents (tenant_id, message_id, headers, text, html)
    select ${tenantId}::uuid, message_id, headers, text, html from ${contentRows(contents)}`

export const findContents = (db: Db, tenantId: string, messageId: string): Promise<EmailContents | null> =>
  db.maybe(sql`select message_id, headers, text, html from email_contents
    where tenant_id = ${tenantId} and message_id = ${messageId}`)

/** More messages are not searched for mails. */
const mostSearched = 200

/** The last messages of a conversation that have a mail of which something is true. */
const lastMailOf = (tenantId: string, conversationId: string, condition: Sql): Sql =>
  sql`select email from (select * from messages where tenant_id = ${tenantId}
      and conversation_id = ${conversationId} order by sequence desc limit ${mostSearched}) recent
    where email is not null and ${condition} order by sequence desc limit 1`

/** The mail with which an end user wrote last in a conversation. */
export const lastWrittenFrom = async (
  db: Db,
  tenantId: string,
  conversationId: string,
  endUserId: string,
): Promise<MessageEmail | null> =>
  (
    await db.maybe<{ email: MessageEmail }>(
      lastMailOf(
        tenantId,
        conversationId,
        sql`author_end_user_id = ${endUserId} and email ->> 'direction' = 'inbound'`,
      ),
    )
  )?.email ?? null

/** The last mail of a conversation that others than operators read. */
export const lastMail = async (
  db: Db,
  tenantId: string,
  conversationId: string,
): Promise<MessageEmail | null> =>
  (
    await db.maybe<{ email: MessageEmail }>(
      lastMailOf(
        tenantId,
        conversationId,
        sql`visibility = 'public' and email ->> 'header_message_id' is not null`,
      ),
    )
  )?.email ?? null
