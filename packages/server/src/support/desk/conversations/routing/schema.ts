import { typeId } from '../../../../platform/kernel/ids.ts'
import { Enum, Id, Int, Nullable, Shape, Timestamp } from '../../../../platform/resource/schema.ts'
import { defineWire } from '../../../../platform/resource/wire.ts'
import type { ConversationLoad } from './queries.ts'

export type Availability = ConversationLoad & {
  department_id: string
  operators: { online: number; away: number; busy: number; offline: number }
}

const Count = (description: string) => Int(0, 2147483647, { description })

export const availabilityWire = defineWire<Availability>({
  name: 'DepartmentAvailability',
  schema: Shape({
    object: Enum(['department_availability']),
    department_id: Id('dept', { description: 'The department.' }),
    operators: Shape(
      {
        online: Count('Members who are online.'),
        away: Count('Members who are away.'),
        busy: Count('Members who are busy.'),
        offline: Count('Members who are offline.'),
      },
      { description: 'The number of members by status, without archived ones.' },
    ),
    open_conversations: Count('Conversations of the department that are new, open or pending.'),
    unassigned_conversations: Count('Those of the open conversations that have no assignee.'),
    oldest_unassigned_at: Nullable(Timestamp(), {
      description: 'The creation time of the oldest unassigned conversation; null if there is none.',
    }),
  }),
  example: {
    object: 'department_availability',
    department_id: 'dept_01kah1vgm0e1tbm5ye8n2m9q7d',
    operators: { online: 2, away: 1, busy: 0, offline: 4 },
    open_conversations: 11,
    unassigned_conversations: 1,
    oldest_unassigned_at: '2026-11-20T09:12:00.000Z',
  },
  present: (row) => ({
    ...row,
    object: 'department_availability',
    department_id: typeId('dept', row.department_id),
  }),
})
