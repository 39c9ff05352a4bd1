import { setImmediate } from 'node:timers/promises'
import { firstLink, nextLink } from '../../../platform/journal/audit-chain.ts'
import { isBefore, justAfter, type Position, positionOf } from '../../../platform/journal/positions.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { entryAfter, idOf, missingBlock, nameFault } from './faults.ts'
import {
  type AuditRow,
  type Block,
  countAfter,
  findBlockNumber,
  findBlocks,
  findLastBlock,
  findSealed,
  nextEntries,
} from './queries.ts'
import { entryId, type Fault, type Head, type Verification } from './schema.ts'
import { sealing } from './sealing.ts'
import { readSeals, type Seal, sealOf } from './seals.ts'

/** Entries per read; fewer if their texts are long. One read runs ahead of the check. */
const entriesAtOnce = 250
/** At most 48 kB each. */
const blocksAtOnce = 50
/** The maximum time before other requests run on the event loop. Only a single entry may take longer. */
const turnMs = 10

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

/** Links of the chain in hexadecimal. */
export type Asked = {
  /** A link that the chain must contain. */
  since: string | null
  /** The link where an earlier verification stopped; this one continues there. */
  after: string | null
}

/**
 * Recomputes the chain from the current entries. It reads everything that is sealed at its start, in order and in
 * portions. Sealing, erasure and retention do not affect it: blocks never change, and the digest of an entry stays
 * the same.
 * @param withinMs time limit; it then stops at the end of a block, and verifies at least one
 */
export async function verifyLog(
  { db, env }: Ctx,
  { since, after }: Asked,
  withinMs: number,
): Promise<Verification> {
  const stopAt = performance.now() + withinMs
  const { tenantId } = env
  const { last, position } = await findSealed(db, tenantId, sealing)
  const unsealed = await countAfter(db, tenantId, last)
  const chain = await chainAfter(db, tenantId, linkOf(after), linkOf(since))
  const { fault, complete } = chain
    ? await firstFault(db, tenantId, chain, { last, position, stopAt })
    : { fault: await foreignHead(db, tenantId, last), complete: true }
  const head = complete ? last?.head : chain?.link
  return {
    valid: complete && fault === null,
    complete,
    entries_checked: chain?.checked ?? 0,
    sealed_through: lastEntryOf(last),
    unsealed,
    head: head?.toString('hex') ?? null,
    first_fault: fault,
  }
}

const linkOf = (hexadecimal: string | null): Buffer | null =>
  hexadecimal === null ? null : Buffer.from(hexadecimal, 'hex')

/** The part of the chain that has been recomputed. */
type Chain = {
  link: Buffer
  /** The number and end of the last block. */
  number: number
  through: Position | null
  checked: number
  /** A link that has not been found yet; null if there is none. */
  sought: Buffer | null
  /** The first entry without a value that only an erasure can remove, while no entry records the erasure. */
  unexplained: { fault: Fault; checked: number } | null
}

/** The chain at its start, or at the end of the block with the head `after`; null if no block has it. */
async function chainAfter(
  db: Db,
  tenantId: string,
  after: Buffer | null,
  since: Buffer | null,
): Promise<Chain | null> {
  const beginning = {
    link: firstLink(tenantId),
    number: 0,
    through: null,
    checked: 0,
    sought: since,
    unexplained: null,
  }
  if (!after) return beginning
  const number = await findBlockNumber(db, tenantId, after)
  if (number === null) return null
  const blocks = await findBlocks(db, tenantId, number - 2, number, 2)
  const [block, before] = [blocks.at(-1)!, blocks.at(-2)]
  if (number > 1 && before?.number !== number - 1) return null
  // A head written over another block does not follow from its seals.
  const seals = readSeals(block.entries) ?? []
  const link = seals.reduce((link, { digest }) => nextLink(link, digest), before?.head ?? beginning.link)
  if (!link.equals(after)) return null
  const metAt = since && (await findBlockNumber(db, tenantId, since))
  const sought = metAt !== null && metAt <= number ? null : since // found in the part verified before
  return { ...beginning, link, number, through: positionOf(block), sought }
}

/** The chain does not contain the given head. */
const foreignHead = async (db: Db, tenantId: string, last: Block | null): Promise<Fault> => ({
  entry_id: idOf(await entryAfter(db, tenantId, null)),
  kind: last ? 'altered' : 'removed',
})

type Extent = { last: Block | null; position: Position | null; stopAt: number }

async function firstFault(
  db: Db,
  tenantId: string,
  chain: Chain,
  { last, position, stopAt }: Extent,
): Promise<{ fault: Fault | null; complete: boolean }> {
  const found = (fault: Fault | null) => ({ fault: earliest(chain, fault), complete: true })
  const log = reader(db, tenantId, chain.through, last)
  for await (const block of blocksBetween(db, tenantId, chain.number, last?.number ?? 0)) {
    const fault = await faultOfBlock(db, tenantId, chain, block, log)
    if (fault) return found(fault)
    if (performance.now() > stopAt && block.number < last!.number)
      return { fault: earliest(chain, null), complete: chain.unexplained !== null } // the next part would not know it
  }
  const { through, sought } = chain
  if (position && (!through || isBefore(through, position))) {
    const next = await entryAfter(db, tenantId, through)
    return found(missingBlock(next, (entry) => !isBefore(position, entry)))
  }
  if (chain.unexplained || !sought) return found(null)
  return found(await foreignHead(db, tenantId, last))
}

/** An unexplained entry comes first. A removed entry may be the one that explained it. */
function earliest(chain: Chain, fault: Fault | null): Fault | null {
  if (!chain.unexplained || fault?.kind === 'removed') return fault
  chain.checked = chain.unexplained.checked
  return chain.unexplained.fault
}

/** Verifies the next block: first the seals, then the current entries. */
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
  // A block ends with its last entry; otherwise its end was moved.
  if (!chain.through || isBefore(chain.through, block)) return altered()
  return null
}

/**
 * Compares an entry with its seal. It is unexplained if a value is missing and no entry records an erasure: either
 * none happened, or that entry was removed.
 */
function compare(row: AuditRow, seal: Seal): 'same' | 'unexplained' | 'different' {
  const says = (entry: AuditRow) => sealOf(entry).digest.equals(seal.digest)
  if (row.id !== seal.id || !says(row)) return 'different'
  return row.erased === null || row.is_redacted || says({ ...row, erased: null }) ? 'same' : 'unexplained'
}

async function* blocksBetween(db: Db, tenantId: string, after: number, last: number): AsyncGenerator<Block> {
  for (let number = after; number < last; ) {
    const blocks = await findBlocks(db, tenantId, number, last, blocksAtOnce)
    yield* blocks
    if (blocks.length < blocksAtOnce) return
    number = blocks.at(-1)!.number
  }
}

/** Reads the journal between two places; one page is loaded while the previous one is checked. */
function reader(db: Db, tenantId: string, from: Position | null, last: Position | null) {
  const end = last && justAfter(last)
  const pageAfter = (after: Position | null) => {
    const page = nextEntries(db, tenantId, { after, before: end }, entriesAtOnce)
    page.catch(() => undefined) // it may never be awaited
    return page
  }
  let page: AuditRow[] = []
  let place = 0
  let following: Promise<AuditRow[]> | null = last && pageAfter(from)
  let turnEndsAt = performance.now() + turnMs
  return {
    /** The next entry up to a place; null if there is none. */
    async next(through: Position): Promise<AuditRow | null> {
      if (performance.now() > turnEndsAt) {
        await setImmediate() // lets other requests run
        turnEndsAt = performance.now() + turnMs
      }
      if (place === page.length && following) {
        page = await following
        place = 0
        following = page.length > 0 ? pageAfter(positionOf(page.at(-1)!)) : null
      }
      const row = page[place]
      if (!row || isBefore(through, row)) return null
      place++
      return row
    },
  }
}
