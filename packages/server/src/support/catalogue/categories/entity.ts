import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Category, categoryTable } from './queries.ts'
import { categoryWire } from './schema.ts'

export const categories: Entity<Category> = { type: 'category', table: categoryTable, wire: categoryWire }
