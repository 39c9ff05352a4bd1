import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Archived,
  Email,
  Enum,
  Id,
  Int,
  List,
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
  TimeZone,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { roles } from '../../vocabulary/roles.ts'
import { statuses } from './lifecycle.ts'
import type { Operator } from './queries.ts'

const role = (notes: { default?: string } = {}) =>
  Enum(roles, {
    description:
      'The role in your team. It decides what the operator may do in the console, and has no effect on API keys. Giving or taking the role `lead` or `admin`, and changing `email` or `archived` of an operator who has one or deleting it, needs all scopes of that role: `*` for `admin`.',
    ...notes,
  })

const fields = {
  name: Name(100, { description: 'The name as end users may see it. Need not be unique.' }),
  email: Email({
    description: 'The e-mail address, unique regardless of case, also among archived operators.',
  }),
  external_id: Nullable(Text(1, 255), {
    description: "The operator's id in your system, unique among operators.",
  }),
  role: role({ default: 'agent' }),
  capacity: Nullable(Int(0, 1_000_000), {
    description:
      'The maximum number of open conversations that routing assigns to the operator at a time; `null` means no limit.',
  }),
  timezone: Nullable(TimeZone(), {
    description: 'The time zone of the operator as an IANA name, for your use: routing ignores it.',
  }),
}

export const operatorExample = {
  id: 'op_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'operator',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  external_id: null,
  role: 'agent',
  capacity: 5,
  timezone: 'Europe/London',
  status: 'online',
  department_ids: ['dept_01kah1vgm0e1tbm5ye8n2m9q7d'],
  open_conversations: 2,
  archived: false,
  metadata: {},
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
  version: 3,
}

export const operatorWire = defineWire<Operator>({
  name: 'Operator',
  schema: Shape({
    id: Id('op'),
    object: Enum(['operator']),
    ...fields,
    status: Enum(statuses, {
      description: "The operator's availability. Change it with `PUT /v1/operators/{id}/status`.",
    }),
    department_ids: List(Id('dept'), 10_000, { description: 'The departments the operator belongs to.' }),
    open_conversations: Int(0, 2147483647, {
      description:
        "The operator's load: the number of assigned conversations that are new, open or pending, across all departments.",
    }),
    archived: Archived(),
    metadata: Metadata(),
    ...revision,
  }),
  example: operatorExample,
  present: (row) => ({
    id: typeId('op', row.id),
    object: 'operator',
    name: row.name,
    email: row.email,
    external_id: row.external_id,
    role: row.role,
    capacity: row.capacity,
    timezone: row.timezone,
    status: row.status,
    department_ids: row.department_ids.map((id) => typeId('dept', id)),
    open_conversations: row.open_conversations,
    archived: row.archived,
    metadata: row.metadata,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
})

export const NewOperator = Shape({
  name: fields.name,
  email: fields.email,
  external_id: Optional(fields.external_id),
  role: Optional(fields.role),
  capacity: Optional(fields.capacity),
  timezone: Optional(fields.timezone),
  metadata: Optional(Metadata()),
  archived: Optional(Archived({ default: false })),
})
export type NewOperator = Members<typeof NewOperator>

export const OperatorPatch = PartialShape({ ...fields, archived: Archived(), metadata: MetadataPatch() })
export type OperatorPatch = Members<typeof OperatorPatch>

export const OperatorFilters = Shape({
  status: Optional(Enum(statuses, { description: 'Return only operators with this availability status.' })),
  role: Optional(Enum(roles, { description: 'Return only operators with this role.' })),
  email: Optional(
    Email({ description: 'Return only the operator with this e-mail address, regardless of case.' }),
  ),
  external_id: Optional(
    Text(1, 255, { description: 'Return only the operator with this `external_id`, an exact match.' }),
  ),
})
