import type { Cause } from '../../db/change.ts'
import type { Db } from '../../db/database.ts'
import { none, type Sql, sql } from '../../db/sql.ts'
import { byCreation, defineTable, type Order } from '../../db/table.ts'
import { tuples } from '../../db/tuples.ts'
import type { Instant } from '../../lib/clock.ts'
import { firstUuidAt, newUuid } from '../../lib/ids.ts'
import type { Page, SortKey } from '../../lib/page.ts'
import { searchQuery, searchTokens } from '../../lib/search-text.ts'
import type { Alarm, Clock, Clocks, Moment } from '../../lib/sla/clocks.ts'
import type { Terms } from '../../lib/sla/terms.ts'
import { conversationsTagged, type StoredTag, tagsIn } from '../tags/queries.ts'
import type { Side, Status, WaitingOn } from './lifecycle.ts'
import type { Candidate } from './routing/queries.ts'

export type Conversation = {
  id: string
  external_user_id: string
  subject: string | null
  initiated_by_side: Side
  channel: string
  priority: string
  language: string | null
  external_id: string | null
  metadata: Record<string, string>
  follow_up_of_id: string | null
  department_id: string | null
  category_id: string | null
  assignee_id: string | null
  assignment_strategy: string | null
  assignment_reason: string | null
  assigned_at: Instant | null
  /** Shall routing find an operator for it, when it has none? Not after somebody took it from one by hand. */
  awaits_routing: boolean
  tags: StoredTag[]
  /** Set by a change that routes: the room that its operator had for one more, and in which department. */
  taken?: (Candidate & { department_id: string; max_open_per_operator: number | null }) | null
  status: Status
  waiting_on: WaitingOn | null
  hold_reason_id: string | null
  hold_note: string | null
  hold_since: Instant | null
  hold_until: Instant | null
  /** On hold: does an end user's message end it? */
  resumes_on_reply: boolean
  /** On hold: do its clocks stand still? */
  hold_pauses_sla: boolean
  waiting_since: Instant | null
  /** The end user's first message that no operator answered. */
  unanswered_since: Instant | null
  message_count: number
  last_message_at: Instant | null
  last_message_side: Side | null
  first_response_at: Instant | null
  resolved_at: Instant | null
  closed_at: Instant | null
  reopened_count: number
  merged_into_id: string | null
  read_by_end_user: number
  read_by_operator: number
  unread_by_end_user: number
  unread_by_operator: number
  /** Its clocks; null until a config was for it. */
  sla: Sla | null
  sla_config_id: string | null
  sla_config_version: number | null
  sla_terms: Terms | null
  /** The version again, while it is to be kept up with its config. */
  sla_follows: number | null
  /** The first time that one of its clocks is or was due. */
  sla_due_at: Instant | null
  /** Set by a change that brings it under a config late: what it was like before. */
  past?: Moment[]
  created_at: Instant
  updated_at: Instant
  version: number
}

/** `applies`: is its config, or another one, still for it? `alarms`: what is yet to be told of. */
export type Sla = Clocks & { applies: boolean; alarms: UntoldAlarm[] }

/** `then`: the clock that it is of, once that began anew or was given another target meanwhile. */
export type UntoldAlarm = Alarm & { then?: Clock }

export const conversationTable = defineTable<Conversation>({
  name: 'conversations',
  columns: {
    id: 'uuid',
    external_user_id: 'text',
    subject: 'text',
    initiated_by_side: 'text',
    channel: 'text',
    priority: 'text',
    language: 'text',
    external_id: 'text',
    metadata: 'json',
    follow_up_of_id: 'uuid',
    department_id: 'uuid',
    category_id: 'uuid',
    assignee_id: 'uuid',
    assignment_strategy: 'text',
    assignment_reason: 'text',
    assigned_at: 'timestamptz',
    awaits_routing: 'boolean',
    status: 'text',
    waiting_on: 'text',
    hold_reason_id: 'uuid',
    hold_note: 'text',
    hold_since: 'timestamptz',
    hold_until: 'timestamptz',
    resumes_on_reply: 'boolean',
    hold_pauses_sla: 'boolean',
    waiting_since: 'timestamptz',
    unanswered_since: 'timestamptz',
    message_count: 'integer',
    last_message_at: 'timestamptz',
    last_message_side: 'text',
    first_response_at: 'timestamptz',
    resolved_at: 'timestamptz',
    closed_at: 'timestamptz',
    reopened_count: 'integer',
    merged_into_id: 'uuid',
    read_by_end_user: 'integer',
    read_by_operator: 'integer',
    unread_by_end_user: 'integer',
    unread_by_operator: 'integer',
    sla: 'json',
    sla_config_id: 'uuid',
    sla_config_version: 'integer',
    sla_follows: 'integer',
    sla_due_at: 'timestamptz',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  fixed: ['external_user_id', 'initiated_by_side', 'channel', 'follow_up_of_id'],
  derived: {
    search: { type: 'tsvector', value: (row) => searchTokens(row.subject ?? '') },
    tag_ids: { type: 'uuid[]', value: (row) => [...new Set(row.tags.map(({ id }) => id))] },
  },
  joined: {
    tags: tagsIn(sql`conversations.tag_ids`),
    sla_terms: (tenantId) => sql`case when conversations.sla_config_id is null then null else (
      select v.terms from sla_config_versions v where v.tenant_id = ${tenantId}
        and v.sla_config_id = conversations.sla_config_id and v.version <= conversations.sla_config_version
      order by v.version desc limit 1) end`,
  },
})

export const findConversation = conversationTable.find

export const findConversationByExternalId = (db: Db, tenantId: string, externalId: string) =>
  db.maybe<{ id: string }>(
    sql`select id from conversations where tenant_id = ${tenantId} and external_id = ${externalId}`,
  )

export type ConversationFilter = {
  status?: Status[]
  external_user_id?: string
  priority?: string
  channel?: string
  waiting_on?: WaitingOn
  /** Null for those without. */
  assignee_id?: string | null
  department_id?: string
  category_id?: string
  /** The tag's name. */
  tag?: string
  external_id?: string
  created_after?: Instant
  created_before?: Instant
  updated_after?: Instant
  q?: string
}

export const conversationSorts = [
  '-created_at',
  'created_at',
  '-updated_at',
  '-last_message_at',
  'sla_due_at',
] as const
type ConversationSort = (typeof conversationSorts)[number]

/** Conversations without a message come last; a constant in the place of null keeps the order one index range. */
const noMessage = '-infinity'
/** And so do those of which no clock will be due. */
const neverDue = 'infinity'

const orders: Record<ConversationSort, Order<Conversation>> = {
  ...byCreation,
  '-updated_at': {
    by: sql`updated_at desc, id desc`,
    after: ([at, id]) => sql`(updated_at, id) < (${at}, ${id})`,
    key: (row) => [row.updated_at, row.id],
  },
  '-last_message_at': {
    by: sql`coalesce(last_message_at, '-infinity') desc, id desc`,
    after: ([at, id]) => sql`(coalesce(last_message_at, '-infinity'), id) < (${at}, ${id})`,
    key: (row) => [row.last_message_at ?? noMessage, row.id],
  },
  sla_due_at: {
    by: sql`coalesce(sla_due_at, 'infinity'), id`,
    after: ([at, id]) => sql`(coalesce(sla_due_at, 'infinity'), id) > (${at}, ${id})`,
    key: (row) => [row.sla_due_at ?? neverDue, row.id],
  },
}

export const conversationSortKey = (row: Conversation, sort: ConversationSort): SortKey =>
  orders[sort].key(row)

export async function listConversations(
  db: Db,
  tenantId: string,
  filter: ConversationFilter,
  page: Page<ConversationSort>,
): Promise<Conversation[]> {
  const conditions = conditionsOf(tenantId, filter)
  return conditions ? conversationTable.list(db, tenantId, conditions, orders[page.sort], page) : []
}

export async function countConversations(
  db: Db,
  tenantId: string,
  filter: ConversationFilter,
  atMost: number,
): Promise<number> {
  const conditions = conditionsOf(tenantId, filter)
  return conditions ? conversationTable.count(db, tenantId, conditions, atMost) : 0
}

/** Null when nothing can match: a search without a letter or digit. */
function conditionsOf(tenantId: string, filter: ConversationFilter): Sql[] | null {
  const conditions: Sql[] = []
  const equal = (column: Sql, value: string | null | undefined) => {
    if (value === null) conditions.push(sql`${column} is null`)
    else if (value !== undefined) conditions.push(sql`${column} = ${value}`)
  }
  equal(sql`external_user_id`, filter.external_user_id)
  equal(sql`priority`, filter.priority)
  equal(sql`channel`, filter.channel)
  equal(sql`external_id`, filter.external_id)
  equal(sql`waiting_on`, filter.waiting_on)
  equal(sql`assignee_id`, filter.assignee_id)
  equal(sql`department_id`, filter.department_id)
  equal(sql`category_id`, filter.category_id)
  const { status, tag } = filter
  if (status)
    conditions.push(status.length === 1 ? sql`status = ${status[0]}` : sql`status = any(${status}::text[])`)
  if (tag !== undefined) conditions.push(sql`id in (${conversationsTagged(tenantId, tag)})`)
  // Ids carry the millisecond of creation, so times of creation are ranges of the primary key.
  if (filter.created_after) conditions.push(sql`id >= ${firstUuidAt(Date.parse(filter.created_after) + 1)}`)
  if (filter.created_before) conditions.push(sql`id < ${firstUuidAt(Date.parse(filter.created_before))}`)
  if (filter.updated_after) conditions.push(sql`updated_at > ${filter.updated_after}`)
  if (filter.q !== undefined) {
    const query = searchQuery(filter.q)
    if (query === null) return null
    conditions.push(sql`id in (
      select id from conversations where tenant_id = ${tenantId} and search @@ ${query}::tsquery
      union select conversation_id from messages where tenant_id = ${tenantId} and search @@ ${query}::tsquery)`)
  }
  return conditions
}

export type HoldPeriod = {
  id: string
  hold_reason_id: string
  note: string | null
  since: Instant
  until: Instant | null
  ended_at: Instant | null
  ended_by: Cause | null
}

type NewHoldPeriod = Omit<HoldPeriod, 'id' | 'ended_at' | 'ended_by'> & { conversation_id: string }

const beginnings = tuples<NewHoldPeriod>({
  conversation_id: ['uuid', ({ conversation_id }) => conversation_id],
  id: ['uuid', ({ since }) => newUuid(Date.parse(since))],
  hold_reason_id: ['uuid', ({ hold_reason_id }) => hold_reason_id],
  note: ['text', ({ note }) => note],
  since: ['timestamptz', ({ since }) => since],
  until: ['timestamptz', ({ until }) => until],
})

export const beginHolds = (tenantId: string, holds: NewHoldPeriod[]): Sql =>
  sql`insert into conversation_holds (tenant_id, conversation_id, id, hold_reason_id, note, since, until)
    select ${tenantId}::uuid, conversation_id, id, hold_reason_id, note, since, until from ${beginnings(holds)}
    returning 1`

type HoldEnd = { conversation_id: string; since: Instant; ended_at: Instant; ended_by: Cause }

const endRows = tuples<HoldEnd>({
  conversation_id: ['uuid', ({ conversation_id }) => conversation_id],
  since: ['timestamptz', ({ since }) => since],
  ended_at: ['timestamptz', ({ ended_at }) => ended_at],
  ended_by: ['text', ({ ended_by }) => ended_by],
})

/** Ends the period that began at `since`; another one may begin in the same statement. */
export const endHolds = (tenantId: string, ends: HoldEnd[]): Sql =>
  sql`update conversation_holds set ended_at = v.ended_at, ended_by = v.ended_by from ${endRows(ends)}
    where conversation_holds.tenant_id = ${tenantId} and conversation_holds.conversation_id = v.conversation_id
      and conversation_holds.since = v.since and conversation_holds.ended_at is null`

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

export async function countHolds(
  db: Db,
  tenantId: string,
  conversationId: string,
  atMost: number,
): Promise<number> {
  const [row] = await db.slowRows<{
    count: number
  }>(sql`select count(*) from (select 1 from conversation_holds
    where tenant_id = ${tenantId} and conversation_id = ${conversationId} limit ${atMost}) found`)
  return row!.count
}
