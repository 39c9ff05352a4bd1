import { setTimeout as sleep } from 'node:timers/promises'
import type { Loops } from '../../../../platform/jobs/loops.ts'
import { longestPauseMs, pauseAfter } from '../../../../platform/jobs/polling.ts'
import type { Commits } from '../../../../platform/journal/commits.ts'
import { toUnixMs } from '../../../../platform/kernel/clock.ts'
import { pause } from '../../../../platform/kernel/pause.ts'
import { EnvironmentQueue, type QueueDeps } from './environment-queue.ts'
import { environmentsToServe } from './queries.ts'

export type SenderDeps = Omit<QueueDeps, 'loop'> & { commits: Commits; loops: Loops }

export type Sender = {
  /** Checks this environment for due deliveries soon. */
  wake(tenantId: string): void
  stop(): Promise<void>
}

/** The shortest pause between polls for due deliveries: for retries, and in case a notification is lost. */
const pollMs = 500
/** The time for attempts in progress when the process stops; those that are cut off are sent again later. */
const drainMs = 5_000

/**
 * Sends due deliveries. A delivery is a row that stays due until its outcome is recorded; only this process knows that
 * an attempt is in progress. So a process may die at any time and another one sends the delivery, at worst a second
 * time. The lease on an environment keeps two processes from sending at the same time.
 */
export function startSender(deps: SenderDeps): Sender {
  const { db, clock, commits, loops } = deps
  const queues = new Map<string, EnvironmentQueue>()
  const stopping = new AbortController()
  const polls = loops.open('webhook_sending', stopping.signal)
  const queueDeps = { ...deps, loop: loops.open('webhook_sending') }

  function wake(tenantId: string, hasChanged = false): void {
    if (stopping.signal.aborted) return
    const queue = queues.get(tenantId) ?? new EnvironmentQueue(queueDeps, tenantId, stopping.signal)
    queues.set(tenantId, queue)
    queue.look(hasChanged)
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      let pauseMs = pollMs
      await polls.round(async () => {
        const begunMs = performance.now()
        const environments = await environmentsToServe(db, clock(), longestPauseMs)
        pauseMs = pauseAfter(performance.now() - begunMs, pollMs)
        for (const [tenantId, queue] of queues)
          if (queue.hasNoEndpoint && queue.isIdle) queues.delete(tenantId)
        for (const { tenantId, clockOffsetMs, nextAt } of environments) {
          const waitMs = toUnixMs(nextAt) - clockOffsetMs - clock()
          if (waitMs <= 0) wake(tenantId)
          else if (waitMs < pauseMs) setTimeout(() => wake(tenantId), waitMs).unref()
        }
      })
      await pause(pauseMs, stopping.signal)
    }
  }

  const polling = poll()
  // A manual retry, a test event, a changed endpoint, a recovery and a moved clock. Events become due by the consumer.
  const forget = commits.onFollowers((tenantId) => {
    if (tenantId !== null && queues.has(tenantId)) wake(tenantId, true)
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
