import type { Instant } from '../../../../platform/kernel/clock.ts'
import { typeId } from '../../../../platform/kernel/ids.ts'
import { Enum, Id, Int, Shape, Timestamp } from '../../../../platform/resource/schema.ts'
import { defineWire } from '../../../../platform/resource/wire.ts'

/** A recovery as its response shows it. */
export type BegunRecovery = { endpoint_id: string; since: Instant; events: number }

export const recoveryWire = defineWire<BegunRecovery>({
  name: 'WebhookRecovery',
  schema: Shape({
    object: Enum(['webhook_recovery']),
    endpoint_id: Id('whe', { description: 'The webhook endpoint.' }),
    since: Timestamp({ description: 'The time in the request, in UTC.' }),
    events: Int(0, Number.MAX_SAFE_INTEGER, {
      description:
        'The number of events that will be delivered. An endpoint with a `filter` receives those of them that match it.',
    }),
  }),
  example: {
    object: 'webhook_recovery',
    endpoint_id: 'whe_01kah1vgm0e1tbm5ye8n2m9q7c',
    since: '2026-11-18T22:00:00.000Z',
    events: 128,
  },
  present: (row) => ({ ...row, object: 'webhook_recovery', endpoint_id: typeId('whe', row.endpoint_id) }),
})

export const RecoveryRequest = Shape({
  since: Timestamp({
    description: 'Deliver events committed at or after this time, which must not be in the future.',
  }),
})
