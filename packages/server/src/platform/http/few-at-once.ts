import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from '../kernel/errors.ts'

type Limits = {
  /** In this process. */
  most: number
  /** Of them for one environment. */
  ofOne: number
}

/** Short ones have ended by then. A client that is refused at once would only ask again. */
const patienceMs = 500
const askAgainMs = 25
const retryAfterSeconds = 5

/** Bounds how many costly requests of a kind run at once; others are refused. */
export type FewAtOnce = {
  /**
   * Waits half a second for its turn at most. Call what it resolves to when done.
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
        if (performance.now() > giveUpAt) throw unavailable(undefined, retryAfterSeconds)
      running.push(tenantId)
      let left = false
      return () => {
        if (!left) running.splice(running.indexOf(tenantId), 1)
        left = true
      }
    },
  }
}
