import { ApiError, type FieldError, invalidBody } from '../../../platform/kernel/errors.ts'
import { typeId, uuidOf } from '../../../platform/kernel/ids.ts'
import { mapYielding } from '../../../platform/kernel/map-yielding.ts'
import { mergeMetadata } from '../../../platform/kernel/metadata.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { rewriteStoredBodies, storedBodies } from '../../../platform/unit-of-work/idempotency-keys.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { templatesInUse } from '../../catalogue/message-templates/entity.ts'
import type { MessageTemplate } from '../../catalogue/message-templates/queries.ts'
import { eraseFrom } from '../../integration/events/actions.ts'
import { eventsOfResource } from '../../integration/events/queries.ts'
import {
  type Attempt,
  eraseDeliveries,
  idsOfDeliveries,
} from '../../integration/webhook-endpoints/deliveries/queries.ts'
import { actingOperator } from '../../team/operators/actions.ts'
import { operators } from '../../team/operators/entity.ts'
import type { Operator } from '../../team/operators/queries.ts'
import { conversations } from '../conversations/entity.ts'
import { afterMessage, eventOfMove, moved, type Status } from '../conversations/lifecycle.ts'
import { causeOf, setCause } from '../conversations/notes.ts'
import type { Conversation } from '../conversations/queries.ts'
import { saveConversation } from '../conversations/save.ts'
import { messages } from './entity.ts'
import { deleteRevisions, findMessage, insertRevisions, type Message } from './queries.ts'
import { renderTemplate } from './rendering.ts'
import type { MessagePatch, NewMessage } from './schema.ts'

/** Creates a message in the conversation of the request. */
export async function postMessage(
  change: Change,
  conversationId: string,
  input: NewMessage,
): Promise<Message> {
  const conversation = await change.rows.load(conversations, conversationId)
  if (causeOf(change) === 'action') setCause(change, 'reply')
  return (await addMessage(change, conversation, input)).message
}

/**
 * Adds a message to a conversation with its effects: counters, status, read marks.
 * @param keptTemplateId a template chosen earlier, which may be archived
 */
export async function addMessage(
  change: Change,
  conversation: Conversation,
  input: NewMessage,
  keptTemplateId: string | null = null,
): Promise<{ conversation: Conversation; message: Message }> {
  const references = new References(change)
  for (const fault of contradictionsIn(input)) references.fault(fault)
  const operator = await authorOf(change, references, input)
  const template = await references.to(templatesInUse, '/template_id', input.template_id, keptTemplateId)
  await requireSameConversation(change, references, conversation, input.in_reply_to_id)
  references.check()
  if (conversation.status === 'closed' && input.visibility !== 'internal')
    throw new ApiError('conversation_closed')
  const message = draftMessage(change, conversation, {
    ...input,
    operator_id: operator?.id ?? null,
    template_id: template?.id ?? null,
    ...(template
      ? await textOf(change, conversation, template, operator, input.variables)
      : { body: input.body! }),
  })
  const patch = received(conversation, message, input.set_status)
  const to = patch.status ?? conversation.status
  const event = to === conversation.status ? null : eventOfMove(conversation.status, to)
  const answered = await saveConversation(change, conversation, patch, event)
  return { conversation: answered, message: writeMessage(change, message) }
}

/** The operator who writes: the one in the body, otherwise the acting operator. */
async function authorOf(
  change: Change,
  references: References,
  { author_side, operator_id }: NewMessage,
): Promise<Operator | null> {
  if (author_side !== 'operator') return null
  return operator_id == null ? actingOperator(change) : references.to(operators, '/operator_id', operator_id)
}

/** The text of a template for this conversation. */
async function textOf(
  change: Change,
  conversation: Conversation,
  template: MessageTemplate,
  operator: Operator | null,
  variables: Record<string, unknown> = {},
): Promise<Pick<Message, 'body' | 'body_format'>> {
  const pointer = '/template_id'
  const { body, body_format } = await renderTemplate(change, template, {
    conversation,
    operator,
    variables,
    pointer,
  })
  if (body === '')
    throw invalidBody({ pointer, code: 'too_short', detail: 'must not render to an empty message' })
  return { body, body_format }
}

const contradictions: [pointer: string, detail: string, does: (input: NewMessage) => boolean][] = [
  [
    '/visibility',
    'must be public for messages of the end user',
    ({ visibility, author_side }) => visibility === 'internal' && author_side === 'end_user',
  ],
  [
    '/set_status',
    'is allowed only for public messages of operators',
    ({ set_status, author_side, visibility }) =>
      set_status !== undefined && (author_side !== 'operator' || visibility === 'internal'),
  ],
  [
    '/operator_id',
    'is allowed only for messages of operators',
    ({ operator_id, author_side }) => operator_id != null && author_side !== 'operator',
  ],
  [
    '/body',
    'cannot be combined with template_id',
    ({ body, template_id }) => body !== undefined && template_id != null,
  ],
  [
    '/body_format',
    'cannot be combined with template_id',
    ({ body_format, template_id }) => body_format !== undefined && template_id != null,
  ],
  [
    '/variables',
    'requires template_id',
    ({ variables, template_id }) => variables !== undefined && template_id == null,
  ],
]

function contradictionsIn(input: NewMessage): FieldError[] {
  const faults: FieldError[] = contradictions
    .filter(([, , does]) => does(input))
    .map(([pointer, detail]) => ({ pointer, code: 'not_allowed', detail }))
  if (input.body === undefined && input.template_id == null)
    faults.push({ pointer: '/body', code: 'required', detail: 'is required unless template_id is set' })
  return faults
}

async function requireSameConversation(
  change: Change,
  references: References,
  conversation: Conversation,
  messageId: string | null | undefined,
): Promise<void> {
  if (messageId == null) return
  const message = await findMessage(change.db, change.tenantId, uuidOf('msg', messageId)!)
  if (message?.conversation_id !== conversation.id) {
    references.fault({
      pointer: '/in_reply_to_id',
      code: 'not_found',
      detail: 'must be the id of a message in this conversation',
    })
  }
}

type Draft = Omit<NewMessage, 'operator_id' | 'template_id' | 'body'> & {
  body: string
  /** UUIDs. */
  operator_id: string | null
  template_id: string | null
}

/** The next message of a conversation, not yet written. */
export function draftMessage(change: Change, conversation: Conversation, input: Draft): Message {
  return {
    ...change.stamp(),
    conversation_id: conversation.id,
    sequence: conversation.message_count + 1,
    author_side: input.author_side,
    operator_id: input.operator_id,
    body: input.body,
    body_format: input.body_format ?? 'text',
    visibility: input.visibility ?? 'public',
    template_id: input.template_id,
    in_reply_to_id: input.in_reply_to_id == null ? null : uuidOf('msg', input.in_reply_to_id),
    external_id: input.external_id ?? null,
    metadata: input.metadata ?? {},
    edited_at: null,
    redacted_at: null,
  }
}

export function writeMessage(change: Change, message: Message): Message {
  return change.rows.create(messages, message)
}

/** The changes of a conversation by a message: counters always, status and first response if it is public. */
export function received(
  conversation: Conversation,
  message: Message,
  setStatus?: Status,
): Partial<Conversation> {
  const { author_side: author, created_at: now } = message
  const counted = {
    message_count: message.sequence,
    last_message_at: now,
    last_message_side: author,
  }
  if (message.visibility === 'internal') return counted
  const from = conversation.status
  const stays = author === 'end_user' && from === 'on_hold' && !conversation.resumes_on_reply
  const to = setStatus ?? (stays ? from : (afterMessage[author][from] ?? from))
  const answers = author === 'operator' && conversation.initiated_by_side !== 'operator'
  const move = to === from ? {} : moved(conversation, to, now)
  const { unanswered_since: unanswered } = { ...conversation, ...move }
  return {
    ...counted,
    ...move,
    unanswered_since: author === 'operator' ? null : author === 'end_user' ? (unanswered ?? now) : unanswered,
    first_response_at: conversation.first_response_at ?? (answers ? now : null),
    unread_by_end_user: conversation.unread_by_end_user + (author === 'operator' ? 1 : 0),
    unread_by_operator: conversation.unread_by_operator + (author === 'end_user' ? 1 : 0),
  }
}

export async function editMessage(change: Change, id: string, patch: MessagePatch): Promise<Message> {
  const message = await change.rows.load(messages, id)
  const conversation = await conversationOf(change, message)
  const rewritten = patch.body !== undefined && patch.body !== message.body
  if (rewritten) {
    refuseUneditable(message, conversation)
    change.effects.writeBatched(insertRevisions, {
      message_id: message.id,
      version: message.version,
      body: message.body,
      written_at: message.edited_at ?? message.created_at,
      replaced_at: change.now,
    })
  }
  return change.rows.update(messages, message, {
    ...(rewritten ? { body: patch.body!, edited_at: change.now } : {}),
    metadata: mergeMetadata(message.metadata, patch.metadata),
  })
}

/** Guards the conversation: it must stay open, and its events must keep the order of their commits. */
async function conversationOf(change: Change, message: Message): Promise<Conversation> {
  const conversation = await change.rows.find(conversations, message.conversation_id)
  if (!conversation) throw new Error(`Message ${message.id} has no conversation`)
  change.rows.guard(conversations, conversation)
  return conversation
}

function refuseUneditable(message: Message, conversation: Conversation): void {
  if (message.redacted_at)
    throw new ApiError('invalid_transition', { from: 'redacted', action: 'update', allowed: [] })
  if (message.visibility === 'public' && conversation.status === 'closed')
    throw new ApiError('conversation_closed')
}

/**
 * Erases a message permanently: its body, its revisions, and its text in the journal, in stored responses, and in
 * receiver responses of webhooks. Closed conversations allow it too, because personal data must be erasable.
 */
export async function redactMessage(change: Change, id: string): Promise<Message> {
  const message = await change.rows.load(messages, id)
  if (message.redacted_at) return message
  await conversationOf(change, message)
  const events = await eventsOfResource(change.db, change.tenantId, message.conversation_id, message.id)
  const requests = events.flatMap(({ idempotency_key: key, request_id: requestId }) =>
    key !== null && requestId !== null ? [{ key, requestId }] : [],
  )
  const responses = await storedBodies(change.db, change.tenantId, [message.id], requests)
  const eventIds = events.map((event) => event.id)
  const deliveryIds = await idsOfDeliveries(change.db, change.tenantId, eventIds)
  const shownDeliveries = await storedBodies(change.db, change.tenantId, deliveryIds, [])
  await eraseFrom(change, events, emptied)
  change.effects.write(
    rewriteStoredBodies(change.tenantId, [
      ...(await mapYielding(responses, ({ key, body }) => ({ key, body: emptiedOf(id, body) }))),
      ...(await mapYielding(shownDeliveries, ({ key, body }) => ({ key, body: withoutAnswers(body) }))),
    ]),
  )
  change.effects.write(eraseDeliveries(change.tenantId, eventIds, change.now))
  change.effects.write(deleteRevisions(change.tenantId, message.id))
  return change.rows.update(messages, message, { body: '', redacted_at: change.now }, 'message.redacted')
}

/** A stored response without the text of this message: the message itself, or one of its `messages`. */
function emptiedOf(id: string, text: string): string {
  const value = JSON.parse(text)
  if (!Array.isArray(value.messages)) return emptied(text)
  const messages = value.messages.map((each: { id: string }) =>
    each.id === typeId('msg', id) ? { ...each, body: '' } : each,
  )
  return JSON.stringify({ ...value, messages })
}

/** A stored response with a delivery, without the receiver responses. */
function withoutAnswers(text: string): string {
  const delivery = JSON.parse(text)
  const attempts = delivery.attempts.map((attempt: Attempt) =>
    attempt.response_body === null ? attempt : { ...attempt, response_body: '' },
  )
  return JSON.stringify({ ...delivery, attempts })
}

/** A JSON text with an empty `body` member, if it has one. */
function emptied(text: string): string {
  const value = JSON.parse(text)
  return 'body' in value ? JSON.stringify({ ...value, body: '' }) : text
}
