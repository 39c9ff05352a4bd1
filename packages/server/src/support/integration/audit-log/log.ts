import { endOfJournal, keepBeyond } from '../../../platform/journal/heads.ts'
import {
  beginning,
  fromSortKey,
  isBefore,
  justAfter,
  type Position,
  positionOf,
  toSortKey,
} from '../../../platform/journal/positions.ts'
import { toInstant, toUnixMs } from '../../../platform/kernel/clock.ts'
import { unixMsOf } from '../../../platform/kernel/ids.ts'
import type { Page, PartialPage } from '../../../platform/kernel/page.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { positionAt, positionSlackMs } from '../events/queries.ts'
import {
  type AuditFilter,
  type AuditRow,
  type Direction,
  endOfScan,
  everything,
  findEntries,
  passesAll,
  type Range,
} from './queries.ts'
import { auditEntryWire } from './schema.ts'

/** The number of entries that one statement examines for a selective filter. */
const scan = 10_000
const budgetMs = 1_000
/** Counting returns no entries, so it examines more at a time. */
const countingScan = 100_000
/** An entry can have some hundred kilobytes. */
const exportedAtOnce = 100

export const auditSorts = ['-commit', 'commit'] as const
type Sort = (typeof auditSorts)[number]

/** A page of the log. */
export async function entriesPage(
  ctx: Ctx,
  filter: AuditFilter,
  page: Page<Sort>,
): Promise<AuditRow[] | PartialPage<AuditRow>> {
  const direction = page.sort === 'commit' ? 'forwards' : 'backwards'
  const range = await rangeOf(ctx, filter)
  const seen = page.after && fromSortKey(page.after)
  const rest = seen ? onwards(range, seen, direction) : range
  const giveUpAt = performance.now() + budgetMs
  const found: AuditRow[] = []
  for await (const { rows, reached } of walk(ctx, filter, rest, direction, page.limit)) {
    found.push(...rows)
    if (found.length >= page.limit) return found.slice(0, page.limit)
    if (reached && performance.now() > giveUpAt)
      return { rows: found, hasMore: true, reached: toSortKey(reached) }
  }
  if (seen && direction === 'forwards' && found.length === 0) await keepBeyond(ctx.db, ctx.env.tenantId, seen)
  return found
}

export async function countEntries(ctx: Ctx, filter: AuditFilter, atMost: number): Promise<number> {
  const { db, env } = ctx
  const size = passesAll(filter) ? atMost : countingScan
  let count = 0
  for (let rest = await rangeOf(ctx, filter); count < atMost; ) {
    const end = await endOfScan(db, env.tenantId, filter, rest, 'backwards', size)
    count += end?.passed ?? 0
    if (end?.scanned !== size) break
    rest = onwards(rest, end, 'backwards')
  }
  return Math.min(count, atMost)
}

/** Finds an entry by id. The id has no index, but it contains the entry's time, which can be searched. */
export async function findEntry(ctx: Ctx, eventId: string): Promise<AuditRow | null> {
  const atMs = unixMsOf(eventId)
  if (atMs > lastMs) return null
  const createdAfter = toInstant(atMs - 1)
  const filter = { ...everything, id: eventId, createdAfter, createdBefore: toInstant(atMs + 1) }
  const range = await rangeOf(ctx, filter)
  for await (const { rows } of walk(ctx, filter, range, 'backwards', 1)) if (rows[0]) return rows[0]
  return null
}

/** PostgreSQL does not parse our format of years with five digits. */
const lastMs = Date.UTC(9999, 0)

/** The current log, one line per entry, oldest first, without entries that are committed later. */
export async function* exportedEntries(ctx: Ctx, filter: AuditFilter): AsyncGenerator<string> {
  const [{ after, before }, present] = await Promise.all([
    rangeOf(ctx, filter),
    endOfJournal(ctx.db, ctx.env.tenantId),
  ])
  const end = justAfter(present)
  const range = { after, before: before && isBefore(before, end) ? before : end }
  for await (const { rows } of walk(ctx, filter, range, 'forwards', exportedAtOnce)) {
    if (rows.length > 0) yield rows.map((row) => `${auditEntryWire.json(row)}\n`).join('')
  }
}

/** The range of the journal with everything created in the requested period. */
async function rangeOf({ db, env }: Ctx, { createdAfter, createdBefore }: AuditFilter): Promise<Range> {
  const near = (unixMs: number) => positionAt(db, env.tenantId, toInstant(unixMs))
  const [after, last] = await Promise.all([
    createdAfter === null ? null : near(toUnixMs(createdAfter)),
    createdBefore === null ? null : near(toUnixMs(createdBefore) + positionSlackMs),
  ])
  return { after, before: createdBefore === null ? null : justAfter(last ?? beginning) }
}

const onwards = (range: Range, reached: Position, direction: Direction): Range =>
  direction === 'forwards' ? { ...range, after: reached } : { ...range, before: reached }

/**
 * The matching entries in portions of at most `limit`, fewer for a selective filter. `reached` is null at the end.
 */
async function* walk(
  { db, env: { tenantId } }: Ctx,
  filter: AuditFilter,
  range: Range,
  direction: Direction,
  limit: number,
): AsyncGenerator<{ rows: AuditRow[]; reached: Position | null }> {
  const all = passesAll(filter)
  for (let rest = range; ; ) {
    const rows = await findEntries(db, tenantId, filter, rest, direction, { scan: all ? limit : scan, limit })
    let reached: Position | null = null
    if (rows.length === limit) reached = positionOf(rows.at(-1)!)
    else if (!all) {
      const end = await endOfScan(db, tenantId, filter, rest, direction, scan)
      if (end?.scanned === scan) reached = positionOf(end)
    }
    yield { rows, reached }
    if (!reached) return
    rest = onwards(rest, reached, direction)
  }
}
