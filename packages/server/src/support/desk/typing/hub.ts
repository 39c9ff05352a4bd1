import { hubsOf } from '../../../platform/journal/signals.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import type { Person } from '../conversations/lifecycle.ts'

/** Says of each side of a conversation whether it is typing. */
export const typingOf = hubsOf<Person, boolean>({
  name: 'typing',
  lastsMs: 8_000,
  end: false,
  present: ({ streamId, subject, state, expiresAt }) => ({
    conversation_id: typeId('conv', streamId),
    side: subject,
    typing: state,
    expires_at: expiresAt,
  }),
  read: ({ side, typing }) => ({ subject: side as Person, state: typing as boolean }),
})
