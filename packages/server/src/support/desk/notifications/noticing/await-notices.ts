import type { Outbound } from '../../../../platform/jobs/catch-up.ts'
import { type ConsumerDeps, consumeAll } from '../../../../platform/jobs/consumer.ts'
import { noticingEvents } from './consumer.ts'

/**
 * Notices everything so far before a clock moves: a request after the move finds the notifications of what came before.
 * None of them falls due.
 */
export const noticesOf = (deps: Pick<ConsumerDeps, 'db' | 'context'>): Outbound => ({
  async next(tenantId, _, giveUpAtMs) {
    await consumeAll(deps, noticingEvents, tenantId, giveUpAtMs)
    return null
  },
  sent: async () => undefined,
})
