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
      union all (select former.conversation_id, false, false from former_participants former
        where former.tenant_id = ${tenantId} and former.end_user_id = person.id${next(sql`former.conversation_id`)})) all_of
    group by all_of.id order by all_of.id limit ${limit}`)
}

/** The condition of `messages` that the person wrote. */
export const writtenBy = (endUserIds: string[], isOwn: boolean): Sql =>
  isOwn
    ? sql`author_side = 'end_user' and (author_end_user_id is null or author_end_user_id = any(${endUserIds}::uuid[]))`
    : sql`author_end_user_id = any(${endUserIds}::uuid[])`

/** The condition of `messages` that the person can see, or wrote. */
export const knownTo = (endUserIds: string[], { is_own, sees }: Part): Sql =>
  sees ? sql`(visibility = 'public' or (${writtenBy(endUserIds, is_own)}))` : writtenBy(endUserIds, is_own)

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
      or (m.author_side = 'end_user' and m.author_end_user_id is null and c.end_user_id = any(${endUserIds}::uuid[])))`)
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
