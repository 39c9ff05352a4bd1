import { typeId } from '../../../../platform/kernel/ids.ts'
import {
  Enum,
  Flag,
  List,
  type Members,
  Optional,
  Shape,
  type Static,
  Tagged,
  Timestamp,
} from '../../../../platform/resource/schema.ts'
import { defineWire } from '../../../../platform/resource/wire.ts'
import type { Reports } from '../../../sla/clocks/report.ts'
import type { SlaConfig } from '../../../sla/sla-configs/queries.ts'
import { StartTime } from '../../../sla/sla-configs/times.ts'
import { priorities } from '../../../vocabulary/conversations.ts'
import { SlaSchema, slaExample } from '../sla-schema.ts'

const maxEvents = 10_000

const at = { at: Timestamp({ description: 'The time of the event, not before the one before it.' }) }
const Event = Tagged('type', {
  operator_reply: at,
  end_user_reply: at,
  hold: {
    ...at,
    pauses_sla: Optional(
      Flag({
        default: true,
        description: 'Whether clocks pause during the hold, as set by its hold reason.',
      }),
    ),
  },
  resume: at,
  resolve: at,
  reopen: at,
})
export type SimulatedEvent = Static<typeof Event>

export const Simulation = Shape({
  started_at: StartTime({
    description: 'The time at which an end user opens the conversation, from 1970 to 2199.',
  }),
  priority: Optional(
    Enum(priorities, { default: 'normal', description: 'The priority, which selects the targets.' }),
  ),
  events: Optional(
    List(Event, maxEvents, {
      description:
        'Events of the conversation, ordered by time. An event that the status does not allow has no effect; replies change the status as messages do.',
    }),
  ),
  as_of: Optional(
    Timestamp({
      description:
        'The time at which the clocks are evaluated, at most a hundred years after `started_at`. Defaults to the current time.',
    }),
  ),
})
export type Simulation = Members<typeof Simulation>

export const simulationExample = {
  started_at: '2026-11-20T09:30:00Z',
  priority: 'normal',
  events: [{ at: '2026-11-20T09:35:00Z', type: 'hold', pauses_sla: false }],
  as_of: '2026-11-20T09:45:00Z',
} as const

export type Simulated = { config: SlaConfig; reports: Reports }

export const simulatedWire = defineWire<Simulated>({
  name: 'Sla',
  schema: SlaSchema,
  example: slaExample,
  present: ({ config, reports }) => ({
    sla_config_id: typeId('sla', config.id),
    sla_config_version: config.version,
    ...reports,
  }),
})
