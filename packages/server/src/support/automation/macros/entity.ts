import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Macro, macroTable, macroTableUncounted } from './queries.ts'
import { macroWire } from './schema.ts'

export const macros: Entity<Macro> = { type: 'macro', table: macroTable, wire: macroWire }

/** Macros that a change applies and neither shows nor updates. */
export const macrosInUse = { ...macros, table: macroTableUncounted }
