import type { Instant } from '../../../platform/kernel/clock.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Enum,
  Id,
  Int,
  type Members,
  Nullable,
  Optional,
  Shape,
  Text,
  Timestamp,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { type Status, statuses } from './lifecycle.ts'
import type { OperatorStatus, Period } from './queries.ts'

const reason = Nullable(Text(1, 255), { description: 'A free-text reason for the status.' })

const shown = {
  object: Enum(['operator_status']),
  operator_id: Id('op', { description: 'The operator.' }),
  status: Enum(statuses, {
    description: 'The current status. Only online operators receive conversations by routing.',
  }),
  reason,
  since: Timestamp({ description: 'The time at which the status began.' }),
  until: Nullable(Timestamp(), {
    description: 'The time at which the status ends automatically; null if it does not.',
  }),
}
const afterwards = Nullable(Enum(statuses), {
  description: 'The status that follows at `until`; null if `until` is null.',
})
const load = {
  open_conversations: Int(0, 2147483647, {
    description: 'The number of assigned conversations that are new, open or pending.',
  }),
  capacity: Nullable(Int(0, 1_000_000), {
    description: 'The number of open conversations up to which routing assigns more; null means no limit.',
  }),
}

const presentStatus = (row: OperatorStatus) => ({
  object: 'operator_status',
  operator_id: typeId('op', row.id),
  status: row.status,
  reason: row.status_reason,
  since: row.status_since,
  until: row.status_until,
  then: row.status_then,
  open_conversations: row.open_conversations,
  capacity: row.capacity,
})

const entryExample = {
  object: 'operator_status',
  operator_id: 'op_01kah1vgm0e1tbm5ye8n2m9q7c',
  status: 'busy',
  reason: 'Training',
  since: '2026-11-20T09:30:00.000Z',
  until: '2026-11-20T11:00:00.000Z',
  open_conversations: 2,
  capacity: 5,
}

export const statusWire = defineWire<OperatorStatus>({
  name: 'OperatorStatus',
  schema: Shape({ ...shown, then: afterwards, ...load }),
  example: { ...entryExample, then: 'online' },
  present: presentStatus,
})

/** An operator in the list of current statuses. */
export const statusEntryWire = defineWire<OperatorStatus>({
  name: 'OperatorStatusEntry',
  schema: Shape({ ...shown, ...load }),
  example: entryExample,
  present: presentStatus,
})

export const NewStatus = WithCheck(
  Shape({
    status: Enum(statuses, { description: 'The new status.' }),
    reason: Optional(reason),
    until: Optional(
      Nullable(Timestamp(), { description: 'The time at which the status ends automatically.' }),
    ),
    then: Optional(
      Nullable(Enum(statuses), {
        description: 'The status that follows at `until`; defaults to `online`. Allowed only with `until`.',
      }),
    ),
  }),
  ({ until, then }) =>
    until == null && then != null
      ? [{ pointer: '/then', code: 'not_allowed', detail: 'requires until' }]
      : [],
  ['until', 'then'],
)
export type NewStatus = Members<typeof NewStatus>

export const Heartbeat = Shape({
  ttl_seconds: Optional(
    Int(1, 86_400, {
      default: 60,
      description: 'Seconds until the operator goes offline without another heartbeat.',
    }),
  ),
})
export type Heartbeat = Members<typeof Heartbeat>

export const StatusFilters = Shape({
  status: Optional(Enum(statuses, { description: 'Return only operators with this status.' })),
  department_id: Optional(Id('dept', { description: 'Return only members of this department.' })),
})

export const periodWire = defineWire<Period>({
  name: 'OperatorStatusPeriod',
  schema: Shape({
    status: Enum(statuses, { description: 'The status during the period.' }),
    reason,
    from: Timestamp({ description: 'The start of the period.' }),
    to: Nullable(Timestamp(), {
      description: 'The end of the period, where the next one begins; null for the current period.',
    }),
  }),
  example: {
    status: 'busy',
    reason: 'Training',
    from: '2026-11-20T09:30:00.000Z',
    to: '2026-11-20T11:00:00.000Z',
  },
  present: (row) => row,
})

export const SummaryWindow = Shape({
  from: Optional(
    Timestamp({
      description: 'Start of the window. Defaults to, and is never before, the creation of the operator.',
    }),
  ),
  to: Optional(
    Timestamp({ description: 'End of the window. Defaults to, and is never after, the current time.' }),
  ),
})
export type SummaryWindow = Members<typeof SummaryWindow>

export type Summary = { operator_id: string; from: Instant; to: Instant; seconds: Record<Status, number> }

const SecondsIn = (status: Status) =>
  Int(0, Number.MAX_SAFE_INTEGER, { description: `Seconds with the status \`${status}\`.` })

export const summaryWire = defineWire<Summary>({
  name: 'OperatorStatusSummary',
  schema: Shape({
    object: Enum(['operator_status_summary']),
    operator_id: Id('op', { description: 'The operator.' }),
    from: Timestamp({ description: 'The start of the window that was summed up.' }),
    to: Timestamp({ description: 'The end of the window that was summed up.' }),
    seconds: Shape(
      {
        online: SecondsIn('online'),
        away: SecondsIn('away'),
        busy: SecondsIn('busy'),
        offline: SecondsIn('offline'),
      },
      { description: 'Seconds spent in each status; they add up to the time between `from` and `to`.' },
    ),
  }),
  example: {
    object: 'operator_status_summary',
    operator_id: 'op_01kah1vgm0e1tbm5ye8n2m9q7c',
    from: '2026-11-20T09:00:00.000Z',
    to: '2026-11-20T17:00:00.000Z',
    seconds: { online: 23_400, away: 1_800, busy: 3_600, offline: 0 },
  },
  present: (row) => ({
    ...row,
    object: 'operator_status_summary',
    operator_id: typeId('op', row.operator_id),
  }),
})
