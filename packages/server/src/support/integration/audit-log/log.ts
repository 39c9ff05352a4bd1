import {
  beginning,
  fromSortKey,
  isBefore,
  justAfter,
  type Position,
  positionOf,
  settledEnd,
  toSortKey,
} from '../../../platform/journal/positions.ts'
import { toInstant, toUnixMs } from '../../../platform/kernel/clock.ts'
import { epochMsOf } from '../../../platform/kernel/ids.ts'
import type { Page } from '../../../platform/kernel/page.ts'
import type { Stretch } from '../../../platform/resource/resource.ts'
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

/** Entries that are looked at in one go for a filter that lets few through, and for how long this goes on for a page. */
const scan = 10_000
const budgetMs = 1_000
/** What is counted takes no part in an answer's size. */
const countingScan = 100_000
/** An entry may be some hundred kilobytes. */
const exportedAtOnce = 100
/** How long an export waits for what was committed before it and may still be overtaken. */
const patienceMs = 1_000

export const auditSorts = ['-commit', 'commit'] as const
type Sort = (typeof auditSorts)[number]

/** A page of the log. It shows what is committed, settled or not: it is a list and no feed. */
export async function entriesPage(
  ctx: Ctx,
  filter: AuditFilter,
  page: Page<Sort>,
): Promise<AuditRow[] | Stretch<AuditRow>> {
  const direction = page.sort === 'commit' ? 'forwards' : 'backwards'
  const range = await rangeOf(ctx, filter)
  const rest = page.after ? onwards(range, fromSortKey(page.after), direction) : range
  const giveUpAt = performance.now() + budgetMs
  const found: AuditRow[] = []
  for await (const { rows, reached } of walk(ctx, filter, rest, direction, page.limit)) {
    found.push(...rows)
    if (found.length >= page.limit) return found.slice(0, page.limit)
    if (reached && performance.now() > giveUpAt)
      return { rows: found, hasMore: true, reached: toSortKey(reached) }
  }
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

/** An id has no index, but it holds the time of its entry, and times are found. */
export async function findEntry(ctx: Ctx, eventId: string): Promise<AuditRow | null> {
  const atMs = epochMsOf(eventId)
  if (atMs > lastMs) return null
  const createdAfter = toInstant(atMs - 1)
  const filter = { ...everything, id: eventId, createdAfter, createdBefore: toInstant(atMs + 1) }
  const range = await rangeOf(ctx, filter)
  for await (const { rows } of walk(ctx, filter, range, 'backwards', 1)) if (rows[0]) return rows[0]
  return null
}

/** PostgreSQL reads no year of five digits as we write it. */
const lastMs = Date.UTC(9999, 0)

/** The log as it is now, a line for each entry, oldest first: what is committed later is not in it. */
export async function* exportedEntries(ctx: Ctx, filter: AuditFilter): AsyncGenerator<string> {
  const [{ after, before }, horizon] = await Promise.all([
    rangeOf(ctx, filter),
    ctx.services.journal.caughtUp(patienceMs),
  ])
  const end = settledEnd(horizon)
  const range = { after, before: before && isBefore(before, end) ? before : end }
  for await (const { rows } of walk(ctx, filter, range, 'forwards', exportedAtOnce)) {
    if (rows.length > 0) yield rows.map((row) => `${auditEntryWire.json(row)}\n`).join('')
  }
}

/** Where in the journal anything can be that was created in the time asked for. */
async function rangeOf({ db, env }: Ctx, { createdAfter, createdBefore }: AuditFilter): Promise<Range> {
  const near = (epochMs: number) => positionAt(db, env.tenantId, toInstant(epochMs))
  const [after, last] = await Promise.all([
    createdAfter === null ? null : near(toUnixMs(createdAfter)),
    createdBefore === null ? null : near(toUnixMs(createdBefore) + positionSlackMs),
  ])
  return { after, before: createdBefore === null ? null : justAfter(last ?? beginning) }
}

const onwards = (range: Range, reached: Position, direction: Direction): Range =>
  direction === 'forwards' ? { ...range, after: reached } : { ...range, before: reached }

/** What passes, some at a time: at most `limit`, fewer where much does not pass. `reached` is null at the end. */
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
