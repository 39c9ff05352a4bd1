import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../platform/kernel/json.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { erasures } from './entity.ts'
import type { ErasureRow } from './queries.ts'
import { erasureWire } from './schema.ts'
import type { ErasureState } from './state.ts'

/** Writes the certificate of an erasure that is complete. */
export function certify(
  change: Change,
  { end_user_id, mode, counts, audit_head_before }: ErasureState,
  found: Pick<ErasureRow, 'exports' | 'audit_head_after'>,
): ErasureRow {
  const unsigned = {
    ...change.stamp(),
    ...found,
    ...{ end_user_id, mode, counts, audit_head_before },
    completed_at: change.now,
    sha256: '',
  }
  return change.rows.create(erasures, { ...unsigned, sha256: digestOf(unsigned) }, null)
}

/** The digest of a certificate without the member that has it. */
export function digestOf(row: ErasureRow): string {
  const { sha256: _, ...shown } = erasureWire.present(row)
  return createHash('sha256').update(canonicalJson(shown)).digest('hex')
}
