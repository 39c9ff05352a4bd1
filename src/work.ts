import { type AppDeps, dueDeps } from './app.ts'
import type { Config } from './config.ts'
import type { Environment } from './context.ts'
import { sweepKeys } from './db/idempotency.ts'
import { startDueLoop } from './jobs/due-loop.ts'
import { startFollowing } from './jobs/follow.ts'
import { startHousekeeping } from './jobs/housekeeping.ts'
import { type Instant, toInstant } from './lib/clock.ts'
import { addressList } from './lib/networks.ts'
import { auditSealing, sealing } from './resources/audit-log/sealing.ts'
import { sweepDeliveries } from './resources/webhook-endpoints/deliveries/queries.ts'
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

/**
 * All that a process does by itself, besides answering requests. Any number of processes may.
 * @param housekeepingMs how often it looks for what has been kept for its time; as a rule every minute
 */
export function startWork(deps: WorkDeps, housekeepingMs?: number): Work {
  const { config, db, clock, secretBox } = deps
  const due = dueDeps(deps)
  const loop = startDueLoop(due)
  const transport = openTransport({
    allowed: addressList(config.webhookAllowedNetworks),
    // The sender sees to each endpoint's share; customers of one provider share an origin.
    limits: { connectionsPerOrigin: mostRequests.all },
  })
  /** By the environment's own clock. */
  const ago = ({ clockOffsetMs }: Environment, hours: number): Instant =>
    toInstant(clock() + clockOffsetMs - hours * 3_600_000)
  const following = { ...due, journal: deps.journal }
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
      ...due,
      environments: () => allEnvironments(db),
      neededFollower: sealing,
      sweeps: [
        {
          what: 'idempotency keys',
          some: (env, limit) =>
            sweepKeys(db, env.tenantId, ago(env, config.idempotencyRetentionHours), limit),
        },
        {
          what: 'webhook deliveries',
          some: (env, limit) =>
            sweepDeliveries(db, env.tenantId, ago(env, 24 * env.eventRetentionDays), limit),
        },
      ],
      ...(housekeepingMs ? { intervalMs: housekeepingMs } : {}),
    }),
  ]
  return {
    wakeAt: loop.wakeAt,
    async stop() {
      await Promise.all(parts.map((part) => part.stop()))
    },
  }
}
