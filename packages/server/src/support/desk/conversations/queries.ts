import type { Instant } from '../../../platform/kernel/clock.ts'
import { newUuid } from '../../../platform/kernel/ids.ts'
import type { Page } from '../../../platform/kernel/page.ts'
import { countUpTo } from '../../../platform/postgres/count.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { rowSet } from '../../../platform/postgres/row-set.ts'
import { none, type Sql, sql } from '../../../platform/postgres/sql.ts'
import { searchTokens } from '../../../platform/search/search-text.ts'
import { defineTable } from '../../../platform/tables/table.ts'
import { type StoredTag, tagsIn } from '../../catalogue/tags/queries.ts'
import { generationOfEndUsers } from '../../people/end-users/queries.ts'
import { generationForRows } from '../../properties/custom-fields/queries.ts'
import {
  type CustomValue,
  customValuesIn,
  storedValues,
} from '../../properties/custom-fields/values/queries.ts'
import type { Alarm, Clock, Clocks } from '../../sla/clocks/clocks.ts'
import type { Terms } from '../../sla/clocks/terms.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'
import type { Cause } from './change-facts.ts'
import type { Side, Status, WaitingOn } from './lifecycle.ts'

/** The end user of a conversation, after merges. */
export type ConversationEndUser = {
  /** Null in a conversation from before end users, which background work has not reached yet. */
  id: string | null
  external_id: string | null
  is_blocked: boolean
  is_erased: boolean
}

/** How somebody came to take part: added by a request, as the sender of a mail, or as a recipient of one. */
export const participantSources = ['api', 'sender', 'recipient'] as const

/** Another end user who takes part in a conversation. */
export type Participant = {
  id: string
  /** The stored id, if the end user was merged meanwhile. */
  stored_id?: string
  /** The address of the mail by which it came to take part; null for one that a request added. */
  address: string | null
  source: (typeof participantSources)[number]
  /** False for one who is only claimed to take part: it sees nothing of the conversation, and gets no mail. */
  confirmed: boolean
  /** Null for one from before this was recorded. */
  since: Instant | null
}

export type Conversation = RowOf<
  'conversations',
  {
    end_user: ConversationEndUser
    /** The objects that a client asked for, as they are shown. */
    included?: Record<string, object | null>
    participants: Participant[]
    custom_fields: CustomValue[]
    initiated_by_side: Side
    metadata: Record<string, string>
    /** Does routing assign it if it has no operator? Not after a manual removal of its operator. */
    awaits_routing: boolean
    tags: StoredTag[]
    status: Status
    waiting_on: WaitingOn | null
    /** On hold: does a message of the end user end it? */
    resumes_on_reply: boolean
    /** On hold: do its clocks pause? */
    hold_pauses_sla: boolean
    /** The time of the end user's first unanswered message. */
    unanswered_since: Instant | null
    last_message_side: Side | null
    /** Its clocks; null until a config applied. */
    sla: Sla | null
    sla_terms: Terms | null
    /** The version of its config, while the conversation follows new versions. */
    sla_follows: number | null
    /** The earliest due time of its clocks, past or future. */
    sla_due_at: Instant | null
  },
  'search' | 'tag_ids' | 'end_user_id' | 'external_user_id' | 'participant_ids'
>

const { external_user_id: _, ...written } = tables.conversations

export type Sla = Clocks & {
  /** True while a config applies. */
  applies: boolean
  /** Alarms whose events have not been written yet. */
  alarms: UntoldAlarm[]
}

export type UntoldAlarm = Alarm & {
  /** The clock at the time of the alarm, if it has restarted or got another target since. */
  then?: Clock
}

/** The end user of a conversation; the target of a merge stands for the merged one. */
const endUserOfConversations = (tenantId: string): Sql => {
  const shown = (condition: Sql) => sql`(select json_build_object('id', coalesce(target.id, stored.id),
      'external_id', case when target.id is null then stored.external_id else target.external_id end,
      'is_blocked', (case when target.id is null then stored.blocked_at else target.blocked_at end) is not null,
      'is_erased', stored.erased_at is not null)
    from end_users stored left join end_users target on target.tenant_id = ${tenantId} and target.id = stored.merged_into_id
    where stored.tenant_id = ${tenantId} and ${condition})`
  return sql`case when conversations.end_user_id is not null then ${shown(sql`stored.id = conversations.end_user_id`)}
    else coalesce(${shown(sql`stored.external_id = conversations.external_user_id`)}, json_build_object('id', null,
      'external_id', conversations.external_user_id, 'is_blocked', false, 'is_erased', false)) end`
}

const participantsOfConversations = (tenantId: string): Sql =>
  sql`case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = ${tenantId} and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = ${tenantId} and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end`

/**
 * The participants of a conversation, after merges; its end user is none of them. Of two that became one, a confirmed
 * one counts.
 */
export function participantsOf({ end_user, participants }: Conversation): Participant[] {
  const present = new Map<string, Participant>()
  for (const each of participants)
    if (each.id !== end_user.id && !present.get(each.id)?.confirmed) present.set(each.id, each)
  return [...present.values()]
}

export const participantIds = (conversation: Conversation): string[] =>
  participantsOf(conversation).map(({ id }) => id)

/** The participants who may see the conversation. */
export const confirmedIds = (conversation: Conversation): string[] =>
  participantsOf(conversation).flatMap(({ id, confirmed }) => (confirmed ? [id] : []))

export const conversationTable = defineTable<Conversation>({
  name: 'conversations',
  columns: written,
  fixed: ['initiated_by_side', 'channel'],
  usuallyNull: [
    'language',
    'external_id',
    'follow_up_of_id',
    'merged_into_id',
    'department_id',
    'category_id',
    'company_id',
    'mailbox_id',
    'assignee_id',
    'assigned_at',
    'assignment_strategy',
    'assignment_reason',
    'unanswered_since',
    'last_message_at',
    'last_message_side',
    'first_response_at',
    'resolved_at',
    'closed_at',
    'hold_reason_id',
    'hold_note',
    'hold_since',
    'hold_until',
    'sla',
    'sla_config_id',
    'sla_config_version',
    'sla_follows',
    'sla_due_at',
  ],
  derived: {
    search: { type: 'tsvector', value: (row) => searchTokens(row.subject ?? '') },
    tag_ids: { type: 'uuid[]', value: (row) => [...new Set(row.tags.map(({ id }) => id))] },
    end_user_id: { type: 'uuid', value: (row) => row.end_user.id, isFixed: true },
    participant_ids: { type: 'uuid[]', value: participantIds },
    custom_values: storedValues,
  },
  joined: {
    end_user: endUserOfConversations,
    participants: participantsOfConversations,
    tags: tagsIn(sql`conversations.tag_ids`),
    custom_fields: customValuesIn(sql`conversations.custom_values`),
    sla_terms: (tenantId) => sql`case when conversations.sla_config_id is null then null else (
      select v.terms from sla_config_versions v where v.tenant_id = ${tenantId}
        and v.sla_config_id = conversations.sla_config_id and v.version <= conversations.sla_config_version
      order by v.version desc limit 1) end`,
  },
  cached: {
    changing: ['participants', 'tags'],
    marks: { end_users: generationOfEndUsers, fields: generationForRows },
  },
})

export const findConversation = conversationTable.find

export const findConversationByExternalId = (db: Db, tenantId: string, externalId: string) =>
  db.maybe<{ id: string }>(
    sql`select id from conversations where tenant_id = ${tenantId} and external_id = ${externalId}`,
  )

export type HoldPeriod = {
  id: string
  hold_reason_id: string
  note: string | null
  since: Instant
  until: Instant | null
  ended_at: Instant | null
  ended_by: Cause | null
}

type Part = { end_user_id: string; conversation_id: string }
type NewPart = Part & Pick<Participant, 'address' | 'source' | 'confirmed' | 'since'>

const newParts = rowSet<NewPart>({
  end_user_id: ['uuid', ({ end_user_id }) => end_user_id],
  conversation_id: ['uuid', ({ conversation_id }) => conversation_id],
  address: ['text', ({ address }) => address],
  source: ['text', ({ source }) => source],
  confirmed: ['boolean', ({ confirmed }) => confirmed],
  since: ['timestamptz', ({ since }) => since],
})

export const insertParticipants = (tenantId: string, parts: NewPart[]): Sql =>
  sql`insert into conversation_participants (tenant_id, end_user_id, conversation_id, address, source, confirmed, since)
    select ${tenantId}::uuid, end_user_id, conversation_id, address, source, confirmed, since from ${newParts(parts)}
    on conflict (tenant_id, end_user_id, conversation_id) do update
      set address = excluded.address, source = excluded.source, confirmed = excluded.confirmed, since = excluded.since`

export const deleteParticipants = (tenantId: string, parts: Part[]): Sql =>
  sql`delete from conversation_participants using unnest(${parts.map((part) => part.end_user_id)}::uuid[],
      ${parts.map((part) => part.conversation_id)}::uuid[]) as gone (end_user_id, conversation_id)
    where conversation_participants.tenant_id = ${tenantId} and conversation_participants.end_user_id = gone.end_user_id
      and conversation_participants.conversation_id = gone.conversation_id`

/** An end user who took part wrote messages there, perhaps; its erasure looks for them. */
export const insertFormerParticipants = (tenantId: string, parts: Part[]): Sql =>
  sql`insert into former_participants (tenant_id, end_user_id, conversation_id)
    select ${tenantId}::uuid, v.end_user_id, v.conversation_id
    from unnest(${parts.map((part) => part.end_user_id)}::uuid[], ${parts.map((part) => part.conversation_id)}::uuid[])
      as v (end_user_id, conversation_id)
    on conflict (tenant_id, end_user_id, conversation_id) do nothing`

type NewHoldPeriod = Omit<HoldPeriod, 'id' | 'ended_at' | 'ended_by'> & { conversation_id: string }

const beginnings = rowSet<NewHoldPeriod>({
  conversation_id: ['uuid', ({ conversation_id }) => conversation_id],
  id: ['uuid', ({ since }) => newUuid(Date.parse(since))],
  hold_reason_id: ['uuid', ({ hold_reason_id }) => hold_reason_id],
  note: ['text', ({ note }) => note],
  since: ['timestamptz', ({ since }) => since],
  until: ['timestamptz', ({ until }) => until],
})

export const beginHolds = (tenantId: string, holds: NewHoldPeriod[]): Sql =>
  sql`insert into conversation_holds (tenant_id, conversation_id, id, hold_reason_id, note, since, until)
    select ${tenantId}::uuid, conversation_id, id, hold_reason_id, note, since, until from ${beginnings(holds)}`

type HoldEnd = { conversation_id: string; since: Instant; ended_at: Instant; ended_by: Cause }

const endRows = rowSet<HoldEnd>({
  conversation_id: ['uuid', ({ conversation_id }) => conversation_id],
  since: ['timestamptz', ({ since }) => since],
  ended_at: ['timestamptz', ({ ended_at }) => ended_at],
  ended_by: ['text', ({ ended_by }) => ended_by],
})

/** Ends the periods that started at `since`; other periods may start in the same statement. */
export const endHolds = (tenantId: string, ends: HoldEnd[]): Sql =>
  sql`update conversation_holds set ended_at = v.ended_at, ended_by = v.ended_by from ${endRows(ends)}
    where conversation_holds.tenant_id = ${tenantId} and conversation_holds.conversation_id = v.conversation_id
      and conversation_holds.since = v.since and conversation_holds.ended_at is null`

/** A period that has not ended, with the time at which it was said to begin. */
export type HoldCorrection = Pick<HoldPeriod, 'hold_reason_id' | 'note' | 'since'> & {
  conversation_id: string
  was: Instant
}

const corrections = rowSet<HoldCorrection>({
  conversation_id: ['uuid', ({ conversation_id }) => conversation_id],
  was: ['timestamptz', ({ was }) => was],
  hold_reason_id: ['uuid', ({ hold_reason_id }) => hold_reason_id],
  note: ['text', ({ note }) => note],
  since: ['timestamptz', ({ since }) => since],
})

export const correctHolds = (tenantId: string, holds: HoldCorrection[]): Sql =>
  sql`update conversation_holds set hold_reason_id = v.hold_reason_id, note = v.note, since = v.since
    from ${corrections(holds)}
    where conversation_holds.tenant_id = ${tenantId} and conversation_holds.conversation_id = v.conversation_id
      and conversation_holds.since = v.was and conversation_holds.ended_at is null`

/** Periods on hold, oldest first. */
export const listHolds = (
  db: Db,
  tenantId: string,
  conversationId: string,
  { limit, after }: Omit<Page, 'sort'>,
): Promise<HoldPeriod[]> =>
  db.rows(sql`select id, hold_reason_id, note, since, until, ended_at, ended_by from conversation_holds
    where tenant_id = ${tenantId} and conversation_id = ${conversationId}${after ? sql` and id > ${after[0]}` : none}
    order by id limit ${limit}`)

export const countHolds = (
  db: Db,
  tenantId: string,
  conversationId: string,
  atMost: number,
): Promise<number> =>
  countUpTo(
    db,
    sql`select 1 from conversation_holds where tenant_id = ${tenantId} and conversation_id = ${conversationId}`,
    atMost,
  )
