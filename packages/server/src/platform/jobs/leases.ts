import { randomUUID } from 'node:crypto'
import { type Clock, toInstant } from '../kernel/clock.ts'
import type { Db } from '../postgres/database.ts'
import { returnLease, takeLease } from '../postgres/leases.ts'

/** The leases that a process keeps on one kind of work, for as long as it does it. */
export type Leases = {
  /** Is this environment's work ours now? Renews what is half over; one that has died holds it for five seconds more. */
  hold(tenantId: string): Promise<boolean>
  returnAll(): Promise<void>
}

const leaseMs = 5_000

export function openLeases(db: Db, clock: Clock, work: string): Leases {
  const holder = randomUUID()
  const heldUntil = new Map<string, number>()

  return {
    async hold(tenantId) {
      const now = clock()
      if ((heldUntil.get(tenantId) ?? 0) - now > leaseMs / 2) return true
      const until = now + leaseMs
      const ours = await takeLease(db, tenantId, work, holder, toInstant(now), toInstant(until))
      if (ours) heldUntil.set(tenantId, until)
      else heldUntil.delete(tenantId)
      return ours
    },
    async returnAll() {
      const held = [...heldUntil.keys()]
      heldUntil.clear()
      // Those that are not handed back end by themselves.
      await Promise.allSettled(held.map((tenantId) => returnLease(db, tenantId, work, holder)))
    },
  }
}
