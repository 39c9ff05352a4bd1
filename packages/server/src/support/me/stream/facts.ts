import { type Position, positionOf } from '../../../platform/journal/positions.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Status } from '../../desk/conversations/lifecycle.ts'
import { meStatusOf } from '../shapes/conversation.ts'

/** The part of an event that decides what end users learn of it. */
export type StreamedEvent = Position & {
  type: string
  /** The conversation. */
  stream_id: string
  resource_id: string
  /** JSON text; null for messages, which are read. */
  object: string | null
  /** JSON text. */
  previous: string
}

export const messageTypes = new Set(['message.created', 'message.updated', 'message.redacted'])
const conversationTypes = [
  'created',
  'updated',
  'assigned',
  'held',
  'resumed',
  'resolved',
  'reopened',
  'closed',
  'merged',
  'read',
].map((verb) => `conversation.${verb}`)
/** The types of events of which end users may learn. */
export const streamedTypes = new Set([...messageTypes, ...conversationTypes])

/** The change that a stream sends for an event. */
export type Fact = {
  position: Position
  type: 'message.created' | 'message.updated' | 'conversation.updated'
  conversationId: string
  /** The message; null for a change of the conversation. */
  messageId: string | null
  /** The only end users whom it concerns; null for all who may see the conversation. */
  onlyFor: string[] | null
}

type Snapshot = {
  end_user_id?: string | null
  participant_ids?: string[]
  /** Absent in events of earlier releases, in which all participants are confirmed. */
  participants?: { end_user_id: string; confirmed: boolean }[]
  status?: Status
  subject?: string | null
  assignee_id?: string | null
  unread_count?: { end_user: number }
}

/** The change that end users see; null if the event changed only what they do not see. */
export function factOf(event: StreamedEvent): Fact | null {
  const { type, stream_id: conversationId, resource_id: id } = event
  const fact = { position: positionOf(event), conversationId, onlyFor: null }
  if (messageTypes.has(type)) {
    const previous = JSON.parse(event.previous)
    if (type === 'message.created') return { ...fact, type, messageId: id }
    const isSeen = ['body', 'edited_at', 'redacted_at', 'attachments'].some((name) => name in previous)
    return isSeen ? { ...fact, type: 'message.updated', messageId: id } : null
  }
  if (!streamedTypes.has(type) || event.object === null) return null
  const change = { ...fact, type: 'conversation.updated' as const, messageId: null }
  if (type === 'conversation.created') return change
  const [now, previous]: Snapshot[] = [JSON.parse(event.object), JSON.parse(event.previous)]
  if (isSeen(now!, previous!)) return change
  const added = addedTo(now!, previous!)
  return added.length > 0 ? { ...change, onlyFor: added } : null
}

const isSeen = (now: Snapshot, previous: Snapshot): boolean =>
  'subject' in previous ||
  'assignee_id' in previous ||
  (previous.status !== undefined && meStatusOf(previous.status) !== meStatusOf(now.status!)) ||
  (previous.unread_count !== undefined && previous.unread_count.end_user !== now.unread_count!.end_user)

const confirmedIn = ({ participants, participant_ids }: Snapshot): string[] | undefined =>
  participants?.flatMap(({ end_user_id, confirmed }) => (confirmed ? [end_user_id] : [])) ?? participant_ids

function addedTo(now: Snapshot, previous: Snapshot): string[] {
  const present = confirmedIn(now) ?? []
  const former = confirmedIn(previous) ?? present
  return uuidsOf(present.filter((id) => !former.includes(id)))
}

/** The end users who may see a conversation, or the one of a session, by the object of its event. */
export function audienceIn(object: string): string[] {
  const snapshot = JSON.parse(object) as Snapshot
  const { end_user_id } = snapshot
  return uuidsOf([...(confirmedIn(snapshot) ?? []), ...(end_user_id ? [end_user_id] : [])])
}

/** The end user into whom another one was merged, by the object of the event. */
export const targetIn = (object: string): string | null =>
  uuidOf('eu', (JSON.parse(object) as { merged_into_id?: string }).merged_into_id ?? '')

const uuidsOf = (ids: string[]): string[] => ids.flatMap((id) => uuidOf('eu', id) ?? [])
