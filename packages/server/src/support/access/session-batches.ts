import type { Loop } from '../../platform/jobs/loops.ts'
import type { Instant } from '../../platform/kernel/clock.ts'
import type { SessionRecord } from '../people/sessions/queries.ts'

/** A larger result would occupy the connection for too long. */
const maxTogether = 256

type Waiting = { resolve(session: SessionRecord | null): void; reject(error: unknown): void }

/**
 * Finds sessions by the hashes of their tokens. One statement looks up all that are asked for in one turn of the event
 * loop: thousands of open streams check theirs every second.
 */
export function sessionLookups(
  find: (tenantId: string, hashes: Buffer[]) => Promise<(SessionRecord & { tokenHash: string })[]>,
): (tenantId: string, tokenHash: Buffer) => Promise<SessionRecord | null> {
  /** The open batch of each environment. */
  const filling = new Map<string, Map<string, Waiting[]>>()

  async function read(tenantId: string, batch: Map<string, Waiting[]>): Promise<void> {
    try {
      const hashes = [...batch.keys()].map((each) => Buffer.from(each, 'hex'))
      const found = new Map((await find(tenantId, hashes)).map((each) => [each.tokenHash, each]))
      for (const [each, waiting] of batch) for (const { resolve } of waiting) resolve(found.get(each) ?? null)
    } catch (error) {
      for (const waiting of batch.values()) for (const { reject } of waiting) reject(error)
    }
  }

  return (tenantId, tokenHash) =>
    new Promise((resolve, reject) => {
      let batch = filling.get(tenantId)
      if (!batch || batch.size === maxTogether) {
        const next = new Map<string, Waiting[]>()
        filling.set(tenantId, next)
        setImmediate(() => {
          if (filling.get(tenantId) === next) filling.delete(tenantId)
          void read(tenantId, next)
        })
        batch = next
      }
      const name = tokenHash.toString('hex')
      const others = batch.get(name)
      if (others) others.push({ resolve, reject })
      else batch.set(name, [{ resolve, reject }])
    })
}

/** Uses of this time are written together. */
const gatherMs = 1_000

/** Gathers uses of sessions, at most one a minute of each, and writes those of an environment as one statement. */
export function sessionUses<Use extends { id: string }>(
  touch: (tenantId: string, uses: Use[], at: Instant) => Promise<void>,
  loop: Loop,
): (tenantId: string, use: Use, at: Instant) => void {
  const gathered = new Map<string, { uses: Map<string, Use>; at: Instant }>()

  async function write(tenantId: string): Promise<void> {
    const { uses, at } = gathered.get(tenantId)!
    gathered.delete(tenantId)
    const all = [...uses.values()]
    for (let i = 0; i < all.length; i += maxTogether) await touch(tenantId, all.slice(i, i + maxTogether), at)
  }

  return (tenantId, use, at) => {
    const open = gathered.get(tenantId)
    if (open) {
      open.uses.set(use.id, use)
      open.at = at
      return
    }
    gathered.set(tenantId, { uses: new Map([[use.id, use]]), at })
    setTimeout(() => void loop.round(() => write(tenantId)), gatherMs).unref()
  }
}
