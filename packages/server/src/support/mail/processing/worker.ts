import type { Logger } from 'pino'
import { StoreUnavailable } from '../../../platform/files/store.ts'
import { isAway } from '../../../platform/jobs/due-loop.ts'
import type { Leases } from '../../../platform/jobs/leases.ts'
import type { Loops } from '../../../platform/jobs/loops.ts'
import { pauseAfter } from '../../../platform/jobs/polling.ts'
import { type Clock, toInstant } from '../../../platform/kernel/clock.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { pause } from '../../../platform/kernel/pause.ts'
import type { Threads } from '../../../platform/kernel/threads.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import {
  environmentsWithWaiting,
  postponeWaiting,
  takeWaiting,
  type Waiting,
} from '../inbound-emails/queries.ts'
import { endAsFailed, processEmail } from './processing.ts'
import { emailReader } from './reading-together.ts'
import { Awaited } from './threading.ts'

export type EmailWorkerDeps = {
  db: Db
  clock: Clock
  log: Logger
  loops: Loops
  /** A context for changes by the server itself. */
  context(env: Environment): Ctx
  /** Worker threads that read mails. */
  threads: Threads
  leases: Leases
}

export type EmailWorker = {
  /** Looks for mails that wait. */
  wake(): void
  /** Completes the mails that are being written, and hands the others back. */
  stop(): Promise<void>
}

/** Other mails keep the threads busy. */
const isOverloaded = (error: unknown) => error instanceof ApiError && error.code === 'unavailable'

/** The kind of work that the lease covers. */
export const inboundWork = 'inbound_emails'

const pollMs = 1_000
/** Mails that arrive within this time are taken together. */
const gatherMs = 10
/** Another process takes a mail over that was not processed for this time. This one still works on some then. */
const takenForMs = 120_000
/** The mails that are processed at once: in this process, and of one environment. */
const [ofProcess, ofEnvironment] = [48, 24]
/** A mail fails after so many attempts. Outages of the database and of the file store do not count. */
const mostAttempts = 8
/** A mail that ends its process, for want of memory for example, is not taken more often. */
const mostTaken = 20
const awaitedMs = 200
const outageMs = 5_000

/**
 * Processes the mails that arrived. One process at a time works on an environment, so that mails of one thread meet in
 * one process. A mail waits until it is processed, whatever happens to this process.
 */
export function startEmailWorker(deps: EmailWorkerDeps): EmailWorker {
  const { db, clock, loops, leases } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const readEmail = emailReader(deps.threads)
  const loop = loops.open('inbound_emails', signal)
  const running = new Map<string, { tenantId: string; done: Promise<void> }>()
  /** Environments in which more mails may wait than there was room for. */
  const full = new Set<string>()
  let wakeUp = new AbortController()
  const wake = () => wakeUp.abort()
  const now = () => toInstant(clock())
  const ofTenant = (tenantId: string) =>
    [...running.values()].filter((each) => each.tenantId === tenantId).length

  async function work(env: Environment, { id, attempts }: Waiting, until: string): Promise<void> {
    const home = db.home(env.tenantId)
    const again = (ms: number, kept = attempts) =>
      postponeWaiting(home, env.tenantId, id, until, { dueAt: toInstant(clock() + ms), attempts: kept })
    if (attempts > mostTaken) return endAsFailed(deps.context(env), id, 'internal')
    try {
      await processEmail(deps.context(env), readEmail, id)
      loop.succeeded()
    } catch (error) {
      if (error instanceof Awaited) {
        await again(awaitedMs, attempts - 1)
        return void setTimeout(wake, awaitedMs).unref()
      }
      if (signal.aborted) return await again(0, attempts - 1)
      loop.failed(error, { tenant_id: env.tenantId, inbound_email_id: id })
      if (isAway(error) || error instanceof StoreUnavailable || isOverloaded(error))
        return await again(outageMs, attempts - 1)
      if (attempts >= mostAttempts) return await endAsFailed(deps.context(env), id, 'internal')
      await again(2 ** attempts * 500)
    }
  }

  /** Takes as many mails of an environment as there is room for. @returns true if there were any */
  async function takeSome(env: Environment): Promise<boolean> {
    const { tenantId } = env
    const room = Math.min(ofProcess - running.size, ofEnvironment - ofTenant(tenantId))
    if (room <= 0) full.add(tenantId)
    if (room <= 0 || signal.aborted || !(await leases.hold(tenantId))) return false
    const until = toInstant(clock() + takenForMs)
    const taken = await takeWaiting(db.home(tenantId), tenantId, now(), until, room)
    if (taken.length === room) full.add(tenantId)
    for (const each of taken) {
      if (running.has(each.id)) continue // its time as taken has passed
      const done = work(env, each, until)
        .catch((error) => loop.failed(error, { tenant_id: tenantId, inbound_email_id: each.id }))
        .finally(() => {
          running.delete(each.id)
          // The next ones of an environment are taken together, once half of its places are free.
          if ([...full].some((waiting) => ofTenant(waiting) <= ofEnvironment / 2)) wake()
        })
      running.set(each.id, { tenantId, done })
    }
    return taken.length > 0
  }

  async function round(): Promise<boolean> {
    full.clear()
    const environments = await environmentsWithWaiting(db, now())
    let found = false
    // Those with the fewest mails in progress are first in turn for the places that are free.
    for (const env of environments.toSorted(
      (one, other) => ofTenant(one.tenantId) - ofTenant(other.tenantId),
    ))
      if (await takeSome(env)) found = true
    return found
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      wakeUp = new AbortController()
      const begunMs = performance.now()
      const found = await loop.round(round)
      if (!found)
        await pause(pauseAfter(performance.now() - begunMs, pollMs), AbortSignal.any([wakeUp.signal, signal]))
      await pause(gatherMs, signal)
    }
  }

  const polling = run()
  return {
    wake,
    async stop() {
      stopping.abort()
      await polling
      await Promise.all([...running.values()].map(({ done }) => done))
      await leases.returnAll()
    },
  }
}
