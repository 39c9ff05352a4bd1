import { erasedBetween } from '../../../platform/journal/audit-chain.ts'
import { justAfter } from '../../../platform/journal/positions.ts'
import { toInstant } from '../../../platform/kernel/clock.ts'
import { typeOfPrefix, unixMsOf, uuidOf } from '../../../platform/kernel/ids.ts'
import { mapYielding } from '../../../platform/kernel/pause.ts'
import type { EventAccess } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { changesOf } from '../../vocabulary/changes.ts'
import { consoleSessionIdOf } from '../../vocabulary/principal.ts'
import {
  type EventFilter,
  type EventRow,
  findEvent,
  positionAt,
  type Readable,
  rewriteEvents,
  type StoredEvent,
} from './queries.ts'

/**
 * The events of some types that a request may read: in the console those that the operator may read elsewhere. Keys
 * with `events:read` read all events.
 * @param types null means all
 */
export function readable(ctx: Pick<Ctx, 'principal'>, types: string[] | null, access: EventAccess): Readable {
  const { allows, actor } = ctx.principal
  if (consoleSessionIdOf(ctx) === null) return { types, reader: null }
  const isReadable = (name: string) => (access.get(name.split('.')[0]!)?.scopes ?? ['*']).every(allows)
  const all = [...access.keys()].map((each) => `${each}.*`)
  const onlyFor = new Map([...access].flatMap(([type, { onlyFor }]) => (onlyFor ? [[type, onlyFor]] : [])))
  return {
    types: all.every(isReadable) ? types : (types ?? all).filter(isReadable),
    reader: { operatorId: actor.operator_id!, onlyFor },
  }
}

/** The filter of query parameters. */
export async function filterOf(
  ctx: Ctx,
  readable: Readable,
  { resource_id, conversation_id }: { resource_id?: string; conversation_id?: string },
): Promise<EventFilter> {
  const conversation = conversation_id === undefined ? null : uuidOf('conv', conversation_id)!
  if (resource_id === undefined) return { ...readable, streamId: conversation, resourceId: null }
  const { streamId, id } = await subjectOf(ctx, resource_id)
  return { ...readable, streamId: conversation ?? streamId, resourceId: id }
}

/** A resource and the stream by which its events are found: that of a message is its conversation. */
export async function subjectOf(ctx: Ctx, typeId: string): Promise<{ streamId: string; id: string }> {
  const prefix = typeId.slice(0, typeId.lastIndexOf('_'))
  const id = uuidOf(prefix, typeId)!
  const entity = ctx.writes.entities.of(typeOfPrefix(prefix))
  return { streamId: (await entity?.streamIdOf?.(ctx.db, ctx.env.tenantId, id)) ?? id, id }
}

/** PostgreSQL does not parse our format of years with five digits. */
const lastMs = Date.UTC(9999, 0)

/** Almost all events are in order within two seconds: few rows. A minute is always enough. */
const disorders = [2_000, 60_000]

/** Finds an event by id. The id has no index, but it contains the event's time, whose position is searched. */
export async function eventById({ db, env }: Ctx, id: string): Promise<EventRow | null> {
  const atMs = unixMsOf(id)
  if (atMs > lastMs) return null
  for (const disorderMs of disorders) {
    const near = (unixMs: number) => positionAt(db, env.tenantId, toInstant(unixMs), disorderMs)
    const [from, last] = await Promise.all([near(atMs), near(atMs + 1 + 2 * disorderMs)])
    const event = await findEvent(db, env, id, from, justAfter(last))
    if (event) return event
  }
  return null
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
  await mapYielding(events, ({ epoch, position, ordinal, object: was, audited, related, ...event }) => {
    const [object, previous] = [without(was), without(event.previous)]
    if (object === was && previous === event.previous) return
    const digests = erasedBetween(
      changesOf({ object: was, previous: event.previous, audited }),
      changesOf({ object, previous, audited }),
    )
    const all = { ...digests, ...JSON.parse(event.erased ?? '{}') }
    const erased = Object.keys(all).length > 0 ? JSON.stringify(all) : null
    change.effects.writeExpecting(rewriteEvents, {
      ...{ epoch, position, ordinal, was, object, previous, related, erased },
      keepsSender: true,
      keepsKey: true,
    })
  })
}
