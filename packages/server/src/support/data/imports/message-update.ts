import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { textOf } from '../../desk/messages/html.ts'
import { type Message, messageTable } from '../../desk/messages/queries.ts'
import { instantOf, type MessageLine } from './conversation-schema.ts'

/**
 * Gives a message that exists the text and metadata of a line. It has no revision: the source has the former text.
 * @returns the message; null if it stays as it is
 */
export async function rewriteMessage(
  change: Change,
  ctx: Ctx,
  id: string,
  line: MessageLine,
): Promise<Message | null> {
  const message = await messageTable.find(change.db, change.tenantId, id)
  if (!message || message.redacted_at !== null) return null
  const { attachments, author_side, body, body_format } = message
  const text = await textOf(ctx, { attachments, author_side, body: line.body ?? body, body_format })
  const patch = {
    ...text,
    metadata: { ...message.metadata, ...line.metadata },
    edited_at: line.edited_at === undefined ? message.edited_at : instantOf(line.edited_at),
  }
  const isSame =
    patch.body === body &&
    patch.edited_at === message.edited_at &&
    JSON.stringify(patch.metadata) === JSON.stringify(message.metadata)
  if (isSame) return null
  const rewritten = { ...message, ...patch, updated_at: change.now, version: message.version + 1 }
  change.effects.writeExpecting(messageTable.update, rewritten)
  return rewritten
}
