import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from '../kernel/errors.ts'

type Limits = {
  /** Maximum in this process. */
  most: number
  /** Maximum for one environment. */
  ofOne: number
}

/** Short requests complete in this time. A client that is refused at once would only retry. */
const patienceMs = 500
const askAgainMs = 25
const retryAfterSeconds = 5

/** Limits the number of concurrent expensive requests of one kind. */
export type FewAtOnce = {
  /**
   * Waits up to half a second for a slot and returns the function that releases it.
   * @throws ApiError `unavailable`
   */
  enter(tenantId: string): Promise<() => void>
}

export function fewAtOnce({ most, ofOne }: Limits): FewAtOnce {
  const running: string[] = []
  const hasRoom = (tenantId: string) =>
    running.length < most && running.filter((each) => each === tenantId).length < ofOne
  return {
    async enter(tenantId) {
      for (const giveUpAt = performance.now() + patienceMs; !hasRoom(tenantId); await sleep(askAgainMs))
        if (performance.now() > giveUpAt) throw unavailable('too_many_at_once', { retryAfterSeconds })
      running.push(tenantId)
      let left = false
      return () => {
        if (!left) running.splice(running.indexOf(tenantId), 1)
        left = true
      }
    },
  }
}
