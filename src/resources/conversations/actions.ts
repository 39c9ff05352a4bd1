import type { Change } from '../../db/change.ts'
import { toEpochMs } from '../../lib/clock.ts'
import { ApiError, invalidBody } from '../../lib/errors.ts'
import { newUuid, typeId, uuidOf } from '../../lib/ids.ts'
import { mergeMetadata } from '../../lib/metadata.ts'
import { draftMessage, received, writeMessage } from '../messages/actions.ts'
import { countUnread } from '../messages/queries.ts'
import { conversations } from './entity.ts'
import { type Action, eventOfMove, moved, type Person, transition, waitingOn } from './lifecycle.ts'
import { type Conversation, findConversation, findConversationByExternalId } from './queries.ts'
import type { ConversationPatch, NewConversation, ReadMark } from './schema.ts'

export async function createConversation(change: Change, input: NewConversation): Promise<Conversation> {
  if (input.message && !change.ctx.allows('messages:write')) {
    throw new ApiError('scope_missing', { scope: 'messages:write' })
  }
  const conversation: Conversation = {
    id: newUuid(toEpochMs(change.now)),
    external_user_id: input.external_user_id,
    subject: input.subject ?? null,
    initiated_by_side: input.initiated_by_side ?? 'end_user',
    channel: input.channel ?? 'api',
    priority: input.priority ?? 'normal',
    language: input.language ?? null,
    external_id: input.external_id ?? null,
    metadata: input.metadata ?? {},
    follow_up_of_id: await followedUp(change, input),
    status: 'new',
    waiting_since: waitingOn.new === null ? null : change.now,
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
    created_at: change.now,
    updated_at: change.now,
    version: 1,
  }
  refuseTakenExternalId(change, conversation.external_id)
  if (!input.message) return change.create(conversations, conversation)
  const message = draftMessage(change, conversation, {
    ...input.message,
    author_side: conversation.initiated_by_side,
  })
  const created = change.create(conversations, { ...conversation, ...received(conversation, message) })
  writeMessage(change, message)
  return created
}

/** The earlier conversation must be of the same end user. */
async function followedUp(change: Change, input: NewConversation): Promise<string | null> {
  if (input.follow_up_of_id == null) return null
  const earlier = await findConversation(change.db, change.tenantId, uuidOf('conv', input.follow_up_of_id)!)
  const pointer = '/follow_up_of_id'
  if (!earlier) throw invalidBody({ pointer, code: 'not_found', detail: 'names no conversation' })
  if (earlier.external_user_id !== input.external_user_id) {
    throw invalidBody({ pointer, code: 'not_allowed', detail: 'must be a conversation of the same end user' })
  }
  return earlier.id
}

function refuseTakenExternalId(change: Change, externalId: string | null): void {
  if (externalId === null) return
  change.ifTaken(async () => {
    const owner = await findConversationByExternalId(change.db, change.tenantId, externalId)
    if (owner) throw new ApiError('already_exists', { id: typeId('conv', owner.id), field: 'external_id' })
  })
}

export async function updateConversation(
  change: Change,
  id: string,
  patch: ConversationPatch,
): Promise<Conversation> {
  const conversation = await change.target(conversations, id)
  const { metadata, ...fields } = patch
  const differs = Object.entries(fields).some(
    ([name, value]) => conversation[name as keyof typeof fields] !== value,
  )
  if (conversation.status === 'closed' && differs) throw new ApiError('conversation_closed')
  if (fields.external_id) refuseTakenExternalId(change, fields.external_id)
  return change.update(conversations, conversation, {
    ...fields,
    metadata: mergeMetadata(conversation.metadata, metadata),
  })
}

/** Carries out an action of the state machine that needs nothing but the conversation. */
export async function actOn(change: Change, id: string, action: Action): Promise<Conversation> {
  const conversation = await change.target(conversations, id)
  return move(change, conversation, action)
}

/** `note` becomes an internal note of the operators. */
export async function resolveConversation(
  change: Change,
  id: string,
  note: string | null,
): Promise<Conversation> {
  const conversation = await change.target(conversations, id)
  if (note === null) return move(change, conversation, 'resolve')
  const to = transition(conversation.status, 'resolve')
  const message = draftMessage(change, conversation, {
    author_side: 'operator',
    visibility: 'internal',
    body: note,
  })
  const resolved = change.update(
    conversations,
    conversation,
    { ...received(conversation, message), ...moved(conversation, to, change.now) },
    eventOfMove(conversation.status, to),
  )
  writeMessage(change, message)
  return resolved
}

function move(change: Change, conversation: Conversation, action: Action): Conversation {
  const to = transition(conversation.status, action)
  return change.update(
    conversations,
    conversation,
    moved(conversation, to, change.now),
    eventOfMove(conversation.status, to),
  )
}

/** Read marks only go forward: a device that reports late takes nothing back. */
export async function markRead(
  change: Change,
  id: string,
  { side, up_to_sequence }: ReadMark,
): Promise<Conversation> {
  const conversation = await change.target(conversations, id)
  const upTo = up_to_sequence ?? conversation.message_count
  if (upTo > conversation.message_count) {
    const detail = `must be <= ${conversation.message_count}, the last sequence there is`
    throw invalidBody({ pointer: '/up_to_sequence', code: 'too_large', detail })
  }
  const read = Math.max(upTo, conversation[`read_by_${side}`])
  const other: Person = side === 'end_user' ? 'operator' : 'end_user'
  const unread =
    read === conversation.message_count
      ? 0
      : await countUnread(change.db, change.tenantId, conversation.id, other, read)
  const marks = { [`read_by_${side}`]: read, [`unread_by_${side}`]: unread } as Partial<Conversation>
  return change.update(conversations, conversation, marks, 'conversation.read')
}
