import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves after `ms`, or at once when the signal aborts. A process that has nothing else to do does not wait for it. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
