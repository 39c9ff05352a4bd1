import { typeId, typeIdSuffixPattern } from '../../../../platform/kernel/ids.ts'
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
  Slug,
  Text,
  Type,
} from '../../../../platform/resource/schema.ts'
import { defineWire } from '../../../../platform/resource/wire.ts'
import { type Collection, collectionTree } from './queries.ts'

const Position = (notes: { default?: number } = {}) =>
  Int(0, 2147483647, { description: 'Sort position; equal positions are sorted by name.', ...notes })

const fields = {
  name: Name(100, { description: 'The name, unique among siblings regardless of case.' }),
  slug: Slug({
    description:
      'The URL segment of the collection, unique among siblings. Generated from the name if omitted.',
  }),
  parent_id: Nullable(Id('kbc'), {
    description: `The parent collection; null for a root. A tree has at most ${collectionTree.maxLevels} levels.`,
  }),
  position: Position(),
  description: Nullable(Text(1, 500), { description: 'What the collection is about.' }),
}

export const collectionExample = {
  id: 'kbc_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'kb_collection',
  name: 'Cards',
  slug: 'cards',
  parent_id: 'kbc_01kah1t3v8fk5s5m0q9e7p2wzr',
  position: 10,
  description: null,
  archived: false,
  article_count: 12,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

export const collectionWire = defineWire<Collection>({
  name: 'KbCollection',
  schema: Shape({
    id: Id('kbc'),
    object: Enum(['kb_collection']),
    ...fields,
    archived: Archived(),
    article_count: Int(0, 2147483647, {
      description:
        'The number of published articles in the collection, without its subcollections. Does not increase `version`.',
    }),
    ...revision,
  }),
  example: collectionExample,
  present: (row) => ({
    ...row,
    id: typeId('kbc', row.id),
    object: 'kb_collection',
    parent_id: row.parent_id && typeId('kbc', row.parent_id),
  }),
})

export const NewCollection = Shape({
  name: fields.name,
  slug: Optional(fields.slug),
  parent_id: Optional(fields.parent_id),
  position: Optional(Position({ default: 0 })),
  description: Optional(fields.description),
  archived: Optional(Archived({ default: false })),
})
export type NewCollection = Members<typeof NewCollection>

export const CollectionPatch = PartialShape({ ...fields, archived: Archived() })
export type CollectionPatch = Members<typeof CollectionPatch>

export const CollectionFilters = Shape({
  parent_id: Optional(
    Type.String({
      maxLength: 30,
      pattern: `^(none|kbc_${typeIdSuffixPattern})$`,
      description: 'Return only direct children of this collection; `none` returns the roots.',
      examples: ['none'],
    }),
  ),
  slug: Optional(
    Slug({ description: 'Return only collections with this slug, which is unique only among siblings.' }),
  ),
})
