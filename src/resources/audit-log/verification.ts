import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { isBefore, justAfter, type Position, positionOf } from '../../db/positions.ts'
import { firstLink, nextLink } from '../../lib/audit-chain.ts'
import {
  type AuditRow,
  type Block,
  countAfter,
  countIds,
  everything,
  findBlocks,
  findEntries,
  findLastBlock,
  findSealed,
} from './queries.ts'
import type { Fault, Head, Verification } from './schema.ts'
import { entryId } from './schema.ts'
import { sealing } from './sealing.ts'
import { readSeals, type Seal, sealOf } from './seals.ts'

/** An entry may be some hundred kilobytes, and is read ahead of the one that is checked. */
const entriesAtOnce = 250
/** At most 48 kB each. */
const blocksAtOnce = 50

export async function headOfLog({ db, env }: Ctx): Promise<Head> {
  const last = await findLastBlock(db, env.tenantId)
  return {
    head: last?.head.toString('hex') ?? null,
    entry_id: lastEntryOf(last),
    sealed_at: last?.sealed_at ?? null,
  }
}

const lastEntryOf = (block: Block | null): string | null => {
  const seal = block && readSeals(block.entries)?.at(-1)
  return seal ? entryId(seal.id) : null
}

/**
 * Recomputes the chain from what the entries say now. It reads what is sealed when it begins, in the order of the log and
 * some at a time. Neither sealing nor erasing nor forgetting changes any of that meanwhile: a block is never touched
 * again, and the digest of an entry is the same before and after.
 * @param since a link that has to be one of the chain's, in hexadecimal
 */
export async function verifyLog({ db, env }: Ctx, since: string | null): Promise<Verification> {
  const { tenantId } = env
  const { last, position } = await findSealed(db, tenantId, sealing)
  const unsealed = await countAfter(db, tenantId, last)
  const { checked, fault } = await examine(db, tenantId, last, position, since)
  return {
    valid: fault === null,
    entries_checked: checked,
    sealed_through: lastEntryOf(last),
    unsealed,
    head: last?.head.toString('hex') ?? null,
    first_fault: fault,
  }
}

type Examined = { checked: number; fault: Fault | null }

async function examine(
  db: Db,
  tenantId: string,
  last: Block | null,
  position: Position | null,
  since: string | null,
): Promise<Examined> {
  const sought = since === null ? null : Buffer.from(since, 'hex')
  let known = sought === null
  let checked = 0
  let link = firstLink(tenantId)
  let number = 0
  let through: Position | null = null
  const found = (fault: Fault): Examined => ({ checked, fault })
  const alteredAfter = async (place: Position | null): Promise<Fault> => ({
    entry_id: idOf(await entryAfter(db, tenantId, place)),
    kind: 'altered',
  })
  const log = reader(db, tenantId, last)

  for await (const block of blocksThrough(db, tenantId, last?.number ?? 0)) {
    const seals = readSeals(block.entries)
    if (block.number !== ++number) {
      const next = await entryAfter(db, tenantId, through)
      return found(missingBlock(next, next?.id !== seals?.[0]?.id))
    }
    for (const { digest } of seals ?? []) {
      link = nextLink(link, digest)
      known ||= link.equals(sought!)
    }
    if (!seals || !link.equals(block.head)) return found(await alteredAfter(through))
    let end = through
    for (let i = 0; ; i++) {
      const [row, seal] = [await log.next(block), seals[i]]
      if (!row && !seal) break
      if (!row || !seal || !isSealed(row, seal))
        return found(await nameFault(db, tenantId, { seals, i, row, block, through }))
      end = row
      checked++
    }
    if (!end || isBefore(end, block)) return found(await alteredAfter(through))
    through = positionOf(block)
  }

  if (position && (!through || isBefore(through, position))) {
    const next = await entryAfter(db, tenantId, through)
    return found(missingBlock(next, next !== null && !isBefore(position, next)))
  }
  if (known) return { checked, fault: null }
  const beginning = await entryAfter(db, tenantId, null)
  return found({ entry_id: idOf(beginning), kind: number === 0 ? 'removed' : 'altered' })
}

const isSealed = (row: AuditRow, seal: Seal) => row.id === seal.id && sealOf(row).digest.equals(seal.digest)

const idOf = (row: AuditRow | null) => row && entryId(row.id)

/** The entries of a block that is not there have lost their seal, or are gone as well. */
const missingBlock = (next: AuditRow | null, isOfBlock: boolean): Fault => ({
  entry_id: idOf(next),
  kind: next && isOfBlock ? 'altered' : 'removed',
})

type Mismatch = { seals: Seal[]; i: number; row: AuditRow | null; block: Block; through: Position | null }

/** What has happened at the first place of a block where another entry is found than was sealed. */
async function nameFault(
  db: Db,
  tenantId: string,
  { seals, i, row, block, through }: Mismatch,
): Promise<Fault> {
  const seal = seals[i]
  if (!row) return { entry_id: idOf(await entryAfter(db, tenantId, block)), kind: 'removed' }
  const here = (kind: Fault['kind']): Fault => ({ entry_id: idOf(row), kind })
  if (!seal) return here('inserted')
  const range = { after: through, before: justAfter(block) }
  const counts = await countIds(db, tenantId, range, [row.id, seal.id])
  const place = seals.findIndex(({ id }) => id === row.id)
  const isCopy = counts.get(row.id)! > 1 || (place >= 0 && place < i)
  if (isCopy) return here('inserted')
  if (row.id === seal.id) return here('altered')
  const isElsewhere = counts.has(seal.id)
  if (place < 0 && isElsewhere) return here('inserted')
  if (place > i && !isElsewhere) return here('removed')
  return here('altered') // in the place of another one
}

/** The first entry after a place, sealed or not. */
async function entryAfter(db: Db, tenantId: string, place: Position | null): Promise<AuditRow | null> {
  const [row] = await entriesIn(db, tenantId, place, null, 1)
  return row ?? null
}

const entriesIn = (db: Db, tenantId: string, from: Position | null, before: Position | null, limit: number) =>
  findEntries(db, tenantId, everything, { after: from, before }, 'forwards', { scan: limit, limit })

async function* blocksThrough(db: Db, tenantId: string, last: number): AsyncGenerator<Block> {
  for (let number = 0; number < last; ) {
    const blocks = await findBlocks(db, tenantId, number, last, blocksAtOnce)
    yield* blocks
    if (blocks.length < blocksAtOnce) return
    number = blocks.at(-1)!.number
  }
}

/** Reads through the journal up to a place; a page is under way while the one before is checked. */
function reader(db: Db, tenantId: string, last: Position | null) {
  const end = last && justAfter(last)
  const pageAfter = (from: Position | null) => {
    const page = entriesIn(db, tenantId, from, end, entriesAtOnce)
    page.catch(() => undefined) // it may never be asked for
    return page
  }
  let page: AuditRow[] = []
  let place = 0
  let following: Promise<AuditRow[]> | null = last && pageAfter(null)
  return {
    /** The next entry up to a place; null when there is none. */
    async next(through: Position): Promise<AuditRow | null> {
      if (place === page.length && following) {
        page = await following
        place = 0
        following = page.length === entriesAtOnce ? pageAfter(positionOf(page.at(-1)!)) : null
      }
      const row = page[place]
      if (!row || isBefore(through, row)) return null
      place++
      return row
    },
  }
}
