import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import type { Conversation } from '../../conversations/queries.ts'
import { previewsOf } from './preview.ts'
import { lastMessagesIn } from './queries.ts'
import type { LastMessage } from './schema.ts'

/** The newest public messages of a page of conversations, by conversation; read by one statement. */
export async function lastMessagesOf(
  ctx: Ctx,
  conversations: Conversation[],
): Promise<Map<string, LastMessage>> {
  const ids = conversations.filter((each) => each.last_message_at !== null).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const found = await lastMessagesIn(ctx.db, ctx.env.tenantId, ids)
  const texts = await previewsOf(ctx, found)
  return new Map(
    found.map(({ conversation_id, body: _, body_format: _format, ...row }, i) => [
      conversation_id,
      { ...row, text: texts[i]! },
    ]),
  )
}
