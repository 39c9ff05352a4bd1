import type { Ephemeral } from '../../../platform/journal/ephemeral.ts'
import { SignalHub, type SignalKind } from '../../../platform/journal/signals.ts'
import { typeId } from '../../../platform/kernel/ids.ts'

/** States of an operator at a conversation; `away` ends the others. */
export const presences = ['viewing', 'replying', 'away'] as const
export type PresenceState = (typeof presences)[number]

declare module '../../../platform/unit-of-work/context.ts' {
  interface Services {
    /** Says which operators look at a conversation. The subjects are the ids of operators, as the API shows them. */
    presence: SignalHub<string, PresenceState>
  }
}

const presence: SignalKind<string, PresenceState> = {
  name: 'presence',
  lastsMs: 30_000,
  end: 'away',
  present: ({ streamId, subject, state, expiresAt }) => ({
    conversation_id: typeId('conv', streamId),
    operator_id: subject,
    state,
    expires_at: expiresAt,
  }),
  read: ({ operator_id, state }) => ({ subject: operator_id as string, state: state as PresenceState }),
}

/** This process hears who is where from now on, before anybody asks it. */
export const openPresence = (ephemeral: Ephemeral): SignalHub<string, PresenceState> =>
  new SignalHub(presence, ephemeral)
