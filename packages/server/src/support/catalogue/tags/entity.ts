import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Tag, tagTable } from './queries.ts'
import { tagWire } from './schema.ts'

export const tags: Entity<Tag> = {
  type: 'tag',
  prefix: declareIds('tag', 'tag'),
  table: tagTable,
  wire: tagWire,
}
