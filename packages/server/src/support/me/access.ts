import { ApiError } from '../../platform/kernel/errors.ts'
import type { Change } from '../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../platform/unit-of-work/context.ts'
import { conversations } from '../desk/conversations/entity.ts'
import { type Conversation, confirmedIds, findConversation } from '../desk/conversations/queries.ts'
import { tokenHolderOf } from '../vocabulary/principal.ts'
import { type Viewer, viewerOf } from './people/queries.ts'

/** A conversation and the person who asks for it. */
export type Seen = { conversation: Conversation; viewer: Viewer }

/** True if one of the ids of a person is the end user of the conversation or takes part in it. */
export const takesPart = (conversation: Conversation, isOne: (id: string) => boolean): boolean => {
  const { id } = conversation.end_user
  return (id !== null && isOne(id)) || confirmedIds(conversation).some(isOne)
}

function requirePart(conversation: Conversation | null, viewer: Viewer): Conversation {
  const isIn = viewer.only === null || viewer.only === conversation?.id
  if (conversation && isIn && takesPart(conversation, (id) => id === viewer.id)) return conversation
  throw new ApiError('not_found')
}

/** @throws ApiError `not_found`, the same for an unknown conversation and for one of somebody else */
export async function conversationOfMine(ctx: Ctx, id: string): Promise<Seen> {
  const [viewer, conversation] = await Promise.all([
    viewerOf(ctx),
    findConversation(ctx.db, ctx.env.tenantId, id),
  ])
  return { conversation: requirePart(conversation, viewer), viewer }
}

/** True if the conversation is one that the person may see. */
export const isMine = (ctx: Ctx, id: string): Promise<boolean> =>
  conversationOfMine(ctx, id).then(
    () => true,
    (error) => {
      if (error instanceof ApiError && error.code === 'not_found') return false
      throw error
    },
  )

/** The same, in order to change the conversation. */
export async function loadMine(change: Change, id: string): Promise<Seen> {
  const [viewer, conversation] = await Promise.all([
    viewerOf(change.ctx),
    change.rows.load(conversations, id),
  ])
  return { conversation: requirePart(conversation, viewer), viewer }
}

/** @throws ApiError `scope_missing` for a session that is bound to a conversation */
export function requireUnbound(ctx: Ctx): void {
  if (tokenHolderOf(ctx)!.conversationId === null) return
  const detail = 'This session is bound to one conversation, and cannot start others.'
  throw new ApiError('scope_missing', { reason: 'bound_session' }, { detail })
}

/** @throws ApiError `end_user_blocked` */
export function requireUnblocked(ctx: Ctx): void {
  if (tokenHolderOf(ctx)!.isBlocked) throw new ApiError('end_user_blocked')
}
