import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { unavailable } from '../kernel/errors.ts'

type Limits = {
  /** Requests that are carried out at once. Fewer keep the database busy; more only wait for each other. */
  most: number
  /** Of them, with one API key: whose requests all wait for one thing does not shut out everybody else. */
  ofOne: number
  /** However little gets done, so many may try, */
  least: number
  /** and so many with each API key, while there are not `most`. */
  always: number
}
const defaults: Limits = { most: 400, ofOne: 300, least: 32, always: 8 }
/** What an accepted request may wait for those before it, about: half of what a client should have to. */
const waitMs = 400
const windowMs = 500
/**
 * A refusal takes its time: clients that do not heed `Retry-After` would keep the process busy with refusing, and who
 * is new waits at the door meanwhile, as one connection is accepted in each turn of the event loop.
 */
const refusalMs = 200

/** How much this process has to do, and the refusal of more. */
export type AdmissionControl = {
  readonly inProgress: number
  /** Since the start. */
  readonly refused: number
  /** @param client the `Authorization` that a request came with, which is known before anything is done for it */
  hasRoom(client: string): boolean
  /** Rejects with ApiError `unavailable`, in a moment. */
  refuse(): Promise<never>
  /**
   * Carries out a request, which counts meanwhile. Its body has come and its answer is sent by others: neither slow
   * senders nor slow readers take room, and who hangs up makes none while the work goes on.
   * @throws ApiError `unavailable` when there is no room
   */
  during<Result>(client: string, work: () => Promise<Result>): Promise<Result>
}

/** Made once: the stack trace of each would cost more than the refusal. */
const refusal = unavailable()

/**
 * While requests are refused, what gets done in a second is what can be done in a second; so many are let in that the
 * last of them waits no longer than it should (Little's law).
 */
export function openAdmissionControl(log: Pick<Logger, 'warn'>, limits = defaults): AdmissionControl {
  const byClient = new Map<string, number>()
  let limit = limits.most
  let finished = 0
  let watching: NodeJS.Timeout | null = null

  function watch(): NodeJS.Timeout {
    let before = { at: performance.now(), refused: self.refused, finished }
    const look = () => {
      const now = { at: performance.now(), refused: self.refused, finished }
      const refused = now.refused - before.refused
      const inTime = ((now.finished - before.finished) / (now.at - before.at)) * waitMs
      before = now
      if (refused > 0) {
        limit = Math.min(Math.max(Math.floor(inTime), limits.least), limits.most)
        log.warn(
          { refused, in_progress: self.inProgress, limit },
          'server overloaded; rejecting requests with 503',
        )
        return
      }
      clearInterval(watching!)
      watching = null
      limit = limits.most
    }
    return setInterval(look, windowMs).unref()
  }

  const self = {
    inProgress: 0,
    refused: 0,
    hasRoom(client: string): boolean {
      const own = byClient.get(client) ?? 0
      return (
        self.inProgress < limits.most &&
        own < limits.ofOne &&
        (self.inProgress < limit || own < limits.always)
      )
    },
    async refuse(): Promise<never> {
      watching ??= watch()
      self.refused++
      await sleep(refusalMs)
      throw refusal
    },
    async during<Result>(client: string, work: () => Promise<Result>): Promise<Result> {
      if (!self.hasRoom(client)) await self.refuse()
      self.inProgress++
      byClient.set(client, (byClient.get(client) ?? 0) + 1)
      try {
        return await work()
      } finally {
        self.inProgress--
        finished++
        const left = byClient.get(client)! - 1
        if (left > 0) byClient.set(client, left)
        else byClient.delete(client)
      }
    },
  }
  return self
}
