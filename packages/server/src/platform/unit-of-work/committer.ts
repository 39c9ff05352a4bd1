import { latestTime } from '../journal/heads.ts'
import type { Db } from '../postgres/database.ts'
import { FailedStatement } from '../postgres/errors.ts'
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

/** A transaction failed because of one group of plans; `group` is null if that is unknown. */
export class FailedTransaction extends Error {
  override name = 'FailedTransaction'
  readonly group: number | null
  constructor(group: number | null, cause: unknown) {
    super('A transaction failed', { cause })
    this.group = group
  }
}

/**
 * Writes groups of plans of one environment as one transaction.
 * @returns false if there was nothing to write
 * @throws FailedTransaction
 */
export async function writeGroups(db: Pick<Db, 'home'>, groups: WritePlan[][]): Promise<boolean> {
  const home = db.home(groups[0]![0]!.tenantId)
  const compiled = compilePlans(groups, latestTime(home))
  const [first, ...others] = compiled.map(({ statement }) => statement)
  if (!first) return false
  try {
    await home.write(first, ...others)
    return true
  } catch (error) {
    if (error instanceof FailedStatement)
      throw new FailedTransaction(compiled[error.place]!.group, error.cause)
    throw new FailedTransaction(others.length === 0 ? compiled[0]!.group : null, error)
  }
}

/** Writes each change with a transaction of its own. `group-commit.ts` shares transactions among requests. */
export const directCommitter = (db: Pick<Db, 'home'>): Committer => ({
  async commit(plans) {
    try {
      return (await writeGroups(db, [plans])) ? { changes: plans.length, waitedMs: 0 } : null
    } catch (error) {
      throw error instanceof FailedTransaction ? error.cause : error
    }
  },
})
