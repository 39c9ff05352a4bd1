import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { isBefore, justAfter, type Position, positionOf } from '../../db/positions.ts'
import { firstLink, nextLink } from '../../lib/audit-chain.ts'
import { entryAfter, idOf, missingBlock, nameFault } from './faults.ts'
import {
  type AuditRow,
  type Block,
  countAfter,
  everything,
  findBlocks,
  findEntries,
  findLastBlock,
  findSealed,
} from './queries.ts'
import { entryId, type Fault, type Head, type Verification } from './schema.ts'
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
  const chain: Chain = {
    link: firstLink(tenantId),
    number: 0,
    through: null,
    checked: 0,
    sought: since === null ? null : Buffer.from(since, 'hex'),
    unexplained: null,
  }
  const fault = await firstFault(db, tenantId, chain, last, position)
  return {
    valid: fault === null,
    entries_checked: chain.checked,
    sealed_through: lastEntryOf(last),
    unsealed,
    head: last?.head.toString('hex') ?? null,
    first_fault: fault,
  }
}

/** As far as it has been recomputed. */
type Chain = {
  link: Buffer
  /** The last block, and where it ends. */
  number: number
  through: Position | null
  checked: number
  /** A link that has to come yet; null if none has. */
  sought: Buffer | null
  /** The first entry that lacks what only an erasure could have taken, while no entry says that there was one. */
  unexplained: { fault: Fault; checked: number } | null
}

async function firstFault(
  db: Db,
  tenantId: string,
  chain: Chain,
  last: Block | null,
  position: Position | null,
): Promise<Fault | null> {
  const log = reader(db, tenantId, last)
  for await (const block of blocksThrough(db, tenantId, last?.number ?? 0)) {
    const fault = await faultOfBlock(db, tenantId, chain, block, log)
    if (fault) return earliest(chain, fault)
  }
  const { through, sought, number } = chain
  if (position && (!through || isBefore(through, position))) {
    const next = await entryAfter(db, tenantId, through)
    return earliest(
      chain,
      missingBlock(next, (entry) => !isBefore(position, entry)),
    )
  }
  if (chain.unexplained || !sought) return earliest(chain, null)
  const first = await entryAfter(db, tenantId, null)
  return { entry_id: idOf(first), kind: number === 0 ? 'removed' : 'altered' }
}

/** What could not be explained comes before; but an entry that was removed may be the one that explained it. */
function earliest(chain: Chain, fault: Fault | null): Fault | null {
  if (!chain.unexplained || fault?.kind === 'removed') return fault
  chain.checked = chain.unexplained.checked
  return chain.unexplained.fault
}

/** Goes on by a block: first the seals by themselves, then what the entries say now. */
async function faultOfBlock(
  db: Db,
  tenantId: string,
  chain: Chain,
  block: Block,
  log: ReturnType<typeof reader>,
): Promise<Fault | null> {
  const { through } = chain
  const altered = async (): Promise<Fault> => ({
    entry_id: idOf(await entryAfter(db, tenantId, through)),
    kind: 'altered',
  })
  const seals = readSeals(block.entries)
  if (block.number !== ++chain.number)
    return missingBlock(await entryAfter(db, tenantId, through), ({ id }) => id !== seals?.[0]?.id)
  for (const { digest } of seals ?? []) {
    chain.link = nextLink(chain.link, digest)
    if (chain.sought?.equals(chain.link)) chain.sought = null
  }
  if (!seals || !chain.link.equals(block.head)) return altered()

  for (let i = 0; ; i++) {
    const [row, seal] = [await log.next(block), seals[i]]
    if (!row && !seal) break
    const verdict = row && seal ? compare(row, seal) : 'different'
    if (!row || verdict === 'different')
      return nameFault(db, tenantId, { seals, i, row, block, after: through })
    if (verdict === 'unexplained')
      chain.unexplained ??= { fault: { entry_id: idOf(row), kind: 'altered' }, checked: chain.checked }
    chain.checked++
    chain.through = positionOf(row)
  }
  // It ends with its last entry, or somebody has moved its end.
  if (!chain.through || isBefore(chain.through, block)) return altered()
  return null
}

/**
 * Does an entry say what was sealed? It is unexplained when something in it would have to have been erased, and no entry
 * says so: either nothing was, or that entry was removed.
 */
function compare(row: AuditRow, seal: Seal): 'same' | 'unexplained' | 'different' {
  const says = (entry: AuditRow) => sealOf(entry).digest.equals(seal.digest)
  if (row.id !== seal.id || !says(row)) return 'different'
  return row.erased === null || row.is_redacted || says({ ...row, erased: null }) ? 'same' : 'unexplained'
}

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
    const page = findEntries(db, tenantId, everything, { after: from, before: end }, 'forwards', {
      scan: entriesAtOnce,
      limit: entriesAtOnce,
    })
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
