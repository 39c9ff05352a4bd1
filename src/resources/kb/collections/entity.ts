import type { Entity } from '../../../db/change.ts'
import { type Collection, collectionTable } from './queries.ts'
import { collectionWire } from './schema.ts'

export const collections: Entity<Collection> = {
  type: 'kb_collection',
  table: collectionTable,
  wire: collectionWire,
}
