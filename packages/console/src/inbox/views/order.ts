import type { Conversation } from '@backline/sdk'
import type { Sort } from './built-in.ts'

const dueAt = ({ sla }: Conversation): string | null =>
  [sla?.first_response, sla?.next_response, sla?.resolution]
    .flatMap((clock) =>
      clock?.due_at && clock.met_at === null && clock.status !== 'cancelled' ? [clock.due_at] : [],
    )
    .sort()[0] ?? null

const sortedBy: Record<Sort, (conversation: Conversation) => string | null> = {
  '-created_at': ({ created_at }) => created_at,
  created_at: ({ created_at }) => created_at,
  '-updated_at': ({ updated_at }) => updated_at,
  '-last_message_at': ({ last_message_at }) => last_message_at,
  sla_due_at: dueAt,
}

/** The order of the server: those without a value come last. */
export function compareBy(sort: Sort): (a: Conversation, b: Conversation) => number {
  const read = sortedBy[sort]
  const direction = sort.startsWith('-') ? -1 : 1
  return (a, b) => {
    const [one, other] = [read(a), read(b)]
    if (one === other) return 0
    if (one === null || other === null) return one === null ? 1 : -1
    return one < other ? -direction : direction
  }
}
