import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Counts } from '../../kernel/counts.ts'
import { unavailable } from '../../kernel/errors.ts'

type Limits = {
  /** Maximum number of concurrent requests. Fewer keep the database busy; more only wait for each other. */
  most: number
  /** Maximum for one API key, so that a key whose requests all wait does not block others. */
  ofOne: number
  /** Minimum of the adaptive limit. */
  least: number
  /** Minimum for each API key while there are fewer than `most` requests. */
  always: number
}
const defaults: Limits = { most: 400, ofOne: 300, least: 32, always: 8 }
/** The target waiting time of an accepted request: about half of an acceptable total. */
const waitMs = 400
const windowMs = 500
/**
 * The delay of a refusal. Clients that ignore `Retry-After` would otherwise keep the process busy, and new
 * connections would wait, because one is accepted per turn of the event loop.
 */
const refusalMs = 200

/** The load of this process, and the refusal of further requests. */
export type AdmissionControl = {
  readonly inProgress: number
  /** Total since the start. */
  readonly refused: number
  /** @param client the token, which is available before any work for the request */
  hasRoom(client: string): boolean
  /** Rejects with ApiError `unavailable` after a delay. */
  refuse(): Promise<never>
  /**
   * Runs a request and counts it meanwhile. Its body has arrived, and its response is sent later: slow senders and
   * readers use no capacity, and a client that disconnects frees none while the work continues.
   * @throws ApiError `unavailable` if there is no capacity
   */
  during<Result>(client: string, work: () => Promise<Result>): Promise<Result>
}

/** Created once: a stack trace per refusal would cost more than the refusal. */
const refusal = unavailable('overloaded')

/**
 * While requests are refused, the completion rate is the capacity. The limit is the number of requests that complete
 * within the target waiting time at that rate (Little's law).
 */
export function openAdmissionControl(log: Pick<Logger, 'warn'>, limits = defaults): AdmissionControl {
  const byClient = new Counts()
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
      const own = byClient.of(client)
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
      byClient.add(client)
      try {
        return await work()
      } finally {
        self.inProgress--
        finished++
        byClient.add(client, -1)
      }
    },
  }
  return self
}
