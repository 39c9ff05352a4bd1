import type { Includes } from '../../../platform/resource/resource.ts'
import { requireScopes } from '../../../platform/resource/scopes.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { endUserTable } from '../../people/end-users/queries.ts'
import { endUserWire } from '../../people/end-users/schema.ts'
import { conversationTable } from '../conversations/queries.ts'
import { conversationWire } from '../conversations/schema.ts'
import { messageTable } from '../messages/queries.ts'
import { messageWire } from '../messages/schema.ts'
import type { Notification } from './queries.ts'

const scopeOf = {
  conversation: 'conversations:read',
  end_user: 'end_users:read',
  message: 'messages:read',
}
type Name = keyof typeof scopeOf

type Row = { id: string }

/** Reads rows by their ids, if there are any. @returns finds one of them */
async function find<Found extends Row>(
  { db, env }: Ctx,
  table: { findMany(db: Ctx['db'], tenantId: string, ids: string[]): Promise<Found[]> },
  ids: (string | null)[],
): Promise<(id: string | null | undefined) => Found | undefined> {
  const distinct = [...new Set(ids.filter((id) => id !== null))]
  const found = distinct.length === 0 ? [] : await table.findMany(db, env.tenantId, distinct)
  const byId = new Map(found.map((row) => [row.id, row]))
  return (id) => byId.get(id ?? '')
}

export const includes: Includes<Notification> = {
  names: Object.keys(scopeOf),
  async of(ctx, rows, names) {
    const wanted = names as Name[]
    requireScopes(ctx.principal.allows, ...wanted.map((name) => scopeOf[name]))
    const has = (name: Name) => wanted.includes(name)
    const ofConversation = has('conversation') || has('end_user')
    const [conversation, message] = await Promise.all([
      find(ctx, conversationTable, ofConversation ? rows.map((row) => row.conversation_id) : []),
      find(ctx, messageTable, has('message') ? rows.map((row) => row.message_id) : []),
    ])
    const personOf = (row: Notification) => conversation(row.conversation_id)?.end_user.id ?? null
    const person = await find(ctx, endUserTable, has('end_user') ? rows.map(personOf) : [])
    const shown: Record<Name, (row: Notification) => object | null> = {
      conversation({ conversation_id }) {
        const found = conversation(conversation_id)
        return found ? conversationWire.present(found, ctx.now()) : null
      },
      end_user(row) {
        const found = person(personOf(row))
        return found ? endUserWire.present(found, ctx.now()) : null
      },
      message({ message_id }) {
        const found = message(message_id)
        return found ? messageWire.present(found, ctx.now()) : null
      },
    }
    return rows.map((row) => ({
      ...row,
      included: Object.fromEntries(wanted.map((name) => [name, shown[name](row)])),
    }))
  },
}
