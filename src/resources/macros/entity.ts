import type { Entity } from '../../db/change.ts'
import { type Macro, macroTable } from './queries.ts'
import { macroWire } from './schema.ts'

export const macros: Entity<Macro> = { type: 'macro', table: macroTable, wire: macroWire }
