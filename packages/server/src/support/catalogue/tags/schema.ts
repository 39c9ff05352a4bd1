import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Archived,
  Enum,
  Id,
  Int,
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
import type { Tag } from './queries.ts'

const fields = {
  name: Name(50, {
    description:
      'The name, unique regardless of case, also among archived tags and the former names of merged ones.',
  }),
  color: Nullable(Type.String({ maxLength: 7, pattern: '^#[0-9a-fA-F]{6}$', examples: ['#2f80ed'] }), {
    description: 'The color in which clients show the tag, as `#rrggbb`.',
  }),
  description: Nullable(Text(1, 500), { description: 'What the tag is for.' }),
}

export const tagExample = {
  id: 'tag_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'tag',
  name: 'billing',
  color: '#2f80ed',
  description: null,
  archived: false,
  merged_into_id: null,
  usage_count: 12,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

export const tagWire = defineWire<Tag>({
  name: 'Tag',
  schema: Shape({
    id: Id('tag'),
    object: Enum(['tag']),
    ...fields,
    archived: Archived(),
    merged_into_id: Nullable(Id('tag'), {
      description:
        'The tag this one was merged into. Set only in `tag.merged` events, as merged tags can no longer be read.',
    }),
    usage_count: Int(0, 2147483647, {
      description: 'The number of conversations with this tag. Does not increase `version`.',
    }),
    ...revision,
  }),
  example: tagExample,
  present: (row) => ({
    ...row,
    id: typeId('tag', row.id),
    object: 'tag',
    merged_into_id: row.merged_into_id && typeId('tag', row.merged_into_id),
  }),
})

export const NewTag = Shape({
  name: fields.name,
  color: Optional(fields.color),
  description: Optional(fields.description),
  archived: Optional(Archived({ default: false })),
})
export type NewTag = Members<typeof NewTag>

export const TagPatch = PartialShape({ ...fields, archived: Archived() })
export type TagPatch = Members<typeof TagPatch>

export const TagMerge = Shape({ into_id: Id('tag', { description: 'The tag to keep.' }) })
