import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Archived,
  Enum,
  Flag,
  Id,
  Int,
  List,
  type Members,
  Name,
  Nullable,
  Optional,
  PartialShape,
  revision,
  Shape,
  Text,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { type CustomField, endUserAccesses, indexStatusOf, types } from './queries.ts'
import { fieldKey } from './values/schema.ts'

export const subjects = ['conversation', 'end_user', 'company'] as const
const maxOptions = 200

const Option = Shape(
  {
    value: Name(100, { description: 'The value that objects store; it stays when the label changes.' }),
    label: Name(200, { description: 'What people read.' }),
    archived: Flag({
      description: 'Whether the option is archived: objects keep it, but it is not available for new values.',
    }),
  },
  { title: 'CustomFieldOption' },
)

const NewOption = Shape({
  value: Name(100, { description: 'The value that objects store; it stays when the label changes.' }),
  label: Optional(Name(200, { description: 'What people read; the value by default.' })),
  archived: Optional(
    Flag({ default: false, description: 'Whether the option is not available for new values.' }),
  ),
})

const settable = {
  name: Name(100, { description: 'The name that people read. Names need not be unique.' }),
  description: Nullable(Text(1, 500), { description: 'What the field is for.' }),
  required_on: Nullable(Enum(['create', 'resolve']), {
    description:
      'When a conversation must have a value: `create` for new conversations, `resolve` before a person or key resolves it; closing it without resolving it requires nothing. Null for never, and for fields of other objects.',
  }),
  end_user_access: Enum(endUserAccesses, {
    description:
      'What end users may do with the values in their own sessions: nothing, read them, or also write them.',
  }),
  indexed: Flag({
    description:
      'Whether filters find values by an index, which makes rare values fast to find. At most 20 fields of each kind of object.',
  }),
  position: Int(0, 2147483647, { description: 'Sort position; lists begin with the lowest.' }),
}

const fixed = {
  applies_to: Enum(subjects, { description: 'The objects that have the field. It cannot be changed.' }),
  key: fieldKey(
    'The name in `custom_fields` of objects, in filters and templates; unique for each kind of object. It cannot be changed.',
  ),
  type: Enum(types, { description: 'The type of the values. It cannot be changed.' }),
}

const optionsNote = 'The values of a `select` or `multi_select`; empty for other types.'

export const customFieldExample = {
  id: 'cf_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'custom_field',
  applies_to: 'conversation',
  key: 'plan',
  name: 'Plan',
  description: 'The plan of the customer',
  type: 'select',
  options: [
    { value: 'free', label: 'Free', archived: false },
    { value: 'pro', label: 'Pro', archived: false },
  ],
  required_on: null,
  end_user_access: 'none',
  indexed: true,
  index_status: 'ready',
  position: 0,
  archived: false,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

export const customFieldWire = defineWire<CustomField>({
  name: 'CustomField',
  schema: Shape({
    id: Id('cf'),
    object: Enum(['custom_field']),
    ...fixed,
    name: settable.name,
    description: settable.description,
    options: List(Option, maxOptions, { description: optionsNote }),
    required_on: settable.required_on,
    end_user_access: settable.end_user_access,
    indexed: settable.indexed,
    index_status: Enum(['none', 'building', 'ready'], {
      description:
        'Whether filters use the index: not before it is `ready`. It is built in the background while writes go on.',
    }),
    position: settable.position,
    archived: Archived(),
    ...revision,
  }),
  example: customFieldExample,
  present: (row) => ({
    id: typeId('cf', row.id),
    object: 'custom_field',
    applies_to: row.applies_to,
    key: row.key,
    name: row.name,
    description: row.description,
    type: row.type,
    options: row.options,
    required_on: row.required_on,
    end_user_access: row.end_user_access,
    indexed: row.indexed,
    index_status: indexStatusOf(row),
    position: row.position,
    archived: row.archived,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
})

export const NewCustomField = Shape({
  ...fixed,
  name: settable.name,
  description: Optional(settable.description),
  options: Optional(List(NewOption, maxOptions, { description: optionsNote })),
  required_on: Optional(settable.required_on),
  end_user_access: Optional(
    Enum(endUserAccesses, {
      default: 'none',
      description:
        'What end users may do with the values in their own sessions: nothing, read them, or also write them.',
    }),
  ),
  indexed: Optional(
    Flag({
      default: false,
      description: 'Whether filters find values by an index. At most 20 fields of each kind of object.',
    }),
  ),
  position: Optional(
    Int(0, 2147483647, { default: 0, description: 'Sort position; lists begin with the lowest.' }),
  ),
  archived: Optional(Archived({ default: false })),
})
export type NewCustomField = Members<typeof NewCustomField>

export const CustomFieldPatch = PartialShape({
  name: settable.name,
  description: settable.description,
  options: List(NewOption, maxOptions, {
    description:
      'Replaces the options. An option that is left out stays in objects that have it, and is not available for new values.',
  }),
  required_on: settable.required_on,
  end_user_access: settable.end_user_access,
  indexed: settable.indexed,
  position: settable.position,
  archived: Archived(),
})
export type CustomFieldPatch = Members<typeof CustomFieldPatch>

export const CustomFieldFilters = Shape({
  applies_to: Optional(Enum(subjects, { description: 'Return only fields of these objects.' })),
})
