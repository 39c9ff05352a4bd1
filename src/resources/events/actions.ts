import type { Ctx } from '../../context.ts'
import type { Change } from '../../db/change.ts'
import { changesOf, erasedBetween } from '../../lib/audit-chain.ts'
import { uuidOf } from '../../lib/ids.ts'
import { findMessage } from '../messages/queries.ts'
import { type EventFilter, rewriteEvents, type StoredEvent } from './queries.ts'

/** By which stream the events of a resource are found: a message's by its conversation. */
export async function resourceFilter(ctx: Ctx, typeId: string | undefined): Promise<EventFilter['resource']> {
  if (typeId === undefined) return null
  const id = uuidOf(typeId.slice(0, typeId.lastIndexOf('_')), typeId)!
  if (!typeId.startsWith('msg_')) return { streamId: id, id }
  const message = await findMessage(ctx.db, ctx.env.tenantId, id)
  return { streamId: message?.conversation_id ?? id, id }
}

/**
 * Takes personal data out of events. The audit log stays provable: of what is not told any more as it was, a digest is
 * kept, that of the first time. An event that somebody else rewrites meanwhile, because its time in the feed is over, is
 * read again.
 * @param without a snapshot, a JSON text, without the data
 */
export function eraseFrom(
  change: Change,
  events: StoredEvent[],
  without: (snapshot: string) => string,
): void {
  for (const { epoch, xid, ordinal, object: was, ...event } of events) {
    const [object, previous] = [without(was), without(event.previous)]
    if (object === was && previous === event.previous) continue
    const digests = erasedBetween(
      changesOf({ object: was, previous: event.previous }),
      changesOf({ object, previous }),
    )
    const all = { ...digests, ...JSON.parse(event.erased ?? '{}') }
    const erased = Object.keys(all).length > 0 ? JSON.stringify(all) : null
    change.exactly(rewriteEvents, { epoch, xid, ordinal, was, object, previous, erased })
  }
}
