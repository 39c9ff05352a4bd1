import { everyEnvironment } from '../../../platform/journal/every-environment.ts'
import { type Instant, toInstant } from '../../../platform/kernel/clock.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import type { OutgoingFile } from '../../desk/messages/outgoing/queries.ts'

/** A mail that an attempt has taken. */
export type Outgoing = {
  message_id: string
  mailbox_id: string
  /** The sender of the envelope. */
  mail_from: string
  files: OutgoingFile[]
  /** The hand-overs whose answer nobody knows. */
  unanswered: number
  /** The attempts before somebody last had it sent again. */
  attempts_before: number
  /** True if the answer to the last hand-over was never stored. */
  is_open: boolean
  due_at: Instant
}

/** One attempt to hand a mail over; no other one takes the mail until a real time. */
type Taking = { by: string; until: Instant }

/** Mails that no attempt has, by real time. */
const untaken = (realNow: Instant): Sql => sql`(taken_until is null or taken_until <= ${realNow})`

/** Mailboxes, as `m`, whose mail this server hands over now. */
const maySend = sql`m.outbound = 'smtp' and m.status = 'enabled' and not m.archived and m.verified_at is not null`

/** The environments with mails that are due, and that no attempt has. Probes an index once for each mailbox. */
export const environmentsWithOutgoing = (db: Db, realNowMs: number): Promise<Environment[]> =>
  db.rows(sql`select distinct e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from ${everyEnvironment} join mailboxes m on m.tenant_id = h.tenant_id
    cross join lateral (select due_at from outgoing_emails where outgoing_emails.tenant_id = m.tenant_id
      and outgoing_emails.mailbox_id = m.id and due_at is not null and ${untaken(toInstant(realNowMs))}
      order by due_at limit 1) next
    where ${maySend} and next.due_at <= to_timestamp((${realNowMs}::bigint + e.clock_offset_ms) / 1000.0)`)

/** The mailboxes with mails that are due, and that no attempt has. */
export const mailboxesWithOutgoing = async (
  db: Db,
  tenantId: string,
  { now, realNow }: At,
): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`select m.id from mailboxes m
    cross join lateral (select due_at from outgoing_emails where outgoing_emails.tenant_id = ${tenantId}
      and outgoing_emails.mailbox_id = m.id and due_at is not null and ${untaken(realNow)}
      order by due_at limit 1) next
    where m.tenant_id = ${tenantId} and ${maySend} and next.due_at <= ${now}`)
  return rows.map(({ id }) => id)
}

/** The time by the environment's clock, and the real one. */
type At = { now: Instant; realNow: Instant }

/** Takes the mails of a mailbox that have been due for longest. */
export const takeOutgoing = (
  db: Db,
  tenantId: string,
  mailboxId: string,
  { by, until }: Taking,
  at: At,
  limit: number,
): Promise<Outgoing[]> =>
  db.write(sql`update outgoing_emails set taken_by = ${by}, taken_until = ${until} from (
      select message_id from outgoing_emails where tenant_id = ${tenantId} and mailbox_id = ${mailboxId}
        and due_at <= ${at.now} and ${untaken(at.realNow)}
      order by due_at, message_id limit ${limit} for update skip locked) mine
    where outgoing_emails.tenant_id = ${tenantId} and outgoing_emails.message_id = mine.message_id
    returning outgoing_emails.message_id, mailbox_id, mail_from, files, unanswered, attempts_before, is_open, due_at`)

type Mine = { messageId: string; by: string }

const ofTaking = (tenantId: string, { messageId, by }: Mine): Sql =>
  sql`tenant_id = ${tenantId} and message_id = ${messageId} and taken_by = ${by}`

/** Keeps a mail for longer. */
export const extendTaking = async (db: Db, tenantId: string, mine: Mine, until: Instant): Promise<void> => {
  await db.write(sql`update outgoing_emails set taken_until = ${until} where ${ofTaking(tenantId, mine)}`)
}

/**
 * Records that the last byte of a mail is about to be sent: whatever happens then, nobody forgets that the relay may
 * have taken it.
 * @returns false if another attempt has taken the mail, or it need not be sent any more
 */
export const openHandover = async (db: Db, tenantId: string, mine: Mine, at: Instant): Promise<boolean> =>
  (
    await db.write(sql`update outgoing_emails set is_open = true, sent_at = ${at}
      where ${ofTaking(tenantId, mine)} and due_at is not null returning 1`)
  ).length === 1

/** Hands back a mail of which no relay has the last byte. @param again the real time at which it can be taken */
export const releaseOutgoing = async (
  db: Db,
  tenantId: string,
  mine: Mine,
  again: Instant,
): Promise<void> => {
  await db.write(sql`update outgoing_emails set is_open = false, taken_by = null, taken_until = ${again}
    where ${ofTaking(tenantId, mine)}`)
}

type Ended = { messageId: string; unanswered: number; dueAt: Instant | null }

/** Records the end of an attempt, in the transaction of what follows from it. */
export const endAttempt = (tenantId: string, { messageId, unanswered, dueAt }: Ended): Sql =>
  sql`update outgoing_emails set is_open = false, unanswered = ${unanswered}, due_at = ${dueAt}, taken_by = null, taken_until = null
    where tenant_id = ${tenantId} and message_id = ${messageId}`

/** True if an attempt has a mail. */
export const isTakenBy = async (db: Db, tenantId: string, mine: Mine): Promise<boolean> =>
  (await db.maybe(sql`select 1 from outgoing_emails where ${ofTaking(tenantId, mine)}`)) !== null

/** Ends an attempt at a mail that nobody is to get, unless somebody has had it sent again since it was taken. */
export const endNeedless = async (db: Db, tenantId: string, mine: Mine, dueAt: Instant): Promise<void> => {
  await db.write(sql`update outgoing_emails set is_open = false, due_at = null, taken_by = null, taken_until = null
    where ${ofTaking(tenantId, mine)} and due_at is not distinct from ${dueAt}`)
}

/** Lets a mail wait until a time of the environment's clock. */
export const postponeOutgoing = async (
  db: Db,
  tenantId: string,
  mine: Mine,
  dueAt: Instant,
): Promise<void> => {
  await db.write(sql`update outgoing_emails set due_at = ${dueAt}, taken_by = null, taken_until = null
    where ${ofTaking(tenantId, mine)}`)
}

/** The number of mails that a mailbox has handed over since a time. */
export async function countHandedOver(
  db: Db,
  tenantId: string,
  mailboxId: string,
  since: Instant,
  atMost: number,
): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`select count(*) from (select 1 from outgoing_emails
    where tenant_id = ${tenantId} and mailbox_id = ${mailboxId} and sent_at > ${since} limit ${atMost}) counted`)
  return row!.count
}

/** The time at which the next mail can be handed over, by the rates of its mailbox as well; null without one. */
export const nextOutgoing = async (db: Db, tenantId: string): Promise<Instant | null> =>
  (
    await db.maybe<{
      at: Instant
    }>(sql`select greatest(next.due_at, full_minute.ends_at) as at from mailboxes m
      cross join lateral (select due_at from outgoing_emails where outgoing_emails.tenant_id = ${tenantId}
        and outgoing_emails.mailbox_id = m.id and due_at is not null order by due_at limit 1) next
      left join lateral (select sent_at + interval '1 minute' as ends_at from outgoing_emails
        where outgoing_emails.tenant_id = ${tenantId} and outgoing_emails.mailbox_id = m.id and sent_at is not null
        order by sent_at desc offset m.rate_per_minute - 1 limit 1) full_minute on true
      where m.tenant_id = ${tenantId} and ${maySend}
      order by 1 limit 1`)
  )?.at ?? null

/**
 * The time by which the oldest due mail of the mailboxes that may send is late, in milliseconds; 0 without one. Probes
 * an index once for each of these mailboxes.
 */
export async function outgoingOverdueMs(db: Pick<Db, 'rows'>, realNowMs: number): Promise<number> {
  const [late] = await db.rows<{ ms: number }>(sql`select
      greatest(0, max(${realNowMs}::bigint + e.clock_offset_ms - extract(epoch from oldest.due_at) * 1000))::float8 as ms
    from ${everyEnvironment} join mailboxes m on m.tenant_id = h.tenant_id
    cross join lateral (select due_at from outgoing_emails where outgoing_emails.tenant_id = m.tenant_id
      and outgoing_emails.mailbox_id = m.id and due_at is not null order by due_at limit 1) oldest
    where ${maySend}`)
  return late!.ms
}
