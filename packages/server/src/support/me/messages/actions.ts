import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId, uuidOf } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { causeOf, setCause } from '../../desk/conversations/change-facts.ts'
import { followUpWith } from '../../desk/conversations/follow-up.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { addMessage } from '../../desk/messages/actions.ts'
import { findMessage } from '../../desk/messages/queries.ts'
import { loadMine, requireUnblocked, requireUnbound } from '../access.ts'
import { type MeMessage, messageFor, readMessages } from '../shapes/message.ts'
import type { NewMeMessage } from './schema.ts'

/** Writes a message as the end user of the conversation, or as a participant. */
export async function postMine(change: Change, id: string, input: NewMeMessage): Promise<MeMessage> {
  const { conversation, viewer } = await loadMine(change, id)
  requireUnblocked(change.ctx)
  const references = new References(change)
  await requirePublicMessage(change, references, conversation, input.in_reply_to_id)
  references.check()
  const follows = conversation.status === 'closed' && input.on_closed === 'follow_up'
  if (follows) requireUnbound(change.ctx)
  if (conversation.status === 'closed' && !follows) throw new ApiError('conversation_closed')
  if (causeOf(change) === 'action') setCause(change, 'reply')
  const { message } = await (follows ? followUpWith : addMessage)(change, conversation, {
    author_side: 'end_user',
    author_end_user_id: typeId('eu', viewer.id),
    ...(input.body === undefined ? {} : { body: input.body }),
    attachments: input.attachments ?? [],
    body_format: input.body_format ?? 'text',
    in_reply_to_id: input.in_reply_to_id ?? null,
  })
  const [read] = await readMessages(change.ctx, [message], () => viewer.id, viewer)
  return messageFor(read!, (each) => each === viewer.id)
}

/** An internal note is as unknown as a message of another conversation. */
async function requirePublicMessage(
  change: Change,
  references: References,
  conversation: Conversation,
  id: string | null | undefined,
): Promise<void> {
  if (id == null) return
  const message = await findMessage(change.db, change.tenantId, uuidOf('msg', id)!)
  if (message?.conversation_id === conversation.id && message.visibility === 'public') return
  const detail = 'must be the id of a message in this conversation'
  references.fault({ pointer: '/in_reply_to_id', code: 'not_found', detail })
}
