import { setTimeout as sleep } from 'node:timers/promises'
import type { Commits } from '../../../../platform/journal/commits.ts'
import { toUnixMs } from '../../../../platform/kernel/clock.ts'
import { EnvironmentQueue, type QueueDeps } from './environment-queue.ts'
import { environmentsToServe } from './queries.ts'

export type SenderDeps = QueueDeps & { commits: Commits }

export type Sender = {
  /** Checks this environment for due deliveries soon. */
  wake(tenantId: string): void
  stop(): Promise<void>
}

/** The interval at which due deliveries are polled: for retries, and in case a notification is lost. */
const pollMs = 500
/** The time for attempts in progress when the process stops; those that are cut off are sent again later. */
const drainMs = 5_000

/**
 * Sends due deliveries. A delivery is a row that stays due until its outcome is recorded; only this process knows that
 * an attempt is in progress. So a process may die at any time and another one sends the delivery, at worst a second
 * time. The lease on an environment keeps two processes from sending at the same time.
 */
export function startSender(deps: SenderDeps): Sender {
  const { db, clock, log, commits } = deps
  const queues = new Map<string, EnvironmentQueue>()
  const stopping = new AbortController()

  function wake(tenantId: string): void {
    if (stopping.signal.aborted) return
    const queue = queues.get(tenantId) ?? new EnvironmentQueue(deps, tenantId, stopping.signal)
    queues.set(tenantId, queue)
    queue.look()
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const environments = await environmentsToServe(db)
        const served = new Set(environments.map(({ tenantId }) => tenantId))
        for (const [tenantId, queue] of queues)
          if (!served.has(tenantId) && queue.isIdle) queues.delete(tenantId)
        for (const { tenantId, clockOffsetMs, nextAt } of environments)
          if (nextAt !== null && toUnixMs(nextAt) <= clock() + clockOffsetMs) wake(tenantId)
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'polling for due webhooks failed; will retry')
      }
      await sleep(pollMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
  }

  const polling = poll()
  // A manual retry, a test event, a changed endpoint and a moved clock are commits in their environment.
  const forget = commits.on((tenantId) => {
    if (tenantId !== null && queues.has(tenantId)) wake(tenantId)
  })
  return {
    wake,
    async stop() {
      stopping.abort()
      forget()
      const drained = Promise.all([polling, ...[...queues.values()].map((queue) => queue.drained())])
      await Promise.race([drained, sleep(drainMs, undefined, { ref: false })])
    },
  }
}
