import { type ConsumerDeps, startConsumer } from '../../../../platform/jobs/consumer.ts'
import { openLeases } from '../../../../platform/jobs/leases.ts'
import type { QueueDeps } from './environment-queue.ts'
import { fanOut, webhookWork } from './fan-out.ts'
import { startSender } from './sender.ts'

/** Starts the consumer that creates deliveries, and the sender. */
export function startWebhooks(deps: ConsumerDeps & Omit<QueueDeps, 'leases' | 'loop'>): {
  stop(): Promise<void>
} {
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
