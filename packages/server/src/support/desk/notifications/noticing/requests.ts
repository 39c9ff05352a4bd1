import { isBefore, type Position } from '../../../../platform/journal/positions.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import type { EventToNotice } from './queries.ts'

/** The events about a conversation of one request, in their order. What the system does is a request for each event. */
export type NoticedRequest = {
  conversationId: string
  events: EventToNotice[]
  /** The operators in whose name it was: who it acted for, and the authors of its messages. */
  names: ReadonlySet<string>
}

export const operatorIn = (id: string | null | undefined): string | null =>
  id == null ? null : uuidOf('op', id)

/** An assignee or department of former values; undefined if it did not change. */
export const formerId = (json: string | null, prefix: string): string | null | undefined =>
  json === null ? undefined : json === 'null' ? null : uuidOf(prefix, JSON.parse(json))

const authorOf = ({ type, object }: EventToNotice): string | null =>
  type === 'message.created' && object?.author_side === 'operator' ? operatorIn(object.operator_id) : null

/** A request by its id. A scheduled message and what it causes have none, and the same time. */
const actOf = ({ request_id, stream_id, created_at }: EventToNotice) =>
  request_id ?? `${stream_id}/${created_at}`

export function requestsIn(events: EventToNotice[]): NoticedRequest[] {
  const names = new Map<string, Set<string>>()
  for (const event of events) {
    const act = actOf(event)
    const known = names.get(act) ?? new Set()
    names.set(act, known)
    for (const id of [operatorIn(event.operator_id), authorOf(event)]) if (id !== null) known.add(id)
  }
  const requests = new Map<string, NoticedRequest>()
  for (const event of events) {
    if (event.object === null) continue
    const key = event.request_id === null ? event.id : `${event.request_id}/${event.stream_id}`
    const known = requests.get(key)
    if (known) known.events.push(event)
    else
      requests.set(key, {
        conversationId: event.stream_id,
        events: [event],
        names: names.get(actOf(event))!,
      })
  }
  return [...requests.values()]
}

/**
 * The events of whole requests: those of the last one are left for the next batch if more may follow. A job has more
 * events than a batch; then its last conversation is left.
 */
export function wholeRequests(events: EventToNotice[], mayFollow: boolean): EventToNotice[] {
  const last = events.at(-1)
  if (!mayFollow || last?.request_id == null) return events
  const withoutLast = (member: 'request_id' | 'stream_id') =>
    events.slice(0, events.findLastIndex((event) => event[member] !== last[member]) + 1)
  return [withoutLast('request_id'), withoutLast('stream_id')].find(({ length }) => length > 0) ?? events
}

export const isUpTo = (position: Position, end: Position): boolean => !isBefore(end, position)
