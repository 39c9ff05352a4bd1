import {
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
} from '../../http/schema.ts'
import { defineWire } from '../../http/wire.ts'
import { typeId, typeIdSuffixPattern } from '../../lib/ids.ts'
import { priorities } from '../conversations/schema.ts'
import { type Category, categoryTree } from './queries.ts'

const Position = (notes: { default?: number } = {}) =>
  Int(0, 2147483647, { description: 'Lists are in this order, equals by name.', ...notes })

const fields = {
  name: Name(50, { description: 'Unique among siblings without regard to case.' }),
  parent_id: Nullable(Id('cat'), {
    description: `Null for a root. A tree has up to ${categoryTree.maxLevels} levels.`,
  }),
  position: Position(),
  default_department_id: Nullable(Id('dept'), {
    description: 'Where conversations of this category go that are created without a department.',
  }),
  default_priority: Nullable(Enum(priorities), {
    description: 'What conversations of this category have that are created without a priority.',
  }),
  description: Nullable(Text(1, 500)),
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
    archived: Flag(),
    path: List(Name(50), categoryTree.maxLevels, {
      description: 'The names from the root on, its own last.',
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

export const NewCategory = Shape({
  name: fields.name,
  parent_id: Optional(fields.parent_id),
  position: Optional(Position({ default: 0 })),
  default_department_id: Optional(fields.default_department_id),
  default_priority: Optional(fields.default_priority),
  description: Optional(fields.description),
  archived: Optional(Flag({ default: false })),
})
export type NewCategory = Members<typeof NewCategory>

export const CategoryPatch = PartialShape({ ...fields, archived: Flag() })
export type CategoryPatch = Members<typeof CategoryPatch>

export const CategoryFilters = Shape({
  parent_id: Optional(
    Type.String({
      maxLength: 30,
      pattern: `^(none|cat_${typeIdSuffixPattern})$`,
      description: 'What is directly below this category; `none` for the roots.',
      examples: ['none'],
    }),
  ),
})
