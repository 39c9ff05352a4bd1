import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Archived,
  Enum,
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
  Timestamp,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { Action, faultsInText, NewAction } from './action-schema.ts'
import type { Macro } from './queries.ts'

export const maxActions = 20

const fields = {
  name: Name(50, { description: 'The name, unique regardless of case.' }),
  description: Nullable(Text(1, 500), { description: 'When to use the macro.' }),
}
const departmentIds = List(Id('dept'), 100, {
  description:
    'The departments whose conversations the macro can be applied to; empty means all conversations.',
})
const position = Int(0, 2147483647, { description: 'Sort position; lists begin with the lowest.' })
/** Actions in a request. */
export const NewActions = (description: string) =>
  List(WithCheck(NewAction, faultsInText), maxActions, { minItems: 1, description })
const actions = NewActions('The actions of the macro, performed in this order.')

export const macroExample = {
  id: 'mac_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'macro',
  name: 'Refund is on its way',
  description: null,
  actions: [
    { type: 'set_priority', priority: 'low' },
    { type: 'add_tags', tags: ['refund'] },
    { type: 'reply', body: 'Your refund is on its way.', template_id: null, set_status: 'resolved' },
  ],
  department_ids: [],
  position: 10,
  archived: false,
  usage_count: 12,
  last_used_at: '2026-11-20T11:02:00.000Z',
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

export const macroWire = defineWire<Macro>({
  name: 'Macro',
  schema: Shape({
    id: Id('mac'),
    object: Enum(['macro']),
    ...fields,
    actions: List(Action, maxActions, {
      minItems: 1,
      description: 'The actions of the macro, performed in this order.',
    }),
    department_ids: departmentIds,
    position,
    archived: Archived(),
    usage_count: Int(0, Number.MAX_SAFE_INTEGER, {
      description: 'The number of times the macro was applied. Does not increase `version`.',
    }),
    last_used_at: Nullable(Timestamp(), {
      description: 'The time at which the macro was last applied; null if never.',
    }),
    ...revision,
  }),
  example: macroExample,
  present: (row) => ({
    ...row,
    id: typeId('mac', row.id),
    object: 'macro',
    department_ids: row.department_ids.map((id) => typeId('dept', id)),
  }),
})

export const NewMacro = Shape({
  name: fields.name,
  description: Optional(fields.description),
  actions,
  department_ids: Optional(departmentIds),
  position: Optional(
    Int(0, 2147483647, { default: 0, description: 'Sort position; lists begin with the lowest.' }),
  ),
  archived: Optional(Archived({ default: false })),
})
export type NewMacro = Members<typeof NewMacro>

export const MacroPatch = PartialShape({
  ...fields,
  actions,
  department_ids: departmentIds,
  position,
  archived: Archived(),
})
export type MacroPatch = Members<typeof MacroPatch>

export const MacroFilters = Shape({
  department_id: Optional(
    Id('dept', {
      description:
        'Return only macros that can be applied to conversations of this department, those for all departments included.',
    }),
  ),
})
