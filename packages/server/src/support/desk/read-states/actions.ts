import { invalidBody } from '../../../platform/kernel/errors.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { requireActingOperator } from '../conversations/assign.ts'
import { conversations } from '../conversations/entity.ts'
import type { Conversation } from '../conversations/queries.ts'
import { readWithin } from '../notifications/reading.ts'
import {
  findMark,
  insertMarks,
  isReadByAll,
  type Mark,
  moveMarks,
  type ReadState,
  unreadAfter,
} from './queries.ts'
import { type ReadUpTo, readStateWire, type UnreadFrom } from './schema.ts'
import { allReadIn } from './states.ts'

/** Marks messages as read by the acting operator. A mark never moves back by it: a late report changes nothing. */
export async function markReadByOperator(
  change: Change,
  conversationId: string,
  { up_to_sequence }: ReadUpTo,
): Promise<ReadState> {
  const reading = await begin(change, conversationId, '/up_to_sequence', up_to_sequence)
  const upTo = up_to_sequence ?? reading.conversation.message_count
  const { operatorId, mark } = reading
  if (upTo >= mark.up_to) await readWithin(change, { operatorId, conversationId, upToSequence: upTo })
  return settle(change, reading, Math.max(upTo, mark.up_to))
}

/** Marks messages as unread for the acting operator, if one of them is by somebody else. */
export async function markUnreadByOperator(
  change: Change,
  conversationId: string,
  { from_sequence }: UnreadFrom,
): Promise<ReadState> {
  const reading = await begin(change, conversationId, '/from_sequence', from_sequence)
  const { conversation, operatorId, mark } = reading
  const before = (from_sequence ?? 1) - 1
  const { newest } = await unreadAfter(change.db, change.tenantId, operatorId, conversation.id, before)
  const first = newest === null ? null : (from_sequence ?? newest)
  return settle(change, reading, first === null ? mark.up_to : Math.min(first - 1, mark.up_to))
}

type Reading = { conversation: Conversation; operatorId: string; mark: Mark }

/**
 * Reads the mark of the acting operator. The conversation is neither locked nor guarded: marking holds up nobody who
 * writes there.
 * @param sequence of the body, at `pointer`
 * @throws ApiError `not_found`, `precondition_failed`, `validation_failed`
 */
async function begin(
  change: Change,
  conversationId: string,
  pointer: string,
  sequence: number | undefined,
): Promise<Reading> {
  const conversation = await change.rows.peek(conversations, conversationId)
  const { id: operatorId } = await requireActingOperator(change)
  const { message_count: last } = conversation
  if (sequence !== undefined && sequence > last) {
    const detail = `must be <= ${last}, the sequence of the last message`
    throw invalidBody({ pointer, code: 'too_large', detail })
  }
  await change.lock(nameOf(conversationId, operatorId))
  const mark = await findMark(change.db, change.tenantId, operatorId, conversationId)
  return { conversation, operatorId, mark }
}

const nameOf = (conversationId: string, operatorId: string) => `read_states/${conversationId}/${operatorId}`

/** Sets the mark, unless it is there, and returns the state. All marks are moved here. */
async function settle(
  change: Change,
  { conversation, operatorId, mark: { up_to, stored } }: Reading,
  next: number,
): Promise<ReadState> {
  const { db, tenantId, now } = change
  const { id, message_count } = conversation
  if (isReadByAll(conversation, now)) return allReadIn(conversation, operatorId)
  const { count } =
    next === message_count ? { count: 0 } : await unreadAfter(db, tenantId, operatorId, id, next)
  const state = { conversation_id: id, operator_id: operatorId, up_to_sequence: next, unread_count: count }
  if (next === up_to) return state
  const row = {
    conversation_id: id,
    operator_id: operatorId,
    up_to_sequence: next,
    // What is moved back stays there, though own messages came after it.
    own_after: next < up_to ? message_count : Math.max(next, stored?.own_after ?? 0),
    marked_at: now,
  }
  change.effects.claim(nameOf(id, operatorId))
  if (stored) change.effects.writeExpecting(moveMarks, { ...row, was: stored })
  else change.effects.writeExpecting(insertMarks, row)
  change.effects.afterCommit(() => tellReadState(change.ctx, state))
  return state
}

/** Tells the streams of the operator. */
export const tellReadState = ({ env: { tenantId }, services }: Ctx, state: ReadState): void =>
  services.ephemeral.send({
    tenantId,
    streamId: state.conversation_id,
    name: 'read_state',
    data: readStateWire.json(state),
    to: { viewerId: state.operator_id, scope: 'conversations:read', key: state.conversation_id },
  })
