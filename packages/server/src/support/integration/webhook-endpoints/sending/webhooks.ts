import { type ConsumerDeps, startConsumer } from '../../../../platform/jobs/consumer.ts'
import { openLeases } from '../../../../platform/jobs/leases.ts'
import type { QueueDeps } from './environment-queue.ts'
import { fanOut, webhookWork } from './fan-out.ts'
import { startSender } from './sender.ts'

/** Gives events out to endpoints and sends them, until it is stopped. */
export function startWebhooks(deps: ConsumerDeps & Omit<QueueDeps, 'leases'>): { stop(): Promise<void> } {
  const leases = openLeases(deps.db, deps.clock, webhookWork)
  const sender = startSender({ ...deps, leases })
  const following = startConsumer(deps, fanOut(sender.wake), leases)
  return {
    async stop() {
      await following.stop()
      await sender.stop()
      await deps.transport.close()
      await leases.returnAll()
    },
  }
}
