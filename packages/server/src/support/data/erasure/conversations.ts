import { plusSeconds } from '../../../platform/kernel/clock.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { removeConversation } from '../../desk/conversations/deleting/delete.ts'
import { continueRemoval, removal } from '../../desk/conversations/deleting/removal.ts'
import { conversations } from '../../desk/conversations/entity.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { eraseMessages } from '../../desk/messages/erasing.ts'
import { nextMessages } from '../../desk/messages/queries.ts'
import { redactScheduled } from '../../desk/messages/redacting.ts'
import { nextScheduled } from '../../desk/messages/scheduled/queries.ts'
import { eraseEmailsOfConversation } from '../../mail/inbound-emails/erasing.ts'
import { fieldsWithChoices } from './fields.ts'
import { eraseCopies } from './mails.ts'
import { eraseHoldNotes, namesPerson, nextConversations, type Part, writtenAmong } from './queries.ts'
import { counting, type ErasureState, nextStep } from './state.ts'

/** The conversations and messages of one piece of work. */
const conversationsAtOnce = 10
const messagesAtOnce = 100
/** A conversation whose erasure ends early is deleted as a whole by a job after this time. */
const patienceSeconds = 3_600

/** Erases what a person said in the next conversations; with the mode `delete`, the conversations of the person. */
export async function eraseConversations(
  change: Change,
  state: ErasureState,
  ids: string[],
): Promise<ErasureState> {
  if (state.deleting.length > 0) return finishDeleting(change, state)
  const parts = await nextConversations(change.db, change.tenantId, ids, state.after, conversationsAtOnce)
  if (parts.length === 0) return nextStep(state)
  let next = state
  let room = messagesAtOnce
  for (const part of parts) {
    const conversation = await change.rows.find(conversations, part.id)
    if (conversation && part.is_own && state.mode === 'delete') next = await begin(change, next, conversation)
    else if (conversation) {
      const erased = await eraseMessagesOf(change, next, part, ids, room)
      next = erased.state
      room -= erased.count
      if (room === 0) return next // its other messages are next
      next = await eraseRow(change, next, conversation, part, ids)
    }
    next = { ...next, after: part.id, after_sequence: 0 }
  }
  return next
}

async function begin(change: Change, state: ErasureState, conversation: Conversation): Promise<ErasureState> {
  await removeConversation(change, conversation, plusSeconds(change.now, patienceSeconds))
  return counting(
    { ...state, deleting: [...state.deleting, conversation.id] },
    { conversations: 1, messages: conversation.message_count },
  )
}

async function finishDeleting(change: Change, state: ErasureState): Promise<ErasureState> {
  const [id, ...others] = state.deleting as [string, ...string[]]
  const mails = await eraseEmailsOfConversation(change, id)
  if (mails.hasMore) return state
  const { hasMore, emptied } = await continueRemoval(change, id)
  if (!hasMore) change.jobs.cancel(removal.name, id)
  return counting({ ...state, deleting: hasMore ? state.deleting : others }, emptied)
}

async function eraseMessagesOf(
  change: Change,
  state: ErasureState,
  { id, is_own }: Part,
  ids: string[],
  room: number,
): Promise<{ state: ErasureState; count: number }> {
  const { db, tenantId } = change
  const messages = await nextMessages(db, tenantId, id, state.after_sequence, room, [
    namesPerson(tenantId, ids, is_own),
  ])
  const written = await writtenAmong(
    db,
    tenantId,
    ids,
    messages.map((each) => each.id),
  )
  const { true: own = [], false: others = [] } = Object.groupBy(messages, (each) =>
    written.has(each.id) ? 'true' : 'false',
  )
  const { erased, files } = await eraseMessages(change, own)
  const mails = await eraseCopies(change, others, state.end_user_id)
  const counted = counting(
    {
      ...state,
      after_sequence: messages.at(-1)?.sequence ?? state.after_sequence,
      files: [...state.files, ...files],
    },
    { messages: erased, files: files.length, inbound_emails: mails },
  )
  return { state: counted, count: messages.length }
}

/** More scheduled messages than these are not sent either: their conversation has nobody to read them. */
const scheduledAtOnce = 100

/** Empties the row of a conversation, and ends the participation of the person. */
async function eraseRow(
  change: Change,
  state: ErasureState,
  conversation: Conversation,
  { is_own }: Part,
  ids: string[],
): Promise<ErasureState> {
  const participants = conversation.participants.filter(
    ({ id, stored_id }) => !ids.includes(id) && !ids.includes(stored_id ?? id),
  )
  if (!is_own) {
    if (participants.length === conversation.participants.length) return state
    change.rows.update(conversations, conversation, { participants })
    return counting(state, { conversation_participants: 1 })
  }
  const scheduled = await nextScheduled(change.db, change.tenantId, conversation.id, scheduledAtOnce)
  for (const row of scheduled) await redactScheduled(change, row)
  change.effects.write(eraseHoldNotes(change.tenantId, [conversation.id]))
  const kept = await fieldsWithChoices(change)
  const emptied = {
    subject: null,
    metadata: {},
    hold_note: null,
    custom_fields: conversation.custom_fields.filter(({ field_id }) => kept.has(field_id)),
    participants,
  }
  const erased = change.rows.update(conversations, conversation, emptied, null)
  const isChanged = erased.version > conversation.version
  // The former texts are not told again.
  if (isChanged)
    change.rows.addEvent(conversations, erased, 'conversation.updated', { ...conversation, ...emptied })
  return counting(state, { conversations: isChanged ? 1 : 0, scheduled_messages: scheduled.length })
}
