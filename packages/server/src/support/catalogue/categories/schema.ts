import { typeId, typeIdSuffixPattern } from '../../../platform/kernel/ids.ts'
import {
  Advised,
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
  Type,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { priorities } from '../../vocabulary/conversations.ts'
import { type Category, categoryTree } from './queries.ts'

const Position = (notes: { default?: number } = {}) =>
  Int(0, 2147483647, { description: 'Sort position; equal positions are sorted by name.', ...notes })

const Public = (notes: { default?: boolean } = {}) =>
  Flag({ description: 'Whether an end user may choose the category for a new conversation.', ...notes })

const fields = {
  name: Name(50, { description: 'The name, unique among siblings regardless of case.' }),
  parent_id: Nullable(Id('cat'), {
    description: `The parent category; null for a root. A tree has at most ${categoryTree.maxLevels} levels.`,
  }),
  position: Position(),
  default_department_id: Nullable(Id('dept'), {
    description: 'The department for conversations that are created in this category without a department.',
  }),
  default_priority: Nullable(Enum(priorities), {
    description: 'The priority of conversations that are created in this category without a priority.',
  }),
  description: Nullable(Text(1, 500), { description: 'What belongs in the category.' }),
  public: Public(),
}

export const categoryExample = {
  id: 'cat_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'category',
  name: 'Refunds',
  parent_id: 'cat_01kah1t3v8fk5s5m0q9e7p2wzr',
  position: 10,
  default_department_id: null,
  default_priority: 'high',
  description: null,
  public: false,
  archived: false,
  path: ['Billing', 'Refunds'],
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

export const categoryWire = defineWire<Category>({
  name: 'Category',
  schema: Shape({
    id: Id('cat'),
    object: Enum(['category']),
    ...fields,
    archived: Archived(),
    path: List(Name(50), categoryTree.maxLevels, {
      description: 'The names of the categories from the root down to this one.',
    }),
    ...revision,
  }),
  example: categoryExample,
  present: (row) => ({
    ...row,
    id: typeId('cat', row.id),
    object: 'category',
    parent_id: row.parent_id && typeId('cat', row.parent_id),
    default_department_id: row.default_department_id && typeId('dept', row.default_department_id),
  }),
})

const habits = { department_id: 'did you mean default_department_id?' }

export const NewCategory = Advised(
  Shape({
    name: fields.name,
    parent_id: Optional(fields.parent_id),
    position: Optional(Position({ default: 0 })),
    default_department_id: Optional(fields.default_department_id),
    default_priority: Optional(fields.default_priority),
    description: Optional(fields.description),
    public: Optional(Public({ default: false })),
    archived: Optional(Archived({ default: false })),
  }),
  habits,
)
export type NewCategory = Members<typeof NewCategory>

export const CategoryPatch = Advised(PartialShape({ ...fields, archived: Archived() }), habits)
export type CategoryPatch = Members<typeof CategoryPatch>

export const CategoryFilters = Shape({
  parent_id: Optional(
    Type.String({
      maxLength: 30,
      pattern: `^(none|cat_${typeIdSuffixPattern})$`,
      description: 'Return only direct children of this category; `none` returns the roots.',
      examples: ['none'],
    }),
  ),
})
