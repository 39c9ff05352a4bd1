import { justAfter, type Position } from '../../../platform/journal/positions.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { type AuditRow, type Block, countIds, everything, findEntries } from './queries.ts'
import { entryId, type Fault } from './schema.ts'
import type { Seal } from './seals.ts'

export const idOf = (row: AuditRow | null) => row && entryId(row.id)

/** The fault of a missing block: its entries have lost their seal, or are missing as well. */
export const missingBlock = (next: AuditRow | null, isOfBlock: (next: AuditRow) => boolean): Fault => ({
  entry_id: idOf(next),
  kind: next && isOfBlock(next) ? 'altered' : 'removed',
})

/** `row`: the entry in the place of `seals[i]`; null at the end of the block, which begins after `after`. */
type Mismatch = { seals: Seal[]; i: number; row: AuditRow | null; block: Block; after: Position | null }

/** Names the fault at the first place of a block where an entry differs from its seal. */
export async function nameFault(
  db: Db,
  tenantId: string,
  { seals, i, row, block, after }: Mismatch,
): Promise<Fault> {
  const seal = seals[i]
  if (!row) return { entry_id: idOf(await entryAfter(db, tenantId, block)), kind: 'removed' }
  const here = (kind: Fault['kind']): Fault => ({ entry_id: idOf(row), kind })
  if (!seal) return here('inserted')
  const counts = await countIds(db, tenantId, { after, before: justAfter(block) }, [row.id, seal.id])
  const place = seals.findIndex(({ id }) => id === row.id)
  const isCopy = counts.get(row.id)! > 1 || (place >= 0 && place < i)
  if (isCopy) return here('inserted')
  if (row.id === seal.id) return here('altered')
  const isElsewhere = counts.has(seal.id)
  if (place < 0 && isElsewhere) return here('inserted')
  if (place > i && !isElsewhere) return here('removed')
  return here('altered') // in the place of another one
}

/** The first entry after a place, sealed or not. */
export async function entryAfter(db: Db, tenantId: string, place: Position | null): Promise<AuditRow | null> {
  const range = { after: place, before: null }
  const [row] = await findEntries(db, tenantId, everything, range, 'forwards', { scan: 1, limit: 1 })
  return row ?? null
}
