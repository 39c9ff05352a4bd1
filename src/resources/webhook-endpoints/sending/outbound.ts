import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../db/database.ts'
import type { JournalReader } from '../../../db/journal-reader.ts'
import type { Outbound } from '../../../jobs/catch-up.ts'
import { webhookWork } from './fan-out.ts'
import { isGivenOut, nextDelivery, subscribers } from './queries.ts'

const askAgainMs = 10

/**
 * Lets one who moves an environment's clock wait for what is to be sent on the way. It is sent by whoever sends
 * always, perhaps in another process; so it is waited for, and no longer than patience lasts.
 */
export const outbound = (db: Db, reader: JournalReader): Outbound => ({
  async next(tenantId, until, patienceMs) {
    if ((await subscribers(db, tenantId)).length === 0) return null
    const horizon = await reader.caughtUp(patienceMs)
    await waitUntil(() => isGivenOut(db, tenantId, webhookWork, horizon), patienceMs)
    const at = await nextDelivery(db, tenantId)
    return at !== null && at <= until ? at : null
  },
  async sent(tenantId, until, patienceMs) {
    reader.ring(tenantId) // the clock has moved
    await waitUntil(async () => {
      const at = await nextDelivery(db, tenantId)
      return at === null || at > until
    }, patienceMs)
  },
})

async function waitUntil(done: () => Promise<boolean>, patienceMs: number): Promise<void> {
  const giveUpAt = performance.now() + patienceMs
  while (!(await done()) && performance.now() < giveUpAt) await sleep(askAgainMs)
}
