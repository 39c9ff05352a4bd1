import { randomUUID } from 'node:crypto'
import { type Clock, toInstant } from '../kernel/clock.ts'
import type { Db } from '../postgres/database.ts'
import { returnLease, takeLease } from '../postgres/leases.ts'

/** The leases that a process holds for one kind of work. */
export type Leases = {
  /**
   * Returns true if this process holds the lease, and renews it after half of its time. The lease of a process that
   * dies expires within five seconds.
   */
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
      // A lease that is not returned expires.
      await Promise.allSettled(held.map((tenantId) => returnLease(db, tenantId, work, holder)))
    },
  }
}
