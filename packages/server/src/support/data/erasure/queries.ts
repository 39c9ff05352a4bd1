import type { Instant } from '../../../platform/kernel/clock.ts'
import { caselessIn } from '../../../platform/lists/folding.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { rowSet } from '../../../platform/postgres/row-set.ts'
import { limitTo, none, type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, defineTable } from '../../../platform/tables/table.ts'
import type { Job, JobStatus, JobType } from '../../jobs/queries.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'
import type { Counts, ErasureMode, ErasureState } from './state.ts'

export type ErasureRow = RowOf<'erasures', { mode: ErasureMode; counts: Counts }>

export const erasureTable = defineTable<ErasureRow>({ name: 'erasures', columns: tables.erasures })

export const erasureOrders = byCreation

export const ofEndUser = (endUserId: string): Sql => sql`end_user_id = ${endUserId}`

/** The last erasure of a person; null if there was none. @param endUserIds as in `params`, those merged into it too */
export const lastErasure = (
  db: Db,
  tenantId: string,
  endUserIds: string[],
): Promise<{ status: JobStatus; state: ErasureState } | null> =>
  db.maybe(sql`select status, state from jobs where tenant_id = ${tenantId} and type = 'erasure' and not dry_run
    and params ->> 'end_user_id' = any(${endUserIds}::text[]) order by id desc limit 1`)

/** A conversation of a person, or one in which the person takes part or took part; those who took part see no more. */
export type Part = { id: string; is_own: boolean; sees: boolean }

/** The conversations of a person after an id, in the order of their ids. */
export const nextConversations = (
  db: Db,
  tenantId: string,
  endUserIds: string[],
  after: string | null,
  limit: number,
): Promise<Part[]> => {
  const next = (column: Sql) =>
    sql`${after === null ? none : sql` and ${column} > ${after}`} order by ${column} ${limitTo(limit)}`
  return db.slowRows(sql`select all_of.id, bool_or(all_of.is_own) as is_own, bool_or(all_of.sees) as sees
    from unnest(${endUserIds}::uuid[]) as person (id) cross join lateral (
      (select own.id, true as is_own, true as sees from conversations own
        where own.tenant_id = ${tenantId} and own.end_user_id = person.id${next(sql`own.id`)})
      union all (select shared.conversation_id, false, true from conversation_participants shared
        where shared.tenant_id = ${tenantId} and shared.end_user_id = person.id${next(sql`shared.conversation_id`)})
      union all (select mailed.conversation_id, false, false from inbound_emails mailed
        where mailed.tenant_id = ${tenantId} and mailed.end_user_id = person.id and mailed.conversation_id is not null${next(sql`mailed.conversation_id`)})
      union all (select former.conversation_id, false, false from former_participants former
        where former.tenant_id = ${tenantId} and former.end_user_id = person.id${next(sql`former.conversation_id`)})) all_of
    group by all_of.id order by all_of.id limit ${limit}`)
}

/** Messages without an author whose mail the person sent: notes of what a mail program answered. */
const notedFrom = (tenantId: string, endUserIds: string[], messageId: Sql): Sql =>
  sql`${messageId} in (select mailed.message_id from inbound_emails mailed
    where mailed.tenant_id = ${tenantId} and mailed.end_user_id = any(${endUserIds}::uuid[]) and mailed.message_id is not null)`

/** The condition of `messages` that the person wrote. */
export const writtenBy = (tenantId: string, endUserIds: string[], isOwn: boolean): Sql =>
  sql`(author_end_user_id = any(${endUserIds}::uuid[])${
    isOwn ? sql` or (author_side = 'end_user' and author_end_user_id is null)` : none
  } or (author_side = 'system' and ${notedFrom(tenantId, endUserIds, sql`messages.id`)}))`

/** The condition of `messages` that the person wrote, and of the mails of others in a conversation of the person. */
export const namesPerson = (tenantId: string, endUserIds: string[], isOwn: boolean): Sql =>
  isOwn
    ? sql`(email is not null or delivery is not null or ${writtenBy(tenantId, endUserIds, isOwn)})`
    : writtenBy(tenantId, endUserIds, isOwn)

/** The condition of `messages` that the person can see, or wrote. */
export const knownTo = (tenantId: string, endUserIds: string[], { is_own, sees }: Part): Sql => {
  const written = writtenBy(tenantId, endUserIds, is_own)
  return sees ? sql`(visibility = 'public' or ${written})` : written
}

/** Those of some messages that the person wrote. */
export async function writtenAmong(
  db: Db,
  tenantId: string,
  endUserIds: string[],
  messageIds: string[],
): Promise<Set<string>> {
  const rows = await db.slowRows<{ id: string }>(sql`select m.id from messages m
    left join conversations c on c.tenant_id = ${tenantId} and c.id = m.conversation_id
    where m.tenant_id = ${tenantId} and m.id = any(${messageIds}::uuid[]) and (m.author_end_user_id = any(${endUserIds}::uuid[])
      or (m.author_side = 'end_user' and m.author_end_user_id is null and c.end_user_id = any(${endUserIds}::uuid[]))
      or (m.author_side = 'system' and ${notedFrom(tenantId, endUserIds, sql`m.id`)}))`)
  return new Set(rows.map(({ id }) => id))
}

/** Those of some conversations that belong to the person. */
export async function ownAmong(
  db: Db,
  tenantId: string,
  endUserIds: string[],
  conversationIds: string[],
): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(sql`select id from conversations where tenant_id = ${tenantId}
    and id = any(${conversationIds}::uuid[]) and end_user_id = any(${endUserIds}::uuid[])`)
  return new Set(rows.map(({ id }) => id))
}

/** Conversations that name the person by a text: those from before end users. */
export const namedByText = async (
  db: Db,
  tenantId: string,
  endUserIds: string[],
  externalIds: string[],
  limit: number,
): Promise<string[]> => {
  const rows = await db.slowRows<{ id: string }>(sql`select id from (
      (select id from conversations where tenant_id = ${tenantId} and end_user_id is null
        and external_user_id = any(${externalIds}::text[]) limit ${limit})
      union all (select id from conversations where tenant_id = ${tenantId} and end_user_id = any(${endUserIds}::uuid[])
        and external_user_id is not null limit ${limit})) named limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Lets conversations refer to the person instead of naming it. They show the same as before. */
export const unname = (tenantId: string, conversationIds: string[], endUserId: string): Sql =>
  sql`update conversations set end_user_id = coalesce(conversations.end_user_id, ${endUserId}::uuid), external_user_id = null
    where tenant_id = ${tenantId} and id = any(${conversationIds}::uuid[])`

export const eraseHoldNotes = (tenantId: string, conversationIds: string[]): Sql =>
  sql`update conversation_holds set note = null where tenant_id = ${tenantId}
    and conversation_id = any(${conversationIds}::uuid[]) and note is not null`

/** The articles and FAQs that were voted on, after an id. */
export const nextSubjects = async (
  db: Db,
  tenantId: string,
  after: string | null,
  limit: number,
): Promise<string[]> => {
  const rest = after === null ? none : sql` and subject_id > ${after}`
  const rows = await db.rows<{ subject_id: string }>(sql`select subject_id from vote_counts
    where tenant_id = ${tenantId}${rest} order by subject_id limit ${limit}`)
  return rows.map(({ subject_id }) => subject_id)
}

/** The votes of a person on some articles and FAQs; their counts stay. */
export const countVotes = async (
  db: Db,
  tenantId: string,
  subjectIds: string[],
  voters: string[],
): Promise<number> => {
  const [row] = await db.rows<{ count: number }>(sql`select count(*) from votes where tenant_id = ${tenantId}
    and subject_id = any(${subjectIds}::uuid[]) and external_user_id = any(${voters}::text[])`)
  return row!.count
}

export const deleteVotes = (tenantId: string, subjectIds: string[], voters: string[]): Sql =>
  sql`delete from votes where tenant_id = ${tenantId}
    and subject_id = any(${subjectIds}::uuid[]) and external_user_id = any(${voters}::text[])`

/** The sessions of a person after an id. */
export const nextSessions = async (
  db: Db,
  tenantId: string,
  endUserIds: string[],
  after: string | null,
  limit: number,
): Promise<string[]> => {
  const rest = after === null ? none : sql` and id > ${after}`
  const rows = await db.slowRows<{ id: string }>(sql`select id from end_user_sessions
    where tenant_id = ${tenantId} and end_user_id = any(${endUserIds}::uuid[])${rest} order by id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Files that the person uploaded and nothing uses. */
export const unusedFiles = async (
  db: Db,
  tenantId: string,
  endUserIds: string[],
  limit: number,
): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`select id from files where tenant_id = ${tenantId}
    and end_user_id = any(${endUserIds}::uuid[]) and use_count = 0 limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** The publishable keys of the environment: a page uses them before it has a session. */
export const publishableKeys = async (db: Db, tenantId: string): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(
    sql`select id from api_keys where tenant_id = ${tenantId} and kind = 'publishable'`,
  )
  return rows.map(({ id }) => id)
}

/** The addresses from which the person sends mail, and to which it goes, but those that somebody else has as well. */
export async function mailAddressesOf(db: Db, tenantId: string, endUserIds: string[]): Promise<string[]> {
  const others = (column: Sql) => sql`${column} <> all(${endUserIds}::uuid[])`
  const rows = await db.slowRows<{ address: string }>(sql`select own.address from (
      select held.address collate "C" as address from end_user_addresses held where held.tenant_id = ${tenantId}
        and held.kind = 'email' and held.end_user_id = any(${endUserIds}::uuid[])
      union select sender.address from email_senders sender
        where sender.tenant_id = ${tenantId} and sender.end_user_id = any(${endUserIds}::uuid[])
      union select part.address collate "C" from conversation_participants part
        where part.tenant_id = ${tenantId} and part.end_user_id = any(${endUserIds}::uuid[]) and part.address is not null) own
    where not exists (select 1 from end_user_addresses o where o.tenant_id = ${tenantId} and o.kind = 'email'
        and o.address = own.address and ${others(sql`o.end_user_id`)})
      and not exists (select 1 from email_senders s where s.tenant_id = ${tenantId} and s.address = own.address
        and ${others(sql`s.end_user_id`)})
      and not exists (select 1 from operators p where p.tenant_id = ${tenantId} and p.email_key = own.address)
      and not exists (select 1 from mailbox_addresses b where b.tenant_id = ${tenantId} and b.address = own.address)`)
  return rows.map(({ address }) => address)
}

/** The mails from some addresses of which nobody is known to be the sender. */
export const nextUnassigned = (
  db: Db,
  tenantId: string,
  addresses: string[],
  after: string | null,
  limit: number,
): Promise<{ id: string }[]> =>
  db.slowRows(sql`select id from inbound_emails where tenant_id = ${tenantId} and from_address = any(${addresses}::text[])
    and end_user_id is null and kept <> 'none' and status <> 'received'${after === null ? none : sql` and id > ${after}`}
    order by id limit ${limit}`)

/** The mails of a person that are not erased yet. */
export const nextMailsOf = (
  db: Db,
  tenantId: string,
  endUserIds: string[],
  limit: number,
): Promise<{ id: string }[]> =>
  db.slowRows(sql`select id from inbound_emails where tenant_id = ${tenantId} and end_user_id = any(${endUserIds}::uuid[])
    and kept <> 'none' order by id limit ${limit}`)

export async function countSenders(db: Db, tenantId: string, endUserIds: string[]): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`select count(*) from email_senders
    where tenant_id = ${tenantId} and end_user_id = any(${endUserIds}::uuid[])`)
  return row!.count
}

export const suppressionsOf = (db: Db, tenantId: string, addresses: string[]): Promise<{ id: string }[]> =>
  db.rows(
    sql`select id from email_suppressions where tenant_id = ${tenantId} and address = any(${addresses}::text[])`,
  )

export const endParticipations = (tenantId: string, endUserIds: string[]): Sql =>
  sql`delete from former_participants where tenant_id = ${tenantId} and end_user_id = any(${endUserIds}::uuid[])`

/** Counts the rows of a person by table. */
export async function countRows(
  db: Db,
  tenantId: string,
  endUserIds: string[],
  mode: ErasureMode,
): Promise<Counts> {
  const isPerson = (column: Sql) => sql`${column} = any(${endUserIds}::uuid[])`
  const parts = sql`(select own.id, true as is_own from conversations own
      where own.tenant_id = ${tenantId} and ${isPerson(sql`own.end_user_id`)}
    union select shared.conversation_id, false from conversation_participants shared
      where shared.tenant_id = ${tenantId} and ${isPerson(sql`shared.end_user_id`)}
    union select former.conversation_id, false from former_participants former
      where former.tenant_id = ${tenantId} and ${isPerson(sql`former.end_user_id`)}) part`
  const isMeant =
    mode === 'delete'
      ? sql`(part.is_own or ${isPerson(sql`m.author_end_user_id`)})`
      : sql`(${isPerson(sql`m.author_end_user_id`)} or (part.is_own and m.author_side = 'end_user' and m.author_end_user_id is null))`
  const messages = sql`${parts} join messages m on m.tenant_id = ${tenantId} and m.conversation_id = part.id`
  const own = sql`select own.id from conversations own where own.tenant_id = ${tenantId} and ${isPerson(sql`own.end_user_id`)}`
  const count = (from: Sql) => sql`(select count(*) from ${from})`
  const [row] = await db.slowRows<Counts>(sql`select
    ${count(sql`end_users where tenant_id = ${tenantId} and ${isPerson(sql`id`)}`)} as end_users,
    ${count(sql`end_user_addresses where tenant_id = ${tenantId} and ${isPerson(sql`end_user_id`)}`)} as end_user_addresses,
    ${count(sql`company_members where tenant_id = ${tenantId} and ${isPerson(sql`end_user_id`)}`)} as company_members,
    ${count(sql`end_user_sessions where tenant_id = ${tenantId} and ${isPerson(sql`end_user_id`)}`)} as end_user_sessions,
    ${count(sql`conversations where tenant_id = ${tenantId} and ${isPerson(sql`end_user_id`)}`)} as conversations,
    ${count(sql`conversation_participants where tenant_id = ${tenantId} and ${isPerson(sql`end_user_id`)}`)} as conversation_participants,
    ${count(sql`inbound_emails where tenant_id = ${tenantId} and kept <> 'none' and ${isPerson(sql`end_user_id`)}`)} as inbound_emails,
    ${count(sql`email_senders where tenant_id = ${tenantId} and ${isPerson(sql`end_user_id`)}`)} as email_senders,
    ${count(sql`conversation_holds where tenant_id = ${tenantId} and conversation_id in (${own})`)} as conversation_holds,
    ${count(sql`scheduled_messages where tenant_id = ${tenantId} and conversation_id in (${own})`)} as scheduled_messages,
    ${count(sql`${messages} where ${isMeant}`)} as messages,
    ${count(sql`${messages} join message_revisions r on r.tenant_id = ${tenantId} and r.message_id = m.id where ${isMeant}`)} as message_revisions,
    ${count(sql`${messages} join message_files u on u.tenant_id = ${tenantId} and u.message_id = m.id where ${isMeant}`)} as message_files,
    ${count(sql`events where tenant_id = ${tenantId} and (stream_id in (${own}) or ${isPerson(sql`stream_id`)})`)} as events`)
  return Object.fromEntries(Object.entries(row!).filter(([, rows]) => rows > 0))
}

/**
 * The jobs whose params have one of these texts, which are `caseless`, as a value. Those about one end
 * user refer to it by its id.
 */
export const jobsNaming = (
  db: Db,
  tenantId: string,
  texts: string[],
): Promise<Pick<Job, 'id' | 'status' | 'created_at'>[]> =>
  db.slowRows(sql`select id, status, created_at from jobs where tenant_id = ${tenantId}
    and type not in ('erasure', 'person_export')
    and exists (select 1 from jsonb_path_query(params::jsonb, 'strict $.**') value
      where jsonb_typeof(value) = 'string' and ${caselessIn(sql`value #>> '{}'`)} = any(${texts}::text[]))`)

/** Jobs of a type whose files exist at a time, or will, newest first. @param endUserIds null for those about nobody */
export const jobsWithFiles = (
  db: Db,
  tenantId: string,
  type: JobType,
  at: Instant,
  endUserIds: string[] | null,
): Promise<{ id: string }[]> =>
  db.slowRows(sql`select id from jobs where tenant_id = ${tenantId} and type = ${type}
    and (ended_at is null or (status = 'succeeded' and expires_at > ${at}))${
      endUserIds === null ? none : sql` and params ->> 'end_user_id' = any(${endUserIds}::text[])`
    } order by id desc limit 1000`)

/** A result by its job and its place there. */
type ResultPlace = { job_id: string; place: number }

/** The results of dry runs that have changes, after that of a job with a place. */
export const nextPreviews = (
  db: Db,
  tenantId: string,
  jobId: string | null,
  place: number,
  limit: number,
): Promise<ResultPlace[]> => {
  const rest = jobId === null ? none : sql` and (r.job_id, r.place) > (${jobId}::uuid, ${place}::integer)`
  return db.slowRows(sql`select r.job_id, r.place from jobs j
    join job_results r on r.tenant_id = ${tenantId} and r.job_id = j.id
    where j.tenant_id = ${tenantId} and j.type = 'bulk' and j.dry_run and r.changes is not null${rest}
    order by r.job_id, r.place limit ${limit}`)
}

const places = rowSet<ResultPlace>({
  job_id: ['uuid', ({ job_id }) => job_id],
  place: ['integer', ({ place }) => place],
})

export const emptyChanges = (tenantId: string, results: ResultPlace[]): Sql =>
  sql`update job_results set changes = null from ${places(results)}
    where job_results.tenant_id = ${tenantId} and job_results.job_id = v.job_id and job_results.place = v.place`
