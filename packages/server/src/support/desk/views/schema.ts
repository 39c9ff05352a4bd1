import { typeId } from '../../../platform/kernel/ids.ts'
import { FilterTree } from '../../../platform/lists/parameters.ts'
import {
  Archived,
  DistinctIds,
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
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { faultsIn, faultsInSort, sortsOf, viewSubjects } from './filter.ts'
import type { View } from './queries.ts'

export const maxReordered = 500
const maxColumns = 50
const maxVisibleTo = 100

const AppliesTo = (notes = {}) =>
  Enum(viewSubjects, { description: 'The objects that the view lists; it never changes.', ...notes })

const sorts = [...new Set([...sortsOf.conversation, ...sortsOf.end_user])] as [string, ...string[]]
const sortNote = `The order of the items: one of ${sortsOf.conversation.map((sort) => `\`${sort}\``).join(', ')} for conversations, of ${sortsOf.end_user.map((sort) => `\`${sort}\``).join(', ')} for end users.`

const operatorIds = List(Id('op'), maxVisibleTo, {
  description: 'The operators who see the view.',
})
const departmentIds = List(Id('dept'), maxVisibleTo, {
  description: 'The departments whose members see the view.',
})
const visibilityNote =
  'Who sees the view; if both lists are empty, everyone. To a request for another operator, in the console or with `Backline-Operator`, the view does not exist, except that a request with the scope `views:write` finds views for departments alone. It does not restrict requests for no operator.'

const fields = {
  name: Name(100, { description: 'The name, unique regardless of case.' }),
  description: Nullable(Text(1, 500), { description: 'What the view is for.' }),
  filter: FilterTree(
    'The items are the objects that meet this filter. A condition on an operator can have the value `me`: the operator who reads the view.',
    (filter) => faultsIn(filter),
  ),
  columns: List(Text(1, 100), maxColumns, {
    description: 'The names of the columns that clients show, in this order. The server does not use them.',
  }),
}
const position = Int(0, 2147483647, { description: 'Sort position; lists begin with the lowest.' })
const Visibility = { operator_ids: Optional(operatorIds), department_ids: Optional(departmentIds) }

export const viewExample = {
  id: 'view_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'view',
  name: 'Unassigned',
  description: null,
  applies_to: 'conversation',
  filter: {
    all: [
      { field: 'status', op: 'in', value: ['new', 'open'] },
      { field: 'assignee_id', op: 'exists', value: false },
    ],
  },
  sort: '-created_at',
  columns: ['subject', 'priority', 'custom_fields.plan'],
  visibility: { operator_ids: [], department_ids: [] },
  position: 0,
  archived: false,
  broken: null,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

export const BrokenSchema = Shape(
  {
    pointer: Text(0, 8192, { description: 'The part of the filter, as a JSON Pointer relative to it.' }),
    detail: Text(1, 2000, { description: 'The fault in words, to be read after the name of the part.' }),
  },
  { title: 'BrokenFilter' },
)

export const viewWire = defineWire<View>({
  name: 'View',
  schema: Shape({
    id: Id('view'),
    object: Enum(['view']),
    ...fields,
    applies_to: AppliesTo(),
    sort: Enum(sorts, { description: sortNote }),
    visibility: Shape(
      { operator_ids: operatorIds, department_ids: departmentIds },
      { title: 'Visibility', description: visibilityNote },
    ),
    position,
    archived: Archived(),
    broken: Nullable(BrokenSchema, {
      description:
        'What is wrong with the filter since a later change, such as a custom field that was deleted; the items of the view are then an error (409). Null if nothing is. It changes without a new `version` and without an event, and a broken view has no `ETag`.',
    }),
    ...revision,
  }),
  example: viewExample,
  present: ({ operator_ids, department_ids, ...row }) => ({
    ...row,
    id: typeId('view', row.id),
    object: 'view',
    visibility: {
      operator_ids: operator_ids.map((id) => typeId('op', id)),
      department_ids: department_ids.map((id) => typeId('dept', id)),
    },
  }),
})

export const NewView = WithCheck(
  Shape({
    name: fields.name,
    description: Optional(fields.description),
    applies_to: Optional(AppliesTo({ default: 'conversation' })),
    filter: fields.filter,
    sort: Optional(Enum(sorts, { description: `${sortNote} Defaults to the first one.` })),
    columns: Optional(fields.columns),
    visibility: Optional(Shape(Visibility, { description: visibilityNote })),
    position: Optional(position),
    archived: Optional(Archived({ default: false })),
  }),
  ({ applies_to = 'conversation', filter, sort }) => [
    ...faultsIn(filter, applies_to).map((fault) => ({ ...fault, pointer: `/filter${fault.pointer}` })),
    ...faultsInSort(applies_to, sort),
  ],
  ['applies_to', 'filter', 'sort'],
)
export type NewView = Members<typeof NewView>

export const ViewPatch = PartialShape({
  name: fields.name,
  description: fields.description,
  filter: fields.filter,
  sort: Enum(sorts, { description: sortNote }),
  columns: fields.columns,
  visibility: Shape(Visibility, {
    description: `${visibilityNote} A list that is omitted stays.`,
  }),
  position,
  archived: Archived(),
})
export type ViewPatch = Members<typeof ViewPatch>

export const ViewFilters = Shape({
  operator_id: Optional(
    Id('op', {
      description:
        'Return only the views that this operator sees: those of everyone, of the operator, and of the departments that the operator is a member of.',
    }),
  ),
  applies_to: Optional(Enum(viewSubjects, { description: 'Return only views of these objects.' })),
})

export const ViewOrder = Shape({
  ids: DistinctIds('view', maxReordered, {
    minItems: 1,
    description:
      'The views to reorder. Their positions become 0, 1, 2 and so on; other views keep their positions.',
  }),
})
