import { changesOf, erasedBetween } from '../../../platform/journal/audit-chain.ts'
import { typeOfPrefix, uuidOf } from '../../../platform/kernel/ids.ts'
import { mapYielding } from '../../../platform/kernel/map-yielding.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { type EventFilter, rewriteEvents, type StoredEvent } from './queries.ts'

/** The filter for one resource. Its events are found by their stream: those of a message by its conversation. */
export async function resourceFilter(ctx: Ctx, typeId: string | undefined): Promise<EventFilter['resource']> {
  if (typeId === undefined) return null
  const prefix = typeId.slice(0, typeId.lastIndexOf('_'))
  const id = uuidOf(prefix, typeId)!
  const entity = ctx.writes.entities.of(typeOfPrefix(prefix))
  return { streamId: (await entity?.streamIdOf?.(ctx.db, ctx.env.tenantId, id)) ?? id, id }
}

/**
 * Erases personal data from events. The audit log stays verifiable: the digest of each erased value is stored, from
 * the first erasure on. An event that retention rewrites meanwhile is read again.
 * @param without returns a snapshot, a JSON text, without the data
 */
export async function eraseFrom(
  change: Change,
  events: StoredEvent[],
  without: (snapshot: string) => string,
): Promise<void> {
  await mapYielding(events, ({ epoch, xid, ordinal, object: was, ...event }) => {
    const [object, previous] = [without(was), without(event.previous)]
    if (object === was && previous === event.previous) return
    const digests = erasedBetween(
      changesOf({ object: was, previous: event.previous }),
      changesOf({ object, previous }),
    )
    const all = { ...digests, ...JSON.parse(event.erased ?? '{}') }
    const erased = Object.keys(all).length > 0 ? JSON.stringify(all) : null
    change.effects.writeExpecting(rewriteEvents, { epoch, xid, ordinal, was, object, previous, erased })
  })
}
