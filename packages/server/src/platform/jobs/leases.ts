import { randomUUID } from 'node:crypto'
import { type Clock, type Instant, toInstant } from '../kernel/clock.ts'
import type { Db } from '../postgres/database.ts'
import { leaseTo, returnLease, takeLease } from '../postgres/leases.ts'
import { type PlanPart, planPart } from '../unit-of-work/plan.ts'

/** The leases that a process holds for one kind of work. */
export type Leases = {
  /**
   * Returns true if this process holds the lease, and renews it after half of its time. The lease of a process that
   * dies expires within five seconds.
   */
  hold(tenantId: string): Promise<boolean>
  /** Returns true if no other process held the lease when it was read. */
  isFree(lease: FoundLease | null): boolean
  /** The same as `hold` for a process that writes anyway: the lease is part of its transaction. */
  within(tenantId: string): { parts: PlanPart[]; committed(): void }
  returnAll(): Promise<void>
}

/** A lease as it is stored. */
export type FoundLease = { holder: string; leasedUntil: Instant }

const leaseMs = 5_000

export function openLeases(db: Db, clock: Clock, work: string): Leases {
  const holder = randomUUID()
  const heldUntil = new Map<string, number>()
  const isHeldLong = (tenantId: string, now: number) => (heldUntil.get(tenantId) ?? 0) - now > leaseMs / 2

  return {
    async hold(tenantId) {
      const now = clock()
      if (isHeldLong(tenantId, now)) return true
      const until = now + leaseMs
      const ours = await takeLease(db, tenantId, work, holder, toInstant(now), toInstant(until))
      if (ours) heldUntil.set(tenantId, until)
      else heldUntil.delete(tenantId)
      return ours
    },
    isFree: (lease) => lease === null || lease.holder === holder || lease.leasedUntil <= toInstant(clock()),
    within(tenantId) {
      const now = clock()
      if (isHeldLong(tenantId, now)) return { parts: [], committed: () => undefined }
      const until = now + leaseMs
      const lease = { work, holder, now: toInstant(now), until: toInstant(until) }
      return {
        parts: [planPart('exact', leaseTo, lease)],
        committed: () => void heldUntil.set(tenantId, until),
      }
    },
    async returnAll() {
      const held = [...heldUntil.keys()]
      heldUntil.clear()
      // A lease that is not returned expires.
      await Promise.allSettled(held.map((tenantId) => returnLease(db, tenantId, work, holder)))
    },
  }
}
