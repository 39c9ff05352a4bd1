import type { Ephemeral } from '../../../platform/journal/ephemeral.ts'
import { hubsOf } from '../../../platform/journal/signals.ts'
import { typeId } from '../../../platform/kernel/ids.ts'

/** States of an operator at a conversation; `away` ends the others. */
export const presences = ['viewing', 'replying', 'away'] as const
export type PresenceState = (typeof presences)[number]

/** Says which operators look at a conversation. The subjects are the ids of operators, as the API shows them. */
export const presenceOf = hubsOf<string, PresenceState>({
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
})

/** Has this process hear who is where from now on, before anybody asks it. */
export const startPresence = (services: { ephemeral: Ephemeral }): void => void presenceOf(services)
