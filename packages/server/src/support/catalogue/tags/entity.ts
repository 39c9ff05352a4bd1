import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Tag, tagTable } from './queries.ts'
import { tagWire } from './schema.ts'

const events = ['tag.created', 'tag.updated', 'tag.merged', 'tag.deleted'] as const

export const tags: Entity<Tag, (typeof events)[number]> = {
  type: 'tag',
  prefix: declareIds('tag', 'tag'),
  events,
  table: tagTable,
  wire: tagWire,
}
