import type { Db } from '../postgres/database.ts'
import type { Footprint } from './footprint.ts'
import { compilePlans, type WritePlan } from './plan.ts'

export type Committer = {
  /**
   * Writes plans of one environment as one transaction. Rejects with what is wrong with these plans.
   * @param together given when they may be written by one statement with plans of other requests: what they touch
   */
  commit(plans: WritePlan[], together?: Footprint): Promise<void>
}

/** Writes each change by a statement of its own. `group-commit.ts` shares statements among requests. */
export const directCommitter = (db: Pick<Db, 'write'>): Committer => ({
  async commit(plans) {
    const statement = compilePlans(plans)
    if (statement) await db.write(statement)
  },
})
