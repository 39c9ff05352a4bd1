import {
  Email,
  Enum,
  Flag,
  Id,
  Int,
  type Members,
  Metadata,
  MetadataPatch,
  Name,
  Nullable,
  Optional,
  PartialShape,
  revision,
  Shape,
  Text,
  Timestamp,
} from '../../http/schema.ts'
import { defineWire } from '../../http/wire.ts'
import { typeId } from '../../lib/ids.ts'
import type { ConversationLoad } from '../conversations/routing/queries.ts'
import { type Department, strategies } from './queries.ts'

const strategy = Enum(strategies, {
  default: 'manual',
  description: 'Who gets a new conversation: nobody, the members in turn, or the one with the least load.',
})
const maxOpen = Nullable(Int(1, 1_000_000), {
  description:
    "How many of the department's open conversations routing gives to one member; `null` for any number.",
})

const fields = {
  name: Name(50, { description: 'Unique without regard to case.' }),
  description: Nullable(Text(1, 500)),
  email: Nullable(Email()),
  default_sla_config_id: Nullable(Id('sla'), {
    description: 'The SLA config of conversations that no other one is meant for.',
  }),
  fallback_department_id: Nullable(Id('dept'), {
    description: 'Where conversations go that nobody here can take.',
  }),
}

export const departmentExample = {
  id: 'dept_01kah1vgm0e1tbm5ye8n2m9q7d',
  object: 'department',
  name: 'Billing',
  description: 'Invoices, refunds and cards.',
  email: 'billing@example.com',
  default_sla_config_id: null,
  assignment: { strategy: 'round_robin', max_open_per_operator: 5 },
  fallback_department_id: null,
  archived: false,
  metadata: {},
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

export const departmentWire = defineWire<Department>({
  name: 'Department',
  schema: Shape({
    id: Id('dept'),
    object: Enum(['department']),
    ...fields,
    assignment: Shape({ strategy, max_open_per_operator: maxOpen }),
    archived: Flag(),
    metadata: Metadata(),
    ...revision,
  }),
  example: departmentExample,
  present: (row) => ({
    ...row,
    id: typeId('dept', row.id),
    object: 'department',
    default_sla_config_id: row.default_sla_config_id && typeId('sla', row.default_sla_config_id),
    fallback_department_id: row.fallback_department_id && typeId('dept', row.fallback_department_id),
  }),
})

export const NewDepartment = Shape({
  name: fields.name,
  description: Optional(fields.description),
  email: Optional(fields.email),
  default_sla_config_id: Optional(fields.default_sla_config_id),
  assignment: Optional(Shape({ strategy: Optional(strategy), max_open_per_operator: Optional(maxOpen) })),
  fallback_department_id: Optional(fields.fallback_department_id),
  metadata: Optional(Metadata()),
  archived: Optional(Flag({ default: false })),
})
export type NewDepartment = Members<typeof NewDepartment>

export const DepartmentPatch = PartialShape({
  ...fields,
  assignment: Nullable(PartialShape({ strategy: Nullable(strategy), max_open_per_operator: maxOpen }), {
    description: 'Merges member by member; `null` resets a member, or all, to what a new department has.',
  }),
  archived: Flag(),
  metadata: MetadataPatch(),
})
export type DepartmentPatch = Members<typeof DepartmentPatch>

export type Availability = ConversationLoad & {
  department_id: string
  operators: { online: number; away: number; busy: number; offline: number }
}

const count = Int(0, 2147483647)

export const availabilityWire = defineWire<Availability>({
  name: 'DepartmentAvailability',
  schema: Shape({
    object: Enum(['department_availability']),
    department_id: Id('dept'),
    operators: Shape({ online: count, away: count, busy: count, offline: count }),
    open_conversations: count,
    unassigned_conversations: count,
    oldest_unassigned_at: Nullable(Timestamp()),
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
