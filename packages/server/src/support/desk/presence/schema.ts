import type { Expiring, Signal } from '../../../platform/journal/signals.ts'
import { Enum, Id, Shape, Timestamp } from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { type PresenceState, presences } from './hub.ts'

export const PresenceReport = Shape({
  state: Enum(presences, {
    description:
      '`viewing`: looks at the conversation. `replying`: writes in it. `away`: does neither any more, from now on.',
  }),
})

export const presenceWire = defineWire<Expiring<Signal<string, PresenceState>>>({
  name: 'Presence',
  schema: Shape({
    object: Enum(['presence']),
    operator_id: Id('op', { description: 'The operator.' }),
    state: Enum(
      presences.filter((state) => state !== 'away'),
      { description: '`viewing`: looks at the conversation. `replying`: writes in it.' },
    ),
    expires_at: Timestamp({
      description: 'The time at which the state is over unless it is reported again, in real time.',
    }),
  }),
  example: {
    object: 'presence',
    operator_id: 'op_01kah1vgm0e1tbm5ye8n2m9q7c',
    state: 'replying',
    expires_at: '2026-11-20T09:30:30.000Z',
  },
  present: ({ subject, state, expiresAt }) => ({
    object: 'presence',
    operator_id: subject,
    state,
    expires_at: expiresAt,
  }),
})
