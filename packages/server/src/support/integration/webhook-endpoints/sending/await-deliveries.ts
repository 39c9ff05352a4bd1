import { type Outbound, waitUntil } from '../../../../platform/jobs/catch-up.ts'
import type { Commits } from '../../../../platform/journal/commits.ts'
import { endOfJournal } from '../../../../platform/journal/heads.ts'
import { type Clock, toInstant } from '../../../../platform/kernel/clock.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { isLeased } from '../../../../platform/postgres/leases.ts'
import { webhookWork } from './fan-out.ts'
import { isFannedOut, nextDelivery, subscribers } from './queries.ts'

/**
 * Lets a clock that moves wait for the deliveries that fall due on the way. The regular sender sends them, perhaps in
 * another process; the wait has a time limit.
 */
export const deliveriesOf = (database: Db, clock: Clock, commits: Commits): Outbound => ({
  async next(tenantId, until, giveUpAtMs) {
    const db = database.home(tenantId)
    if (
      !(await isLeased(db, tenantId, webhookWork, toInstant(clock()))) ||
      (await subscribers(db, tenantId)).length === 0
    )
      return null
    const end = await endOfJournal(db, tenantId)
    await waitUntil(() => isFannedOut(db, tenantId, webhookWork, end), giveUpAtMs)
    const at = await nextDelivery(db, tenantId)
    return at !== null && at <= until ? at : null
  },
  async sent(tenantId, until, giveUpAtMs) {
    const db = database.home(tenantId)
    commits.reportFollowers(tenantId) // the clock has moved
    await waitUntil(async () => {
      const at = await nextDelivery(db, tenantId)
      return at === null || at > until
    }, giveUpAtMs)
  },
})
