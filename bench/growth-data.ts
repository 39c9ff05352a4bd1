import { randomBytes, randomUUID } from 'node:crypto'
import { toInstant } from '@backline/server/platform/kernel/clock.ts'
import { newUuid, typeId } from '@backline/server/platform/kernel/ids.ts'
import type { Connection } from '@backline/server/platform/postgres/database.ts'
import { compile, type Sql, sql } from '@backline/server/platform/postgres/sql.ts'
import {
  type EventDraft,
  type EventToInsert,
  insertEvents,
  raiseHead,
} from '@backline/server/platform/unit-of-work/events.ts'
import { insertKeys } from '@backline/server/platform/unit-of-work/idempotency-keys.ts'
import type { Actor } from '@backline/server/platform/unit-of-work/principal.ts'
import type { RequestFacts } from '@backline/server/platform/unit-of-work/request.ts'
import { insertUses, type StoredTag } from '@backline/server/support/catalogue/tags/queries.ts'
import { unassigned } from '@backline/server/support/desk/conversations/assign.ts'
import { moved, noHold } from '@backline/server/support/desk/conversations/lifecycle.ts'
import { personOf } from '@backline/server/support/desk/conversations/person.ts'
import { type Conversation, conversationTable } from '@backline/server/support/desk/conversations/queries.ts'
import { conversationWire } from '@backline/server/support/desk/conversations/schema.ts'
import { noSla } from '@backline/server/support/desk/conversations/sla/update-clocks.ts'
import { received } from '@backline/server/support/desk/messages/actions.ts'
import { type Message, messageTable } from '@backline/server/support/desk/messages/queries.ts'
import { messageWire } from '@backline/server/support/desk/messages/schema.ts'
import { noDetails } from '@backline/server/support/people/end-users/naming.ts'
import { type EndUser, endUserTable } from '@backline/server/support/people/end-users/queries.ts'
import pg from 'pg'
import { makeWords, randomNumbers, unevenly } from './words.ts'

/** The objects that conversations refer to. */
export type Desk = {
  tenantId: string
  places: { departmentId: string; operatorId: string }[]
  tags: StoredTag[]
  holdReasonId: string
}

/** A year at the largest size: one conversation every six seconds. */
export const spacingMs = 6_300
export const dayMs = 86_400_000
/** The default retention: older events are reduced, and older keys are deleted. */
export const kept = { eventsMs: 90 * dayMs, keysMs: 30 * dayMs }
const messagesEach = 4
const perTransaction = 1_000
const writers = 2

/** Twenty conversations each, among the newest ten thousand at any size: fewer than a page. */
export const rare = { word: 'zanzibar', status: 'on_hold', priority: 'urgent', channel: 'phone' } as const
const isRare = (n: number, which: number) => n < 10_000 && n % 500 === which
/** Half of the conversations have one, half the other, none both. */
export const opposites = ['evenly', 'oddly'] as const
/** The end user of one conversation in a hundred; the others have three each. */
export const busyUser = 'user_of_many'

const random = randomNumbers(5_000_000)
export const words = makeWords(5_000, random)
const some = (length: number) => Array.from({ length }, () => unevenly(words, random))

const names = randomNumbers(5_000_001)
const givenNames = makeWords(200, names)
const familyNames = makeWords(4_999, names)

/** The name and address of end user `k`. Hundreds have the same given name, dozens the same family name. */
export function namesOf(k: number): { name: string; address: string } {
  const given = givenNames[k % givenNames.length]!
  const family = familyNames[(k * 31) % familyNames.length]!
  return { name: `${given} ${family}`, address: `${given}.${family}.${k}@example.com` }
}

/** The number in the subject of conversation `n`. */
export const orderNumber = (n: number): number => 10_000_000 + ((n * 7_919) % 90_000_000)

/** The creation time of conversation `n`; 0 is the newest. */
export const beganAt = (anchorMs: number, n: number): number => anchorMs - (n + 1) * spacingMs

/**
 * Creates the conversations `from` to `to` (exclusive) with four messages each, oldest first; higher numbers are
 * older.
 */
export async function fillWith(
  connection: Connection,
  desk: Desk,
  anchorMs: number,
  from: number,
  to: number,
): Promise<void> {
  let next = to
  const begun = performance.now()
  const work = async () => {
    const client = new pg.Client(connection)
    await client.connect()
    await client.query('set synchronous_commit = off')
    while (next > from) {
      const end = next
      next = Math.max(from, end - perTransaction)
      const statements = statementsFor(desk, anchorMs, next, end)
      await client.query('begin')
      for (const statement of statements) await client.query(compile(statement))
      await client.query('commit')
      if ((to - next) % 50_000 < perTransaction)
        console.error(`${to - next} in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
    }
    await client.end()
  }
  await Promise.all(Array.from({ length: writers }, work))
}

type Made = { event: EventToInsert; atMs: number; body: string | null }

/** One transaction: rows by the product's own statements, its events in the order of time. */
function statementsFor(desk: Desk, anchorMs: number, from: number, to: number): Sql[] {
  const conversations: Conversation[] = []
  const endUsers = new Map<string, EndUser>()
  const messages: Message[] = []
  const made: Made[] = []
  for (let n = to - 1; n >= from; n--) {
    const one = makeConversation(desk, anchorMs, n)
    const endUser = endUserFor(anchorMs, n)
    endUsers.set(endUser.id, endUser)
    conversations.push(one.conversation)
    messages.push(...one.messages)
    made.push(...one.made)
  }
  made.sort((one, other) => one.atMs - other.atMs)
  messages.sort((one, other) => (one.id < other.id ? -1 : 1))
  const uses = conversations.flatMap(({ id, tags }) =>
    tags.map((tag) => ({ tag_id: tag.id, conversation_id: id })),
  )
  const keyed = made.filter(({ atMs, body }) => body !== null && atMs > anchorMs - kept.keysMs)
  const events = made.map(({ atMs, event }) =>
    atMs > anchorMs - kept.eventsMs ? event : { ...event, object: event.previous },
  )
  const { tenantId } = desk
  const people = [...endUsers.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
  return [
    sql`${endUserTable.insert(tenantId, people)} on conflict (tenant_id, id) do nothing`,
    conversationTable.insert(tenantId, conversations),
    messageTable.insert(tenantId, messages),
    sql`with head as (${raiseHead(tenantId, events.length, 0)}) ${insertEvents(tenantId, events)}`,
    ...(uses.length > 0 ? [insertUses(tenantId, uses)] : []),
    ...(keyed.length > 0
      ? [
          insertKeys(
            tenantId,
            keyed.map(({ event, event: { origin }, body }) => ({
              ...origin.request!.idempotency!,
              requestId: origin.request!.id,
              now: origin.now,
              response: {
                status: 201,
                body: body!,
                location: '/v1/conversations/conv_01m7wga9hpe00bx5qvt413hp0j',
                etag: '"1"',
                sealed: null,
                resourceId: null,
              },
              isBodyStored: true,
              event: event.object === body ? event : null,
            })),
          ),
        ]
      : []),
  ]
}

function makeConversation(desk: Desk, anchorMs: number, n: number) {
  const atMs = beganAt(anchorMs, n)
  const created = newConversation(desk, anchorMs, n, atMs)
  const made = [
    madeBy(atMs, conversationEvent('conversation.created', created, '{}'), conversationWire.json(created)),
  ]
  const messages: Message[] = []
  let conversation = created
  for (let i = 0; i < messagesEach; i++) {
    const side = i % 2 === 0 ? 'end_user' : 'operator'
    const message = newMessage(created, i + 1, side, n, atMs + (i + random()) * 1_200_000)
    const before = conversation
    conversation = after(before, message)
    messages.push(message)
    made.push(madeBy(Date.parse(message.created_at), messageEvent(message), messageWire.json(message)))
    if (conversation.status === before.status) continue
    const event = conversationEvent(
      'conversation.updated',
      conversation,
      JSON.stringify({ status: before.status, waiting_on: before.waiting_on }),
    )
    const last = made.at(-1)!
    made.push({ ...last, event: { ...event, origin: last.event.origin }, body: null })
  }
  return { conversation: ended(desk, conversation, n), messages, made }
}

const after = (conversation: Conversation, message: Message): Conversation => ({
  ...conversation,
  ...received(conversation, message),
  updated_at: message.created_at,
  version: conversation.version + 1,
})

/** Nine in ten are closed; most of the others are resolved or pending. */
function ended({ holdReasonId }: Desk, conversation: Conversation, n: number): Conversation {
  const now = conversation.updated_at
  if (isRare(n, 1)) {
    const hold = {
      hold_reason_id: holdReasonId,
      hold_note: null,
      hold_since: now,
      hold_until: null,
      resumes_on_reply: true,
      hold_pauses_sla: true,
      waiting_on: 'third_party' as const,
    }
    return { ...conversation, ...moved(conversation, 'on_hold', now, hold) }
  }
  const share = random()
  if (share < 0.04) return conversation
  return {
    ...conversation,
    ...moved(conversation, share < 0.07 ? 'open' : share < 0.1 ? 'resolved' : 'closed', now),
  }
}

/** Three conversations in turn are of one end user, and a hundredth of all are of the busy one. */
export function endUserFor(anchorMs: number, n: number, isBusy = n % 100 === 50): EndUser {
  const k = Math.floor(n / 3)
  const atMs = beganAt(anchorMs, isBusy ? 0 : 3 * k)
  const time = atMs.toString(16).padStart(12, '0')
  const place = (isBusy ? 0xffffffffffff : k).toString(16).padStart(12, '0')
  const at = toInstant(atMs)
  const { name, address } = namesOf(k)
  return {
    ...noDetails,
    ...(isBusy ? {} : { name, emails: [{ address, verified: false }] }),
    id: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${place}`,
    external_id: isBusy ? busyUser : `user_${k}`,
    created_at: at,
    updated_at: at,
    version: 1,
  }
}

function newConversation({ places, tags }: Desk, anchorMs: number, n: number, atMs: number): Conversation {
  const at = toInstant(atMs)
  const place = n % 3 === 0 ? null : places[Math.floor(random() * places.length)]!
  const [channel, priority] = [random(), random()]
  const tagged = n % 5 === 0 ? [unevenly(tags, random), unevenly(tags, random)] : []
  return {
    id: newUuid(atMs),
    created_at: at,
    updated_at: at,
    version: 1,
    end_user: personOf(endUserFor(anchorMs, n)),
    participants: [],
    company_id: null,
    mailbox_id: null,
    subject: `${some(3 + (n % 6)).join(' ')} ${orderNumber(n)}`,
    initiated_by_side: 'end_user',
    channel: isRare(n, 2) ? rare.channel : channel < 0.7 ? 'api' : channel < 0.9 ? 'email' : 'chat',
    priority: isRare(n, 3) ? rare.priority : priority < 0.8 ? 'normal' : priority < 0.9 ? 'high' : 'low',
    language: null,
    external_id: null,
    metadata: { plan: 'pro' },
    follow_up_of_id: null,
    department_id: place?.departmentId ?? null,
    category_id: null,
    ...noHold,
    ...unassigned,
    ...(place
      ? {
          assignee_id: place.operatorId,
          assignment_strategy: 'round_robin',
          assignment_reason: 'Next in turn',
          assigned_at: at,
        }
      : {}),
    awaits_routing: true,
    custom_fields: [],
    tags: [...new Set(tagged)],
    status: place ? 'open' : 'new',
    waiting_on: 'operator',
    waiting_since: at,
    unanswered_since: null,
    message_count: 0,
    last_message_at: null,
    last_message_side: null,
    first_response_at: null,
    resolved_at: null,
    closed_at: null,
    reopened_count: 0,
    merged_into_id: null,
    read_by_end_user: 0,
    read_by_operator: 0,
    unread_by_end_user: 0,
    unread_by_operator: 0,
    ...noSla,
  }
}

function newMessage(
  conversation: Conversation,
  sequence: number,
  side: 'end_user' | 'operator',
  n: number,
  atMs: number,
): Message {
  const at = toInstant(Math.floor(atMs))
  const special = [opposites[n % 2]!, ...(isRare(n, 4) ? [rare.word] : [])]
  return {
    id: newUuid(Math.floor(atMs)),
    conversation_id: conversation.id,
    sequence,
    author_side: side,
    operator_id: side === 'operator' ? conversation.assignee_id : null,
    author_end_user_id: null,
    body: [...(sequence === 1 ? special : []), ...some(10 + (n % 21))].join(' '),
    body_format: 'text',
    body_html: null,
    attachments: null,
    file_states: null,
    email: null,
    delivery: null,
    visibility: 'public',
    template_id: null,
    in_reply_to_id: null,
    mentions: null,
    external_id: null,
    metadata: {},
    edited_at: null,
    redacted_at: null,
    created_at: at,
    updated_at: at,
    version: 1,
  }
}

const conversationEvent = (type: string, row: Conversation, previous: string): EventDraft => ({
  id: newUuid(Date.parse(row.updated_at)),
  type,
  streamId: row.id,
  resourceType: 'conversation',
  resourceId: row.id,
  resourceVersion: row.version,
  object: conversationWire.json(row),
  previous,
  audited: null,
  related: null,
})

const messageEvent = (row: Message): EventDraft => ({
  id: newUuid(Date.parse(row.created_at)),
  type: 'message.created',
  streamId: row.conversation_id,
  resourceType: 'message',
  resourceId: row.id,
  resourceVersion: 1,
  object: messageWire.json(row),
  previous: '{}',
  audited: null,
  related: null,
})

/** The parts of a request that journal and keys store. */
function madeBy(atMs: number, draft: EventDraft, body: string): Made {
  const request: RequestFacts = {
    id: typeId('req', newUuid(atMs)),
    ip: '127.0.0.1',
    userAgent: null,
    ifMatch: null,
    sharesStatements: false,
    idempotency: { key: randomUUID(), fingerprint: randomBytes(32) },
    respond: () => {
      throw new Error('It was answered long ago')
    },
  }
  const actor: Actor = { type: 'api_key', id: 'key_01m7wga9hpe00bx5qvt413hp0j', operator_id: null }
  return { event: { ...draft, origin: { now: toInstant(atMs), actor, request } }, atMs, body }
}
