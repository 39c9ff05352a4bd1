import { changesDigest, entryDigest, erasedBetween, isBlank } from '../../../platform/journal/audit-chain.ts'
import { type Position, positionOf } from '../../../platform/journal/positions.ts'
import { mapYielding } from '../../../platform/kernel/pause.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { eraseStoredBodies, storedBodies } from '../../../platform/unit-of-work/idempotency-keys.ts'
import { changesOf } from '../../vocabulary/changes.ts'
import { factsOf } from '../audit-log/schema.ts'
import { nextOfStream, rewriteEvents, type StreamEvent } from '../events/queries.ts'
import { type Attempt, eraseDeliveries, idsOfDeliveries } from '../webhook-endpoints/deliveries/queries.ts'
import { type ApiObject, emptied, emptiedWithin, type Meant } from './texts.ts'

/** Describes the data that is erased. */
export type Erasure = Meant & {
  /** The stream whose event tells of the erasure. */
  by: string
  /** The resource in that stream; by default the one that it is named after. */
  resource?: string
  /** Finds out which of some events are about what is erased. */
  about(change: Change, events: StreamEvent[]): Promise<(event: StreamEvent) => boolean>
  /** Did somebody send the request of the event whose address and client are erased, too? */
  isSender(event: StreamEvent): boolean
  /** True to erase idempotency keys from events, too: clients make them, perhaps of names. */
  erasesKeys?: true
}

/** Streams whose events are to be emptied, in order; those of the first are done up to a position. */
export type Walk = { streams: string[]; after: Position | null }

export type Emptied = { events: number; idempotency_keys: number; webhook_deliveries: number }

/** The events of one step, of as many streams as that takes. */
const eventsAtOnce = 250

/**
 * Empties the next events of some streams, and the stored responses of their requests and receivers' answers to them.
 * The events stay, with ids, times and statuses; the audit log stays verifiable (ADR 16).
 */
export async function emptyStreams(
  change: Change,
  { streams, after }: Walk,
  erasure: Erasure,
): Promise<{ walk: Walk; emptied: Emptied }> {
  const events: StreamEvent[] = []
  const visited: string[] = []
  let walk: Walk = { streams, after }
  while (walk.streams.length > 0 && events.length < eventsAtOnce) {
    const [stream, ...others] = walk.streams as [string, ...string[]]
    const room = eventsAtOnce - events.length
    const next = await nextOfStream(change.db, change.tenantId, stream, walk.after, room)
    events.push(...next.events)
    visited.push(stream)
    walk = next.hasMore
      ? { streams: walk.streams, after: positionOf(next.events.at(-1)!) }
      : { streams: others, after: null }
  }
  return { walk, emptied: await emptyEvents(change, events, visited, erasure) }
}

/** Empties events, and what was stored because of them. @param subjects further resources of stored responses */
export async function emptyEvents(
  change: Change,
  events: StreamEvent[],
  subjects: string[],
  erasure: Erasure,
): Promise<Emptied> {
  const { db, tenantId } = change
  const isAbout = await erasure.about(change, events)
  const rewritten = await mapYielding(events, (event) => rewritingOf(event, isAbout(event), erasure))
  const changed = rewritten.filter((each) => each !== null)
  for (const each of changed) change.effects.writeExpecting(rewriteEvents, each)

  const requests = events.flatMap(({ idempotency_key: key, request_id: requestId }) =>
    key !== null && requestId !== null ? [{ key, requestId }] : [],
  )
  const resources = [...new Set([...subjects, ...events.map(({ resource_id }) => resource_id)])]
  const responses = await storedBodies(db, tenantId, resources, requests)
  const eventIds = events.map(({ id }) => id)
  const deliveryIds = await idsOfDeliveries(db, tenantId, eventIds)
  const deliveries = await storedBodies(db, tenantId, deliveryIds, [])
  const emptiedResponses = await mapYielding(responses, ({ key, body }) => ({
    key,
    body: body === null ? null : JSON.stringify(emptiedWithin(JSON.parse(body), erasure)),
  }))
  const emptiedDeliveries = deliveries.map(({ key, body }) => ({ key, body: body && withoutAnswers(body) }))
  const bodies = [...emptiedResponses, ...emptiedDeliveries]
  if (bodies.length > 0) change.effects.write(eraseStoredBodies(tenantId, bodies))
  if (deliveryIds.length > 0) change.effects.write(eraseDeliveries(tenantId, eventIds, change.now))
  return { events: changed.length, idempotency_keys: bodies.length, webhook_deliveries: deliveryIds.length }
}

/** The event as it is then; null if it stays as it is. */
function rewritingOf(event: StreamEvent, isAbout: boolean, erasure: Erasure) {
  const { epoch, position, ordinal, object: was, related: relatedWas, audited, erased: erasedWas } = event
  const type = event.resource_type
  const values = { object: JSON.parse(was) as ApiObject, previous: JSON.parse(event.previous) as ApiObject }
  const before = changesOf({ object: was, previous: event.previous, audited })
  if (isAbout) {
    values.object = emptied(type, values.object)
    values.previous = emptied(type, values.previous)
  }
  values.object = emptiedWithin(values.object, erasure) as ApiObject
  if (erasure.without) values.previous = erasure.without(type, values.previous)
  const text = ({ object, previous }: typeof values) => ({
    object: JSON.stringify(object),
    previous: JSON.stringify(previous),
  })
  // The log counts the digest of a value only if nothing is left of it.
  const after = changesOf({ ...text(values), audited })
  for (const name of Object.keys(erasedBetween(before, after))) {
    const change = after[name]
    if (change === undefined || isBlank(change)) continue
    for (const side of [values.object, values.previous])
      if (Object.hasOwn(side, name)) side[name] = Array.isArray(side[name]) ? [] : null
  }
  const { object, previous } = text(values)
  const related = relatedWas && relatedOf(relatedWas, erasure)
  const digests = erasedBetween(before, changesOf({ object, previous, audited }))
  const hasSender = event.ip !== null || event.user_agent !== null
  const keepsSender = !(hasSender && erasure.isSender(event))
  const keepsKey = event.idempotency_key === null || !erasure.erasesKeys
  const isSame = object === was && previous === event.previous && related === relatedWas
  if (isSame && keepsSender && keepsKey) return null
  const { '*by': _, '*resource': __, ...known }: Record<string, string> = JSON.parse(erasedWas ?? '{}')
  const all = {
    ...digests,
    ...known,
    ...(keepsSender ? {} : { '*entry': digestOf(event) }),
  }
  const erased = Object.keys(all).length > 0 ? JSON.stringify({ ...all, ...toldBy(erasure) }) : null
  return { epoch, position, ordinal, was, object, previous, related, erased, keepsSender, keepsKey }
}

const toldBy = ({ by, resource }: Erasure) => ({
  '*by': by,
  ...(resource === undefined ? {} : { '*resource': resource }),
})

function relatedOf(text: string, { isMeant, without = (_, members) => members }: Erasure): string {
  const related = Object.entries(JSON.parse(text) as Record<string, ApiObject>)
  const emptiedOf = ([type, members]: [string, ApiObject]) =>
    without(type, isMeant({ ...members, object: type }) ? emptied(type, members) : members)
  return JSON.stringify(Object.fromEntries(related.map((each) => [each[0], emptiedOf(each)])))
}

const digestOf = (event: StreamEvent): string =>
  entryDigest(factsOf(event), changesDigest(changesOf(event), JSON.parse(event.erased ?? '{}'))).toString(
    'hex',
  )

/** A stored response with a delivery, without the receiver responses. */
export function withoutAnswers(text: string): string {
  const delivery = JSON.parse(text)
  const attempts = delivery.attempts.map((attempt: Attempt) =>
    attempt.response_body === null ? attempt : { ...attempt, response_body: '' },
  )
  return JSON.stringify({ ...delivery, attempts })
}
