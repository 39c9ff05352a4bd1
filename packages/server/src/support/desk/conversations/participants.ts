import type { Instant } from '../../../platform/kernel/clock.ts'
import { ApiError, invalidBody } from '../../../platform/kernel/errors.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { endUsers } from '../../people/end-users/entity.ts'
import { requireAllowed } from '../../people/end-users/identity.ts'
import { conversations } from './entity.ts'
import { type Conversation, type Participant, participantsOf } from './queries.ts'
import { saveConversation } from './save.ts'
import { maxParticipants } from './schema.ts'

/** A participant whom a request adds. */
export const addedParticipant = (since: Instant, id: string): Participant => ({
  id,
  address: null,
  source: 'api',
  confirmed: true,
  since,
})

/**
 * Adds an end user, or confirms one who is only claimed to take part. Has no effect for the end user of the
 * conversation, who takes part anyway, and for one who takes part already.
 */
export async function addParticipant(change: Change, id: string, endUserId: string): Promise<Conversation> {
  const conversation = await change.rows.load(conversations, id)
  const endUser = await change.rows.find(endUsers, endUserId)
  if (!endUser || endUser.erased_at !== null) throw new ApiError('not_found')
  requireAllowed('attach', endUser)
  const present = participantsOf(conversation)
  const known = present.find((each) => each.id === endUser.id)
  if (endUser.id === conversation.end_user.id || known?.confirmed) return conversation
  if (known)
    return take(
      change,
      conversation,
      present.map((each) => (each === known ? { ...known, confirmed: true } : each)),
    )
  if (present.length >= maxParticipants) {
    const detail = `cannot add a participant: the conversation has ${maxParticipants}, the maximum`
    throw invalidBody({ pointer: '', code: 'too_long', detail })
  }
  return take(change, conversation, [...present, addedParticipant(change.now, endUser.id)])
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
  const left = participantsOf(conversation).filter((each) => !gone.some(({ id }) => id === each.id))
  return take(change, conversation, left)
}

const take = (
  change: Change,
  conversation: Conversation,
  participants: Participant[],
): Promise<Conversation> => saveConversation(change, conversation, { participants }, 'conversation.updated')
