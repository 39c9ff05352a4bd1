import { setTimeout as sleep } from 'node:timers/promises'
import type { Outbound } from '../../../platform/jobs/catch-up.ts'
import { type Clock, type Instant, toInstant } from '../../../platform/kernel/clock.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { isLeased } from '../../../platform/postgres/leases.ts'
import { nextOutgoing } from './queries.ts'
import { outgoingWork } from './sender.ts'

const askAgainMs = 10
/** The time in which a process that sends begins, if there is one. */
const beginsWithinMs = 2_500

/**
 * Lets a clock that moves wait for the mails that fall due on the way. The regular sender sends them, perhaps in
 * another process; the wait has a time limit.
 */
export function mailsOf(database: Db, clock: Clock, wake: () => void): Outbound {
  /** The mails of an environment up to this time are not sent now. */
  const unsent = new Map<string, Instant>()
  return {
    async next(tenantId, until) {
      const at = await nextOutgoing(database.home(tenantId), tenantId)
      const skipped = unsent.get(tenantId)
      return at !== null && at <= until && (skipped === undefined || at > skipped) ? at : null
    },
    async sent(tenantId, until, giveUpAtMs) {
      const db = database.home(tenantId)
      const beginsUntil = performance.now() + beginsWithinMs
      wake()
      for (let isServed = false; performance.now() < giveUpAtMs; ) {
        const at = await nextOutgoing(db, tenantId)
        if (at === null || at > until) {
          unsent.delete(tenantId)
          return
        }
        isServed ||= await isLeased(db, tenantId, outgoingWork, toInstant(clock()))
        if (!isServed && performance.now() > beginsUntil) break
        await sleep(askAgainMs)
      }
      unsent.set(tenantId, until)
    },
  }
}
