import type { Consumer, EventBatch } from '../../../platform/jobs/consumer.ts'
import { firstLink, nextLink } from '../../../platform/journal/audit-chain.ts'
import {
  environmentsWithLag,
  isBefore,
  type Position,
  positionOf,
} from '../../../platform/journal/positions.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { planPart } from '../../../platform/unit-of-work/plan.ts'
import { type Block, findLastBlock, insertBlock, nextEntries } from './queries.ts'
import { sealOf, sealWriter } from './seals.ts'

/** The name of the consumer; its position is the last sealed entry. */
export const sealing = 'audit'

/** 48 kB of seals. */
const blockSize = 1_000
/** Enough to make the cost of planning negligible. */
const readAtOnce = 100

/** Seals events once per second, in blocks of at most a thousand entries. */
export const auditSealing: Consumer = {
  name: sealing,
  restMs: 1_000,
  behind: (db) => environmentsWithLag(db, sealing),
  take: sealNext,
}

/** @throws Error if blocks are missing; continuing would hide it */
async function sealNext(
  { db, env, now }: Ctx,
  from: Position | null,
  end: Position,
): Promise<EventBatch | null> {
  const { tenantId } = env
  const last = await findLastBlock(db, tenantId)
  if (from && (!last || isBefore(last, from)))
    throw new Error('Audit log blocks are missing, so sealing has stopped; see GET /v1/audit_log/verify')
  if (last && (!from || isBefore(from, last))) return { parts: [], through: positionOf(last), more: true }

  const seals = sealWriter(blockSize)
  let head = last?.head ?? firstLink(tenantId)
  let through = from
  while (seals.count() < blockSize) {
    const range = { after: through, before: null }
    const rows = await nextEntries(db, tenantId, range, Math.min(readAtOnce, blockSize - seals.count()))
    const lastRow = rows.at(-1)
    if (!lastRow) break
    for (const row of rows) {
      const seal = sealOf(row)
      head = nextLink(head, seal.digest)
      seals.add(seal)
    }
    through = positionOf(lastRow)
    if (end.position > 0 && !isBefore(through, end)) break
  }
  if (seals.count() === 0 || !through) return null
  const block: Block = {
    ...through,
    number: (last?.number ?? 0) + 1,
    entries: seals.written(),
    head,
    sealed_at: now(),
  }
  return {
    parts: [planPart('plain', insertBlock, block)],
    through,
    more: seals.count() >= blockSize,
  }
}
