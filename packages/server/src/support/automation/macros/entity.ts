import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { findMacroByName, type Macro, macroTable, macroTableUncounted } from './queries.ts'
import { macroWire } from './schema.ts'

const events = ['macro.created', 'macro.updated', 'macro.deleted'] as const

export const macros: Entity<Macro, (typeof events)[number]> = {
  type: 'macro',
  prefix: declareIds('macro', 'mac'),
  events,
  table: macroTable,
  wire: macroWire,
  unique: { name: ({ name }, db, tenantId) => findMacroByName(db, tenantId, name) },
}

/** Macros that a change applies and neither shows nor updates. */
export const macrosInUse = { ...macros, table: macroTableUncounted }
