import type { Ctx } from '../../context.ts'
import { uuidOf } from '../../lib/ids.ts'
import { findMessage } from '../messages/queries.ts'
import type { EventFilter } from './queries.ts'

/** By which stream the events of a resource are found: a message's by its conversation. */
export async function resourceFilter(ctx: Ctx, typeId: string | undefined): Promise<EventFilter['resource']> {
  if (typeId === undefined) return null
  const id = uuidOf(typeId.slice(0, typeId.lastIndexOf('_')), typeId)!
  if (!typeId.startsWith('msg_')) return { streamId: id, id }
  const message = await findMessage(ctx.db, ctx.env.tenantId, id)
  return { streamId: message?.conversation_id ?? id, id }
}
