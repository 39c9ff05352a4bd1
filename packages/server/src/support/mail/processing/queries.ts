import type { Instant } from '../../../platform/kernel/clock.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { rowSet } from '../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'

/** A message that a Message-ID or token names, and its conversation. */
export type Reference = {
  /** A Message-ID, or `+` and the token of an address. */
  reference: string
  message_id: string
  conversation_id: string
  /** True if this server or the client sent it, false if it arrived. */
  is_sent: boolean
}

/** Those that were sent come first, then the first to arrive: one that repeats the id of another is not meant. */
export const findReferences = (db: Db, tenantId: string, references: string[]): Promise<Reference[]> =>
  db.rows(sql`select reference, message_id, conversation_id, is_sent from email_references
    where tenant_id = ${tenantId} and reference = any(${references}::text[])
    order by is_sent desc, created_at, message_id`)

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

/** True if an earlier mail with one of these Message-IDs still waits to be processed. */
export const isAwaited = async (
  db: Db,
  tenantId: string,
  messageIds: string[],
  before: string,
): Promise<boolean> =>
  (await db.maybe(sql`select 1 as found from inbound_emails
    where tenant_id = ${tenantId} and header_message_id = any(${messageIds}::text[]) and status = 'received'
      and id < ${before} limit 1`)) !== null

/** The newest conversation that follows up a closed one, directly or after others, and is not closed. */
export const openFollowUp = async (
  db: Db,
  tenantId: string,
  conversationId: string,
): Promise<string | null> =>
  (
    await db.maybe<{ id: string }>(sql`with recursive following (id, status) as (
        select id, status from conversations where tenant_id = ${tenantId} and follow_up_of_id = ${conversationId}
        union
        select next.id, next.status from conversations next join following on next.follow_up_of_id = following.id
          where next.tenant_id = ${tenantId})
      select id from following where status <> 'closed' order by id desc limit 1`)
  )?.id ?? null

/** The people whom an address names. */
export type Holders = {
  address: string
  /** The end user who holds it as verified. */
  verified_id: string | null
  /** The end user whom mail from this address made. */
  sender_id: string | null
  /** The operator with this address. */
  operator_id: string | null
}

/** @param addresses in their canonical form */
export const findHolders = (db: Db, tenantId: string, addresses: string[]): Promise<Holders[]> =>
  db.rows(sql`select asked.address,
      (select h.end_user_id from end_user_addresses h where h.tenant_id = ${tenantId} and h.kind = 'email'
        and h.address = asked.address and h.is_verified limit 1) as verified_id,
      (select s.end_user_id from email_senders s where s.tenant_id = ${tenantId} and s.address = asked.address) as sender_id,
      (select o.id from operators o where o.tenant_id = ${tenantId} and o.email_key = asked.address and not o.archived
        limit 1) as operator_id
    from unnest(${addresses}::text[]) as asked (address)`)

type SenderRow = { address: string; end_user_id: string }

const senderRows = rowSet<SenderRow>({
  address: ['text', ({ address }) => address],
  end_user_id: ['uuid', ({ end_user_id }) => end_user_id],
})

/** Two changes that make the end user of an address violate the primary key: the second runs again. */
export const insertSenders = (tenantId: string, senders: SenderRow[]): Sql =>
  sql`insert into email_senders (tenant_id, address, end_user_id)
    select ${tenantId}::uuid, address, end_user_id from ${senderRows(senders)}`

type Replaced = SenderRow & { former_id: string }

const replacedRows = rowSet<Replaced>({
  address: ['text', ({ address }) => address],
  end_user_id: ['uuid', ({ end_user_id }) => end_user_id],
  former_id: ['uuid', ({ former_id }) => former_id],
})

/** Returns one row for each that was unchanged. */
export const replaceSenders = (tenantId: string, senders: Replaced[]): Sql =>
  sql`update email_senders set end_user_id = v.end_user_id from ${replacedRows(senders)}
    where email_senders.tenant_id = ${tenantId} and email_senders.address = v.address
      and email_senders.end_user_id = v.former_id returning 1`

/** Counts the mails from an address that made a message since a time, which the id has. */
export async function countMessagesFrom(
  db: Db,
  tenantId: string,
  address: string,
  sinceId: string,
  atMost: number,
): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`select count(*) from (select 1 from inbound_emails
    where tenant_id = ${tenantId} and from_address = ${address} and id >= ${sinceId}
      and status in ('created', 'threaded') limit ${atMost}) counted`)
  return row!.count
}

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
