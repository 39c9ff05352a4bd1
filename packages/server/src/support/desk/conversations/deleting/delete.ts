import type { Instant } from '../../../../platform/kernel/clock.ts'
import { typeId } from '../../../../platform/kernel/ids.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { emptyEvents } from '../../../integration/erasing/streams.ts'
import { eventsAbout } from '../../../integration/events/queries.ts'
import { endUsers } from '../../../people/end-users/entity.ts'
import { refuseHeld } from '../../../people/end-users/legal-hold.ts'
import { refuseAgents } from '../../../team/operators/actions.ts'
import { conversationsMergedInto } from '../../messages/queries.ts'
import { send } from '../../messages/scheduling.ts'
import { conversations } from '../entity.ts'
import type { Conversation } from '../queries.ts'
import { deletionsOf, insertDeletion, messageIds, referringTo, scheduledIds } from './queries.ts'
import { dropReferences, erasureOf, referencesAtOnce, removal } from './removal.ts'

/** Scheduled messages beyond these are found missing when they are due. */
const cancelledAtOnce = 1_000

/**
 * Deletes a conversation with all that was in it, as a client asks.
 * @throws ApiError `legal_hold`; `scope_missing` for an agent
 */
export async function deleteConversation(change: Change, id: string): Promise<void> {
  const conversation = await change.rows.load(conversations, id)
  await refuseAgents(change, 'Only operators with the role lead or admin may delete a conversation.')
  await removeConversation(change, conversation)
}

/**
 * Deletes a conversation: its rows with this change, so that nobody finds it or its messages any more; its files and
 * the texts in events, stored responses and deliveries by work that begins at once. For most conversations, that has
 * ended before the request is answered.
 * @param patientUntil for the erasure of people, which does the rest itself: if it has not until then, a job does
 * @throws ApiError `legal_hold`
 */
export async function removeConversation(
  change: Change,
  conversation: Conversation,
  patientUntil: Instant = change.now,
): Promise<void> {
  const { db, tenantId } = change
  const { id } = conversation
  await refuseHeldConversation(change, conversation)
  change.startAfter(conversation)
  await emptyMoved(change, id)
  for (const each of await scheduledIds(db, tenantId, id, cancelledAtOnce)) change.jobs.cancel(send, each)
  for (const each of await referringTo(db, tenantId, id, referencesAtOnce)) dropReferences(change, each, id)
  change.effects.write(insertDeletion(tenantId, id))
  for (const statement of deletionsOf(tenantId, id)) change.effects.write(statement)
  change.rows.remove(conversations, conversation)
  change.jobs.schedule(removal.name, id, patientUntil)
}

/** @throws ApiError `legal_hold` */
export async function refuseHeldConversation(change: Change, { end_user }: Conversation): Promise<void> {
  const endUser = end_user.id === null ? null : await change.rows.find(endUsers, end_user.id)
  if (endUser) refuseHeld(change, endUser)
}

/** A message that was scheduled has events in the conversations that were merged meanwhile. */
async function emptyMoved(change: Change, id: string): Promise<void> {
  const streams = await conversationsMergedInto(change.db, change.tenantId, id)
  const others = streams.filter((each) => each !== id)
  if (others.length === 0) return
  const events = await eventsAbout(
    change.db,
    change.tenantId,
    others,
    'message',
    messageIds(change.tenantId, id),
  )
  if (events.length === 0) return
  const ids = new Set(events.map(({ resource_id }) => typeId('msg', resource_id)))
  const erasure = erasureOf(id, 'delete')
  await emptyEvents(change, events, [], {
    ...erasure,
    isMeant: (object) =>
      erasure.isMeant(object) || (object.object === 'message' && ids.has(object.id as string)),
  })
}
