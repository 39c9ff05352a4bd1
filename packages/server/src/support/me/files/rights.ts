import { ApiError } from '../../../platform/kernel/errors.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { conversationsShowing, type FileRow } from '../../files/queries.ts'
import { idsOfEndUser } from '../../people/end-users/queries.ts'
import { tokenHolderOf } from '../../vocabulary/principal.ts'
import { isMine } from '../access.ts'

/**
 * Requires the right to read a file: that of a public message that the person may read. A file that only internal notes
 * or scheduled messages have is nobody's here. Until a message uses it, a file is its creator's.
 * @throws ApiError `not_found`
 */
export async function requireMine(ctx: Ctx, file: FileRow): Promise<void> {
  const { db, env } = ctx
  const { id } = tokenHolderOf(ctx)!
  if (file.conversation_id !== null) return requireShown(ctx, file)
  if (!file.in_knowledge_base && file.end_user_id !== null) {
    if (file.end_user_id === id) return
    if ((await idsOfEndUser(db, env.tenantId, id)).includes(file.end_user_id)) return
  }
  throw new ApiError('not_found')
}

/** A scheduled message moves with its conversation, so a file can be in another one than the one it belongs to. */
async function requireShown(ctx: Ctx, { id }: FileRow): Promise<void> {
  for (const conversationId of await conversationsShowing(ctx.db, ctx.env.tenantId, id))
    if (await isMine(ctx, conversationId)) return
  throw new ApiError('not_found')
}
