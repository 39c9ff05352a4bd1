import type { Includes } from '../../../platform/resource/resource.ts'
import { requireScopes } from '../../../platform/resource/scopes.ts'
import { conversationTable } from '../conversations/queries.ts'
import { conversationWire } from '../conversations/schema.ts'
import { messageTable } from '../messages/queries.ts'
import { messageWire } from '../messages/schema.ts'
import type { Notification } from './queries.ts'

const scopeOf = { conversation: 'conversations:read', message: 'messages:read' }

const without = (...ids: (string | null)[]) => [...new Set(ids.filter((id) => id !== null))]

export const includes: Includes<Notification> = {
  names: Object.keys(scopeOf),
  async of(ctx, rows, names) {
    const { db, env, principal } = ctx
    const [withConversation, withMessage] = [names.includes('conversation'), names.includes('message')]
    requireScopes(principal.allows, ...names.map((name) => scopeOf[name as keyof typeof scopeOf]))
    const conversationIds = without(...rows.map((row) => row.conversation_id))
    const messageIds = without(...rows.map((row) => row.message_id))
    const [conversations, messages] = await Promise.all([
      withConversation ? conversationTable.findMany(db, env.tenantId, conversationIds) : [],
      withMessage && messageIds.length > 0 ? messageTable.findMany(db, env.tenantId, messageIds) : [],
    ])
    const shown = new Map<string, object>([
      ...conversations.map((row) => [row.id, conversationWire.present(row, ctx.now())] as const),
      ...messages.map((row) => [row.id, messageWire.present(row)] as const),
    ])
    return rows.map((row) => ({
      ...row,
      included: {
        ...(withConversation ? { conversation: shown.get(row.conversation_id) ?? null } : {}),
        ...(withMessage ? { message: shown.get(row.message_id ?? '') ?? null } : {}),
      },
    }))
  },
}
