import { type AppDeps, dueDeps } from './app.ts'
import type { Config } from './config.ts'
import { startDueLoop } from './jobs/due-loop.ts'
import { startFollowing } from './jobs/follow.ts'
import { startHousekeeping } from './jobs/housekeeping.ts'
import { addressList } from './lib/networks.ts'
import { auditSealing } from './resources/audit-log/sealing.ts'
import { mostRequests } from './resources/webhook-endpoints/sending/sender.ts'
import { startWebhooks } from './resources/webhook-endpoints/sending/webhooks.ts'
import { openTransport } from './resources/webhook-endpoints/transport.ts'
import { allEnvironments } from './resources/workspace/queries.ts'

export type Work = {
  /** Work was appointed for this moment (real time, epoch ms). */
  wakeAt(epochMs: number): void
  /** Finishes what is under way, and hands back what it has taken. */
  stop(): Promise<void>
}

type WorkDeps = Pick<AppDeps, 'db' | 'clock' | 'log' | 'resources' | 'journal' | 'secretBox'> & {
  config: Pick<Config, 'idempotencyRetentionHours' | 'webhookAllowedNetworks' | 'webhookRetrySeconds'>
}

/** All that a process does by itself, besides answering requests. Any number of processes may. */
export function startWork(deps: WorkDeps): Work {
  const { config, db, clock, log, secretBox } = deps
  const due = dueDeps(deps)
  const loop = startDueLoop(due)
  const transport = openTransport({
    allowed: addressList(config.webhookAllowedNetworks),
    // The sender sees to each endpoint's share; customers of one provider share an origin.
    limits: { connectionsPerOrigin: mostRequests.all },
  })
  const following = { ...due, reader: deps.journal }
  const parts = [
    loop,
    startFollowing(following, auditSealing),
    startWebhooks({
      ...following,
      secretBox,
      transport,
      retrySeconds: config.webhookRetrySeconds,
    }),
    startHousekeeping({
      db,
      clock,
      log,
      retentionHours: config.idempotencyRetentionHours,
      tenants: () => allEnvironments(db),
    }),
  ]
  return {
    wakeAt: loop.wakeAt,
    async stop() {
      await Promise.all(parts.map((part) => part.stop()))
    },
  }
}
