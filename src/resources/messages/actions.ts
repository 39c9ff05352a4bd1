import type { Change } from '../../db/change.ts'
import { rewriteStoredBodies, storedBodies } from '../../db/idempotency.ts'
import { toEpochMs } from '../../lib/clock.ts'
import { ApiError, type FieldError, invalidBody } from '../../lib/errors.ts'
import { newUuid, typeId, uuidOf } from '../../lib/ids.ts'
import { mergeMetadata } from '../../lib/metadata.ts'
import { conversations } from '../conversations/entity.ts'
import { afterMessage, eventOfMove, moved, type Status } from '../conversations/lifecycle.ts'
import type { Conversation } from '../conversations/queries.ts'
import { eventsOfResource, rewriteEvents } from '../events/queries.ts'
import { messages } from './entity.ts'
import {
  deleteRevisions,
  findMessage,
  findMessageByExternalId,
  insertRevisions,
  type Message,
} from './queries.ts'
import type { MessagePatch, NewMessage } from './schema.ts'

/** A new message, and what it does to its conversation. */
export async function postMessage(
  change: Change,
  conversationId: string,
  input: NewMessage,
): Promise<Message> {
  refuseContradictions(input)
  const conversation = await change.target(conversations, conversationId)
  if (conversation.status === 'closed' && input.visibility !== 'internal')
    throw new ApiError('conversation_closed')
  await requireSameConversation(change, conversation, input.in_reply_to_id)
  const message = draftMessage(change, conversation, input)
  const patch = received(conversation, message, input.set_status)
  const to = patch.status ?? conversation.status
  const event = to === conversation.status ? null : eventOfMove(conversation.status, to)
  change.update(conversations, conversation, patch, event)
  return writeMessage(change, message)
}

function refuseContradictions(input: NewMessage): void {
  const faults: FieldError[] = []
  if (input.visibility === 'internal' && input.author_side === 'end_user') {
    faults.push({
      pointer: '/visibility',
      code: 'not_allowed',
      detail: 'must be public for a message of the end user',
    })
  }
  if (input.set_status && (input.author_side !== 'operator' || input.visibility === 'internal')) {
    faults.push({
      pointer: '/set_status',
      code: 'not_allowed',
      detail: "is for operators' public messages only",
    })
  }
  if (faults.length > 0) throw invalidBody(...faults)
}

async function requireSameConversation(
  change: Change,
  conversation: Conversation,
  messageId: string | null | undefined,
) {
  if (messageId == null) return
  const message = await findMessage(change.db, change.tenantId, uuidOf('msg', messageId)!)
  if (message?.conversation_id !== conversation.id) {
    throw invalidBody({
      pointer: '/in_reply_to_id',
      code: 'not_found',
      detail: 'names no message of this conversation',
    })
  }
}

/** The next message of a conversation, not yet written. */
export function draftMessage(change: Change, conversation: Conversation, input: NewMessage): Message {
  return {
    id: newUuid(toEpochMs(change.now)),
    conversation_id: conversation.id,
    sequence: conversation.message_count + 1,
    author_side: input.author_side,
    operator_id: null,
    body: input.body,
    body_format: input.body_format ?? 'text',
    visibility: input.visibility ?? 'public',
    template_id: null,
    in_reply_to_id: input.in_reply_to_id == null ? null : uuidOf('msg', input.in_reply_to_id),
    external_id: input.external_id ?? null,
    metadata: input.metadata ?? {},
    edited_at: null,
    redacted_at: null,
    created_at: change.now,
    updated_at: change.now,
    version: 1,
  }
}

export function writeMessage(change: Change, message: Message): Message {
  if (message.external_id !== null) {
    const externalId = message.external_id
    change.ifTaken(async () => {
      const owner = await findMessageByExternalId(change.db, change.tenantId, externalId)
      if (owner) throw new ApiError('already_exists', { id: typeId('msg', owner.id), field: 'external_id' })
    })
  }
  return change.create(messages, message)
}

/** What a message changes on its conversation: counters always, status and first response if it is public. */
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
  const to = setStatus ?? afterMessage[author][from] ?? from
  const answers = author === 'operator' && conversation.initiated_by_side !== 'operator'
  return {
    ...counted,
    ...(to === from ? {} : moved(conversation, to, now)),
    first_response_at: conversation.first_response_at ?? (answers ? now : null),
    unread_by_end_user: conversation.unread_by_end_user + (author === 'operator' ? 1 : 0),
    unread_by_operator: conversation.unread_by_operator + (author === 'end_user' ? 1 : 0),
  }
}

export async function editMessage(change: Change, id: string, patch: MessagePatch): Promise<Message> {
  const message = await change.target(messages, id)
  const conversation = await conversationOf(change, message)
  const rewritten = patch.body !== undefined && patch.body !== message.body
  if (rewritten) {
    refuseUneditable(message, conversation)
    change.alsoEach(insertRevisions, {
      message_id: message.id,
      version: message.version,
      body: message.body,
      written_at: message.edited_at ?? message.created_at,
      replaced_at: change.now,
    })
  }
  return change.update(messages, message, {
    ...(rewritten ? { body: patch.body!, edited_at: change.now } : {}),
    metadata: mergeMetadata(message.metadata, patch.metadata),
  })
}

/** The conversation must stay as it is meanwhile: open, and with its events in the order in which they commit. */
async function conversationOf(change: Change, message: Message): Promise<Conversation> {
  const conversation = await change.find(conversations, message.conversation_id)
  if (!conversation) throw new Error(`Message ${message.id} has no conversation`)
  change.require(conversations, conversation)
  return conversation
}

function refuseUneditable(message: Message, conversation: Conversation): void {
  if (message.redacted_at)
    throw new ApiError('invalid_transition', { from: 'redacted', action: 'update', allowed: [] })
  if (message.visibility === 'public' && conversation.status === 'closed')
    throw new ApiError('conversation_closed')
}

/**
 * Empties a message for good: its body, its former bodies, its text in the journal and in the responses kept for
 * replays. Possible on closed conversations too: personal data must be erasable.
 */
export async function redactMessage(change: Change, id: string): Promise<Message> {
  const message = await change.target(messages, id)
  if (message.redacted_at) return message
  await conversationOf(change, message)
  const events = await eventsOfResource(change.db, change.tenantId, message.conversation_id, message.id)
  const requests = events.flatMap(({ idempotency_key: key, request_id: requestId }) =>
    key !== null && requestId !== null ? [{ key, requestId }] : [],
  )
  const responses = await storedBodies(change.db, change.tenantId, message.id, requests)
  change.also(rewriteEvents(change.tenantId, events.map(withoutText)))
  change.also(
    rewriteStoredBodies(
      change.tenantId,
      responses.map(({ key, body }) => ({ key, body: emptied(body) })),
    ),
  )
  change.also(deleteRevisions(change.tenantId, message.id))
  return change.update(messages, message, { body: '', redacted_at: change.now }, 'message.redacted')
}

const withoutText = <Event extends { object: string; previous: string }>(event: Event): Event => ({
  ...event,
  object: emptied(event.object),
  previous: emptied(event.previous),
})

/** A JSON text whose `body` member, if it has one, is empty. */
function emptied(text: string): string {
  const value = JSON.parse(text)
  return 'body' in value ? JSON.stringify({ ...value, body: '' }) : text
}
