import type { Entity } from '../../db/change.ts'
import { type Tag, tagTable } from './queries.ts'
import { tagWire } from './schema.ts'

export const tags: Entity<Tag> = { type: 'tag', table: tagTable, wire: tagWire }
