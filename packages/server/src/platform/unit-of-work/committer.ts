import type { Db } from '../postgres/database.ts'
import type { Footprint } from './footprint.ts'
import { compilePlans, type WritePlan } from './plan.ts'

/** A statement that was written. */
export type Written = {
  /** The number of requests or jobs that shared it. */
  changes: number
  /** The time until it was sent, in milliseconds. */
  waitedMs: number
}

export type Committer = {
  /**
   * Writes plans of one environment as one transaction. Rejects with the error of these plans.
   * @param together the footprint of plans that may share a statement with those of other requests
   * @returns null if there was nothing to write
   */
  commit(plans: WritePlan[], together?: Footprint): Promise<Written | null>
}

/** Writes each change with a statement of its own. `group-commit.ts` shares statements among requests. */
export const directCommitter = (db: Pick<Db, 'write'>): Committer => ({
  async commit(plans) {
    const statement = compilePlans(plans)
    if (!statement) return null
    await db.write(statement)
    return { changes: plans.length, waitedMs: 0 }
  },
})
