import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Archived,
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
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { claimOrders, type ClaimOrder as Order } from '../../vocabulary/conversations.ts'
import { type Department, strategies } from './queries.ts'

const strategy = Enum(strategies, {
  default: 'manual',
  description:
    'Routing of new conversations: `manual` assigns nobody, `round_robin` assigns members in turn, `least_busy` assigns the member with the fewest open conversations.',
})
const maxOpen = Nullable(Int(1, 1_000_000), {
  description:
    "The maximum number of the department's open conversations that routing assigns to one member; `null` means no limit.",
})

const assignmentNotes = {
  description: 'How conversations of the department are assigned to its members.',
}

const Public = (notes: { default?: boolean } = {}) =>
  Flag({ description: 'Whether an end user may choose the department for a new conversation.', ...notes })

const ClaimOrder = (notes: { default?: Order } = {}) =>
  Enum(claimOrders, {
    description:
      'The order in which `claim_next` offers the conversations of the department: `waiting` those that have waited longest first, `due` those with the earliest due time of a clock, `priority` those with the highest priority.',
    ...notes,
  })

const ReplyAssigns = (notes: { default?: boolean } = {}) =>
  Flag({
    description:
      'Whether an unassigned conversation of the department is assigned to the operator who replies to it publicly, or begins it.',
    ...notes,
  })

const fields = {
  name: Name(50, { description: 'The name, unique regardless of case.' }),
  description: Nullable(Text(1, 500), { description: 'What the department handles.' }),
  email: Nullable(Email(), { description: 'The address of the department. Backline sends no mail to it.' }),
  default_sla_config_id: Nullable(Id('sla'), {
    description: 'The SLA config for conversations that match no other SLA config.',
  }),
  fallback_department_id: Nullable(Id('dept'), {
    description:
      'The department whose members receive conversations while no member of this one is available; `department_id` of the conversation then changes.',
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
  claim_order: 'waiting',
  reply_assigns: false,
  public: false,
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
    assignment: Shape({ strategy, max_open_per_operator: maxOpen }, assignmentNotes),
    claim_order: ClaimOrder(),
    reply_assigns: ReplyAssigns(),
    public: Public(),
    archived: Archived(),
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
  assignment: Optional(
    Shape({ strategy: Optional(strategy), max_open_per_operator: Optional(maxOpen) }, assignmentNotes),
  ),
  fallback_department_id: Optional(fields.fallback_department_id),
  claim_order: Optional(ClaimOrder({ default: 'waiting' })),
  reply_assigns: Optional(ReplyAssigns({ default: false })),
  metadata: Optional(Metadata()),
  public: Optional(Public({ default: false })),
  archived: Optional(Archived({ default: false })),
})
export type NewDepartment = Members<typeof NewDepartment>

export const DepartmentPatch = PartialShape({
  ...fields,
  assignment: Nullable(PartialShape({ strategy: Nullable(strategy), max_open_per_operator: maxOpen }), {
    description: `${assignmentNotes.description} Merged field by field; \`null\` resets a field, or the whole object, to its default.`,
  }),
  claim_order: ClaimOrder(),
  reply_assigns: ReplyAssigns(),
  public: Public(),
  archived: Archived(),
  metadata: MetadataPatch(),
})
export type DepartmentPatch = Members<typeof DepartmentPatch>
