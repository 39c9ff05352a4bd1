import { declareIds } from '../../../../platform/kernel/ids.ts'
import type { Entity } from '../../../../platform/unit-of-work/entity.ts'
import { type Collection, collectionTable } from './queries.ts'
import { collectionWire } from './schema.ts'

const events = ['kb_collection.created', 'kb_collection.updated', 'kb_collection.deleted'] as const

export const collections: Entity<Collection, (typeof events)[number]> = {
  type: 'kb_collection',
  prefix: declareIds('kb_collection', 'kbc'),
  events,
  table: collectionTable,
  wire: collectionWire,
}
