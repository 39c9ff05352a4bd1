import type { Event, Message } from '@backline/sdk'

type TimelineItem =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'message'; key: string; at: string; message: Message; follows: boolean }
  | { kind: 'event'; key: string; at: string; event: Event }

const togetherMs = 5 * 60_000

const isSameAuthor = (a: Message, b: Message): boolean =>
  a.author_side === b.author_side &&
  a.operator_id === b.operator_id &&
  a.author_end_user_id === b.author_end_user_id &&
  a.visibility === b.visibility

const dayOf = (at: string): string => new Date(at).toDateString()

/**
 * Messages and events in the order of time, with the days between them. Events before the oldest message that is loaded
 * wait for it, unless all messages are.
 */
export function timelineItems(newestFirst: Message[], events: Event[], isWhole: boolean): TimelineItem[] {
  const messages = newestFirst.toReversed()
  const from = isWhole ? '' : (messages[0]?.created_at ?? '')
  const shown = events.filter(({ created_at }) => created_at >= from)
  const items: TimelineItem[] = []
  let day = ''
  let before: Message | null = null
  const begin = (at: string) => {
    if (dayOf(at) === day) return
    day = dayOf(at)
    before = null
    items.push({ kind: 'day', key: day, at })
  }
  let e = 0
  const takeEvents = (until: string | null) => {
    for (; e < shown.length; e++) {
      const event = shown[e]!
      // A message stands before what it caused, and after the beginning of the conversation.
      if (until !== null && event.created_at >= until && event.type !== 'conversation.created') return
      begin(event.created_at)
      before = null
      items.push({ kind: 'event', key: event.id, at: event.created_at, event })
    }
  }
  for (const message of messages) {
    takeEvents(message.created_at)
    begin(message.created_at)
    const follows: boolean =
      before !== null &&
      isSameAuthor(before, message) &&
      Date.parse(message.created_at) - Date.parse((before as Message).created_at) < togetherMs
    items.push({ kind: 'message', key: message.id, at: message.created_at, message, follows })
    before = message
  }
  takeEvents(null)
  return items
}
