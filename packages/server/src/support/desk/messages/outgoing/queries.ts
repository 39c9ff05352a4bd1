import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { rowSet } from '../../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'

/** A file of a mail that is sent: with it, or as a link. */
export type OutgoingFile = {
  /** UUID. */
  file_id: string
  filename: string
  content_type: string
  size_bytes: number
  /** The address of a file that goes as a link; null for one that goes with the mail. */
  url: string | null
  /** True if the HTML shows it. */
  inline: boolean
}

type NewOutgoing = {
  message_id: string
  mailbox_id: string
  mail_from: string
  files: OutgoingFile[]
  /** Null if nobody is to get it. */
  due_at: Instant | null
}

const outgoingRows = rowSet<NewOutgoing>({
  message_id: ['uuid', ({ message_id }) => message_id],
  mailbox_id: ['uuid', ({ mailbox_id }) => mailbox_id],
  mail_from: ['text', ({ mail_from }) => mail_from],
  files: ['json', ({ files }) => JSON.stringify(files)],
  due_at: ['timestamptz', ({ due_at }) => due_at],
})

/** Stores what the sender of a mail needs beside the message. */
export const insertOutgoing = (tenantId: string, rows: NewOutgoing[]): Sql =>
  sql`insert into outgoing_emails (tenant_id, message_id, mailbox_id, mail_from, files, due_at)
    select ${tenantId}::uuid, message_id, mailbox_id, mail_from, files, due_at from ${outgoingRows(rows)}`

type SentAgain = { message_id: string; due_at: Instant; attempts_before: number }

const againRows = rowSet<SentAgain>({
  message_id: ['uuid', ({ message_id }) => message_id],
  due_at: ['timestamptz', ({ due_at }) => due_at],
  attempts_before: ['integer', ({ attempts_before }) => attempts_before],
})

/** Lets mails be handed over once more to the recipients that are queued again. */
export const sendAgain = (tenantId: string, rows: SentAgain[]): Sql =>
  sql`update outgoing_emails set due_at = v.due_at, unanswered = 0, attempts_before = v.attempts_before from ${againRows(rows)}
    where outgoing_emails.tenant_id = ${tenantId} and outgoing_emails.message_id = v.message_id`

type AutomaticMail = { address: string; message_id: string; created_at: Instant }

const automaticRows = rowSet<AutomaticMail>({
  address: ['text', ({ address }) => address],
  message_id: ['uuid', ({ message_id }) => message_id],
  created_at: ['timestamptz', ({ created_at }) => created_at],
})

export const insertAutomatic = (tenantId: string, rows: AutomaticMail[]): Sql =>
  sql`insert into automatic_emails (tenant_id, address, message_id, created_at)
    select ${tenantId}::uuid, address, message_id, created_at from ${automaticRows(rows)}
    on conflict (tenant_id, address, message_id) do update set created_at = excluded.created_at`

/** The number of automatic mails to each of some addresses since a time; addresses without one are missing. */
export const countAutomatic = (
  db: Db,
  tenantId: string,
  addresses: string[],
  since: Instant,
): Promise<{ address: string; count: number }[]> =>
  db.rows(sql`select address, count(*) from automatic_emails where tenant_id = ${tenantId}
    and address = any(${addresses}::text[]) and created_at > ${since} group by address`)

/** A message as a mail quotes it. */
type QuotedMessage = {
  author_end_user_id: string | null
  operator_id: string | null
  body: string
  body_format: 'text' | 'markdown'
  body_html: string | null
  created_at: Instant
}

/** The last message of a conversation that its end user sees. */
export const lastPublicMessage = (
  db: Db,
  tenantId: string,
  conversationId: string,
): Promise<QuotedMessage | null> =>
  db.maybe(sql`select author_end_user_id, operator_id, body, body_format, body_html, created_at
    from messages where tenant_id = ${tenantId} and conversation_id = ${conversationId} and visibility = 'public'
    order by sequence desc limit 1`)
