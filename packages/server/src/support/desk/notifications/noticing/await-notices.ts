import { type Outbound, waitUntil } from '../../../../platform/jobs/catch-up.ts'
import { endOfJournal } from '../../../../platform/journal/heads.ts'
import { type Clock, toInstant } from '../../../../platform/kernel/clock.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { isLeased } from '../../../../platform/postgres/leases.ts'
import { noticing } from '../queries.ts'
import { hasAnyOperator, isNoticed } from './queries.ts'

/**
 * Lets a clock that moves wait until everything so far has been noticed: a request after the move finds the
 * notifications of what came before. None of them falls due.
 */
export const noticesOf = (database: Db, clock: Clock): Outbound => ({
  async next(tenantId, _, giveUpAtMs) {
    const db = database.home(tenantId)
    if (
      !(await isLeased(db, tenantId, noticing, toInstant(clock()))) ||
      !(await hasAnyOperator(db, tenantId))
    )
      return null
    const end = await endOfJournal(db, tenantId)
    await waitUntil(() => isNoticed(db, tenantId, end), giveUpAtMs)
    return null
  },
  sent: async () => undefined,
})
