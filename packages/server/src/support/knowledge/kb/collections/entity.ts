import { declareIds } from '../../../../platform/kernel/ids.ts'
import type { Entity } from '../../../../platform/unit-of-work/entity.ts'
import { type Collection, collectionTable } from './queries.ts'
import { collectionWire } from './schema.ts'

export const collections: Entity<Collection> = {
  type: 'kb_collection',
  prefix: declareIds('kb_collection', 'kbc'),
  table: collectionTable,
  wire: collectionWire,
}
