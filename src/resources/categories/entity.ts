import type { Entity } from '../../db/change.ts'
import { type Category, categoryTable } from './queries.ts'
import { categoryWire } from './schema.ts'

export const categories: Entity<Category> = { type: 'category', table: categoryTable, wire: categoryWire }
