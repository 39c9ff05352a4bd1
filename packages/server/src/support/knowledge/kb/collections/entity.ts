import type { Entity } from '../../../../platform/unit-of-work/entity.ts'
import { type Collection, collectionTable } from './queries.ts'
import { collectionWire } from './schema.ts'

export const collections: Entity<Collection> = {
  type: 'kb_collection',
  table: collectionTable,
  wire: collectionWire,
}
