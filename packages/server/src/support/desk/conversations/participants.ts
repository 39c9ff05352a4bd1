import { ApiError, invalidBody } from '../../../platform/kernel/errors.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { endUsers } from '../../people/end-users/entity.ts'
import { requireAllowed } from '../../people/end-users/identity.ts'
import { conversations } from './entity.ts'
import { type Conversation, participantIds } from './queries.ts'
import { saveConversation } from './save.ts'
import { maxParticipants } from './schema.ts'

/** Has no effect for the end user of the conversation, who takes part anyway, and for one who takes part already. */
export async function addParticipant(change: Change, id: string, endUserId: string): Promise<Conversation> {
  const conversation = await change.rows.load(conversations, id)
  const endUser = await change.rows.find(endUsers, endUserId)
  if (!endUser || endUser.erased_at !== null) throw new ApiError('not_found')
  requireAllowed('attach', endUser)
  const present = participantIds(conversation)
  if (endUser.id === conversation.end_user.id || present.includes(endUser.id)) return conversation
  if (present.length >= maxParticipants) {
    const detail = `cannot add a participant: the conversation has ${maxParticipants}, the maximum`
    throw invalidBody({ pointer: '', code: 'too_long', detail })
  }
  return take(change, conversation, [...present, endUser.id])
}

export async function removeParticipant(
  change: Change,
  id: string,
  endUserId: string,
): Promise<Conversation> {
  const conversation = await change.rows.load(conversations, id)
  if (!(await change.rows.find(endUsers, endUserId))) throw new ApiError('not_found')
  const gone = conversation.participants.filter(({ id, stored_id }) => [id, stored_id].includes(endUserId))
  if (gone.length === 0) return conversation
  const left = participantIds(conversation).filter((each) => !gone.some(({ id }) => id === each))
  return take(change, conversation, left)
}

const take = (change: Change, conversation: Conversation, ids: string[]): Promise<Conversation> =>
  saveConversation(change, conversation, { participants: ids.map((id) => ({ id })) }, 'conversation.updated')
