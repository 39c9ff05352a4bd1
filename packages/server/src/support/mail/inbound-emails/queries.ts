import { everyEnvironment } from '../../../platform/journal/every-environment.ts'
import { type Instant, toInstant } from '../../../platform/kernel/clock.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import { firstUuidAt, uuidOf } from '../../../platform/kernel/ids.ts'
import type { Page } from '../../../platform/kernel/page.ts'
import { batched } from '../../../platform/postgres/batched.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { rowSet } from '../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, defineTable } from '../../../platform/tables/table.ts'
import { canonicalAddress } from '../../catalogue/mailboxes/addresses.ts'
import type { Authentication, Automatic, EmailAddress } from '../../desk/messages/email/queries.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'
import type { InboundEmailFilters } from './filters.ts'

export type InboundEmailStatus = 'received' | 'created' | 'threaded' | 'bounce' | 'ignored' | 'failed'
export type DroppedAttachment = {
  filename: string
  content_type: string
  size_bytes: number
  reason: 'type' | 'size' | 'count'
}

export type InboundEmail = RowOf<
  'inbound_emails',
  {
    source: 'api' | 'lmtp' | 'smtp'
    status: InboundEmailStatus
    threaded_by: 'token' | 'in_reply_to' | 'references' | null
    sender: EmailAddress | null
    to_addresses: EmailAddress[]
    cc_addresses: EmailAddress[]
    reply_to: EmailAddress[]
    authentication: Authentication | null
    automatic: Automatic | null
    auto_reply: 'sent' | 'limited' | 'unauthenticated' | null
    dropped_attachments: DroppedAttachment[]
    kept: 'all' | 'texts' | 'none'
  },
  'from_address' | 'leased_until'
>

export const inboundEmailTable = defineTable<InboundEmail>({
  name: 'inbound_emails',
  columns: tables.inbound_emails,
  fixed: ['source', 'content_hash', 'size_bytes', 'header_message_id'],
  derived: {
    from_address: { type: 'text', value: ({ sender }) => sender?.address ?? null },
    // A mail that waits can be taken from the time at which its row was written.
    leased_until: { type: 'timestamptz', value: () => toInstant(Date.now()) },
  },
})

export const inboundEmailOrders = byCreation

export const findByContent = batched(async (db, tenantId, hashes: string[]) => {
  const found = await db.rows<{ id: string; content_hash: string }>(sql`select id, content_hash
    from inbound_emails where tenant_id = ${tenantId} and content_hash = any(${hashes}::text[])`)
  const byHash = new Map(found.map((each) => [each.content_hash, each]))
  return hashes.map((each) => byHash.get(each) ?? null)
})

/** True if another mail with this `Message-ID` arrived before. */
export const isReused = batched(
  async (db, tenantId, emails: Pick<InboundEmail, 'id' | 'header_message_id'>[]): Promise<boolean[]> => {
    const ids = emails.map(({ id }) => id)
    const names = emails.map(({ header_message_id }) => header_message_id)
    const reused = await db.rows<{ id: string }>(sql`select asked.id
      from unnest(${ids}::uuid[], ${names}::text[]) as asked (id, name)
      where exists (select 1 from inbound_emails earlier where earlier.tenant_id = ${tenantId}
        and earlier.header_message_id = asked.name and earlier.id < asked.id)`)
    const found = new Set(reused.map(({ id }) => id))
    return ids.map((id) => found.has(id))
  },
)

/** Mails whose bytes one statement reads: up to 2 MiB. */
const mostBytesTogether = 16

type Bytes = { inbound_email_id: string; bytes: Buffer }

const byteRows = rowSet<Bytes>({
  inbound_email_id: ['uuid', ({ inbound_email_id }) => inbound_email_id],
  bytes: ['bytea', ({ bytes }) => bytes],
})

export const insertBytes = (tenantId: string, rows: Bytes[]): Sql =>
  sql`insert into inbound_email_bytes (tenant_id, inbound_email_id, bytes)
    select ${tenantId}::uuid, inbound_email_id, bytes from ${byteRows(rows)}`

export const deleteBytes = (tenantId: string, ids: string[]): Sql =>
  sql`delete from inbound_email_bytes where tenant_id = ${tenantId} and inbound_email_id = any(${ids}::uuid[])`

/** The bytes of a small mail; null once they are removed. */
export const findBytes = batched(async (db, tenantId, ids: string[]): Promise<(Buffer | null)[]> => {
  const found = await db.rows<Bytes>(sql`select inbound_email_id, bytes from inbound_email_bytes
    where tenant_id = ${tenantId} and inbound_email_id = any(${ids}::uuid[])`)
  const byId = new Map(found.map(({ inbound_email_id, bytes }) => [inbound_email_id, bytes]))
  return ids.map((id) => byId.get(id) ?? null)
}, mostBytesTogether)

/** A mail that waits to be processed. */
export type Waiting = { id: string; attempts: number }

export const environmentsWithWaiting = (db: Db, now: Instant): Promise<Environment[]> =>
  db.rows(sql`select e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from ${everyEnvironment} cross join lateral (select 1 from inbound_emails
      where inbound_emails.tenant_id = h.tenant_id and inbound_emails.status = 'received'
        and inbound_emails.leased_until <= ${now} limit 1) waiting`)

/** The time for which the oldest mail that is not processed yet has waited, in milliseconds; 0 without one. */
export async function inboundOverdueMs(db: Pick<Db, 'rows'>, realNowMs: number): Promise<number> {
  const [late] = await db.rows<{ ms: number }>(sql`select
      greatest(0, max(${realNowMs}::bigint + e.clock_offset_ms - extract(epoch from oldest.created_at) * 1000))::float8 as ms
    from ${everyEnvironment} cross join lateral (select created_at from inbound_emails
      where inbound_emails.tenant_id = h.tenant_id and inbound_emails.status = 'received'
      order by inbound_emails.id limit 1) oldest`)
  return late!.ms
}

/** Takes the mails that have waited longest. Another process takes them after `until`, if they still wait. */
export const takeWaiting = (
  db: Db,
  tenantId: string,
  now: Instant,
  until: Instant,
  limit: number,
): Promise<Waiting[]> =>
  db.write(sql`update inbound_emails set leased_until = ${until}, attempts = attempts + 1 from (
      select id from inbound_emails where tenant_id = ${tenantId} and status = 'received' and leased_until <= ${now}
      order by leased_until, id limit ${limit} for update skip locked) mine
    where inbound_emails.tenant_id = ${tenantId} and inbound_emails.id = mine.id
    returning inbound_emails.id, inbound_emails.attempts`)

/** Lets a mail that this process took until a time wait for another one. */
export async function postponeWaiting(
  db: Db,
  tenantId: string,
  id: string,
  until: Instant,
  next: { dueAt: Instant; attempts: number },
): Promise<void> {
  await db.write(sql`update inbound_emails set leased_until = ${next.dueAt}, attempts = ${next.attempts}
    where tenant_id = ${tenantId} and id = ${id} and status = 'received' and leased_until = ${until}`)
}

const conditionsOf = (filter: InboundEmailFilters): Sql[] => [
  ...(filter.status === undefined ? [] : [sql`status = any(${filter.status.split(',')}::text[])`]),
  ...(filter.mailbox_id === undefined ? [] : [sql`mailbox_id = ${uuidOf('mbx', filter.mailbox_id)}`]),
  ...(filter.conversation_id === undefined
    ? []
    : [sql`conversation_id = ${uuidOf('conv', filter.conversation_id)}`]),
  ...(filter.from === undefined ? [] : [sql`from_address = ${canonicalAddress(filter.from)}`]),
  ...(filter.header_message_id === undefined ? [] : [sql`header_message_id = ${filter.header_message_id}`]),
  ...(filter.created_after === undefined
    ? []
    : [sql`id >= ${firstUuidAt(Date.parse(filter.created_after) + 1)}`]),
  ...(filter.created_before === undefined
    ? []
    : [sql`id < ${firstUuidAt(Date.parse(filter.created_before))}`]),
]

type Sort = keyof typeof inboundEmailOrders

export const listInboundEmails = (
  db: Db,
  tenantId: string,
  filter: InboundEmailFilters,
  { sort, limit, after }: Page<Sort>,
): Promise<InboundEmail[]> =>
  inboundEmailTable.list(
    db,
    tenantId,
    conditionsOf(filter),
    inboundEmailOrders[sort],
    { limit, after },
    { slow: Object.keys(filter).length > 0 },
  )

export const countInboundEmails = (
  db: Db,
  tenantId: string,
  filter: InboundEmailFilters,
  atMost: number,
): Promise<number> => inboundEmailTable.count(db, tenantId, conditionsOf(filter), atMost)

/** Mails of a message or conversation that are not erased yet. */
export const unerasedOf = (
  db: Db,
  tenantId: string,
  of: { message_id: string } | { conversation_id: string },
  limit: number,
): Promise<InboundEmail[]> =>
  inboundEmailTable.list(
    db,
    tenantId,
    [
      'message_id' in of ? sql`message_id = ${of.message_id}` : sql`conversation_id = ${of.conversation_id}`,
      sql`kept <> 'none'`,
    ],
    inboundEmailOrders.created_at,
    { limit, after: null },
  )

/** The mails that made no message, arrived before a time, and have their bytes. */
export const nextExpired = (
  db: Db,
  tenantId: string,
  before: Instant,
  limit: number,
): Promise<{ id: string }[]> =>
  db.rows(sql`select id from inbound_emails where tenant_id = ${tenantId} and kept = 'all'
    and status in ('ignored', 'failed', 'bounce') and created_at < ${before} order by created_at limit ${limit}`)

/** The environments with such mails, by their own clock. */
export async function environmentsWithExpired(db: Db, realNowMs: number, days: number): Promise<string[]> {
  const found = await db.slowRows<{ id: string }>(sql`select e.id from ${everyEnvironment}
    cross join lateral (select created_at from inbound_emails
      where inbound_emails.tenant_id = h.tenant_id and inbound_emails.kept = 'all'
        and inbound_emails.status in ('ignored', 'failed', 'bounce') order by created_at limit 1) oldest
    where extract(epoch from oldest.created_at) * 1000
      < ${realNowMs}::bigint + e.clock_offset_ms - ${days * 86_400_000}::bigint`)
  return found.map(({ id }) => id)
}

export const deleteContents = (tenantId: string, messageIds: string[]): Sql =>
  sql`delete from email_contents where tenant_id = ${tenantId} and message_id = any(${messageIds}::uuid[])`

/** The statement sees the messages that others of the same transaction delete. */
export const deleteContentsOfConversation = (tenantId: string, conversationId: string): Sql =>
  sql`delete from email_contents where email_contents.tenant_id = ${tenantId} and email_contents.message_id in (
    select sent.id from messages sent where sent.tenant_id = ${tenantId} and sent.conversation_id = ${conversationId})`

export const deleteReferences = (tenantId: string, conversationId: string): Sql =>
  sql`delete from email_references where tenant_id = ${tenantId} and conversation_id = ${conversationId}`

/** Mail from these addresses makes new end users. */
export const deleteSendersOf = (tenantId: string, endUserIds: string[]): Sql =>
  sql`delete from email_senders where tenant_id = ${tenantId} and end_user_id = any(${endUserIds}::uuid[])`

/** The mails that made messages of some end users, after an id, without those that operators forwarded. */
export const mailsSentBy = (
  db: Db,
  tenantId: string,
  endUserIds: string[],
  after: string | null,
  limit: number,
): Promise<InboundEmail[]> =>
  inboundEmailTable.list(
    db,
    tenantId,
    [
      sql`end_user_id = any(${endUserIds}::uuid[])`,
      sql`kept <> 'none' and status in ('created', 'threaded')`,
      sql`not exists (select 1 from operators p where p.tenant_id = ${tenantId} and p.email_key = from_address)`,
    ],
    inboundEmailOrders.created_at,
    { limit, after: after === null ? null : [after] },
    { slow: true },
  )
