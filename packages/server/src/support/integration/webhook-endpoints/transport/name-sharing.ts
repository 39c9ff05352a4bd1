import { LRUCache } from 'lru-cache'
import { openSemaphore } from '../../../../platform/kernel/semaphore.ts'
import { DeliveryFailure } from './failures.ts'
import type { ResolveName } from './name-resolution.ts'

/** The error of attempts that found too many look-ups before them; it says nothing about the receiver. */
export const crowded = 'too many name look-ups in progress'

/** The time for which a name that does not exist is not looked up again. */
const negativeMs = 30_000
const maxRemembered = 1_000
/** Codes of node:dns for names that do not exist, and for those that the system could not resolve. */
const negative = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME', 'EAI_AGAIN'])

type Lookup = { addresses: Promise<string[]>; callers: number; stop: AbortController }

export type SharedNames = {
  resolve: ResolveName
  /** The number of names that are being looked up, or wait for it. */
  readonly pending: number
}

/**
 * Shares look-ups: a name has one at a time, which ends when nobody waits for it. Remembers names that do not exist,
 * and the last addresses of the others, which serve while the look-ups are too many (as in RFC 8767).
 */
export function sharedNames(ask: ResolveName): SharedNames {
  const lookups = new Map<string, Lookup>()
  const failures = new LRUCache<string, Error>({ max: maxRemembered, ttl: negativeMs, ttlResolution: 0 })
  const former = new LRUCache<string, string[]>({ max: maxRemembered })

  function begin(name: string): Lookup {
    const stop = new AbortController()
    const addresses = ask(name, stop.signal).then(
      (found) => {
        former.set(name, found)
        return found
      },
      (error) => {
        const known = former.get(name)
        if (known && isCrowded(error)) return known
        if (negative.has(error.code)) failures.set(name, error)
        throw error
      },
    )
    const lookup = { addresses, callers: 0, stop }
    lookups.set(name, lookup)
    const forget = () => forgetLookup(name, lookup)
    addresses.then(forget, forget)
    return lookup
  }

  function forgetLookup(name: string, lookup: Lookup): void {
    if (lookups.get(name) === lookup) lookups.delete(name)
  }

  return {
    async resolve(name, signal) {
      signal.throwIfAborted()
      const failure = failures.get(name)
      if (failure) throw failure
      const lookup = lookups.get(name) ?? begin(name)
      lookup.callers++
      const { promise: aborted, reject } = Promise.withResolvers<never>()
      const leave = () => reject(signal.reason)
      signal.addEventListener('abort', leave)
      try {
        return await Promise.race([lookup.addresses, aborted])
      } finally {
        signal.removeEventListener('abort', leave)
        if (--lookup.callers === 0) {
          forgetLookup(name, lookup)
          lookup.stop.abort()
        }
      }
    },
    get pending() {
      return lookups.size
    },
  }
}

const isCrowded = (error: unknown): boolean => error instanceof DeliveryFailure && error.message === crowded

/** The look-ups that the system performs at once, and those that wait. */
const limits = { limit: 2, waiting: 32 }

/** Limits look-ups that cannot be cancelled: one that is no longer wanted keeps its slot until it ends. */
export function limitedNames(ask: (name: string) => Promise<string[]>): ResolveName {
  const slots = openSemaphore(limits)
  return async (name, signal) => {
    const release = await slots.acquire('', Number.POSITIVE_INFINITY, signal)
    signal.throwIfAborted()
    if (!release) throw new DeliveryFailure(crowded)
    return ask(name).finally(release)
  }
}
