import type { Db } from '../postgres/database.ts'
import type { Footprint } from './footprint.ts'
import { compilePlans, type WritePlan } from './plan.ts'

/** A transaction that was written. */
export type Written = {
  /** The number of requests or jobs that shared it. */
  changes: number
  /** The time until it was sent, in milliseconds. */
  waitedMs: number
}

/** The way in which plans may share a transaction with those of other requests. */
export type Sharing = {
  /** Plans whose footprints conflict are not written by one transaction. */
  footprint: Footprint
  /** True if the footprint names everything that is written: the plans may then be part of one statement. */
  byStatement: boolean
}

export type Committer = {
  /**
   * Writes plans of one environment as one transaction. Rejects with the error of these plans.
   * @returns null if there was nothing to write
   */
  commit(plans: WritePlan[], sharing?: Sharing): Promise<Written | null>
}

/** Writes each change with a transaction of its own. `group-commit.ts` shares transactions among requests. */
export const directCommitter = (db: Pick<Db, 'write'>): Committer => ({
  async commit(plans) {
    const [statement] = compilePlans([plans])
    if (!statement) return null
    await db.write(statement)
    return { changes: plans.length, waitedMs: 0 }
  },
})
