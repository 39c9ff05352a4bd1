import type { Ephemeral } from '../../../platform/journal/ephemeral.ts'
import { SignalHub, type SignalKind } from '../../../platform/journal/signals.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import type { Person } from '../conversations/lifecycle.ts'

declare module '../../../platform/unit-of-work/context.ts' {
  interface Services {
    /** Says of each side of a conversation whether it is typing. */
    typing: SignalHub<Person, boolean>
  }
}

const typing: SignalKind<Person, boolean> = {
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
}

export const openTyping = (ephemeral: Ephemeral): SignalHub<Person, boolean> =>
  new SignalHub(typing, ephemeral)
