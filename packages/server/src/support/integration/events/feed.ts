import { endOfJournal, findBounds, keepBeyond } from '../../../platform/journal/heads.ts'
import {
  beginning,
  fromSortKey,
  isBefore,
  type Position,
  positionOf,
  toSortKey,
} from '../../../platform/journal/positions.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import type { PartialPage, SortKey } from '../../../platform/kernel/page.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import {
  countEvents,
  type EventFilter,
  type EventRow,
  endOfScan,
  eventsAfter,
  filteredEvents,
  type Read,
} from './queries.ts'

/** The number of events that one statement examines for a selective filter. */
const scan = 10_000
const budgetMs = 1_000

/**
 * The position to continue from: that of the cursor, otherwise before the oldest event.
 * @throws ApiError `cursor_invalid` if events after it are no longer available, because the client would miss them
 */
export async function startOf(
  { db, env }: Pick<Ctx, 'db' | 'env'>,
  cursor: SortKey | null,
): Promise<Position> {
  const { head, floor } = await findBounds(db, env.tenantId)
  const from = cursor ? fromSortKey(cursor) : (floor ?? beginning)
  if (floor && isBefore(from, floor)) {
    const detail = 'The events after this cursor are no longer kept. Start again without a cursor.'
    throw new ApiError('cursor_invalid', { reason: 'expired' }, { detail })
  }
  await keepBeyond(db, env.tenantId, from, head)
  return from
}

/** A page of the feed. It may be short because of a selective filter or long events, and more events may follow. */
export async function feedPage(
  ctx: Ctx,
  filter: EventFilter,
  page: { limit: number; after: SortKey | null },
): Promise<PartialPage<EventRow>> {
  const from = await startOf(ctx, page.after)
  const read = filter.types || filter.streamId || filter.reader ? filteredPage : wholePage
  const found = await read(ctx, filter, from, page.limit)
  if (isBefore(from, await startOf(ctx, page.after))) return feedPage(ctx, filter, page) // some have expired meanwhile
  return found
}

/** The present end of the feed: an empty page. @throws ApiError `invalid_query` with a cursor, another place */
export async function endOfFeed(
  { db, env }: Ctx,
  { after }: { after: SortKey | null },
): Promise<PartialPage<EventRow>> {
  if (after !== null) {
    const fault = {
      parameter: 'from',
      code: 'not_allowed' as const,
      detail: 'must not be used with a cursor',
    }
    throw new ApiError('invalid_query', {}, { errors: [fault] })
  }
  return { rows: [], hasMore: false, reached: toSortKey(await endOfJournal(db, env.tenantId)) }
}

const wholePage = async ({ db, env }: Ctx, _: EventFilter, from: Position, limit: number) =>
  pageOf(await eventsAfter(db, env, from, limit + 1), from, limit)

function pageOf({ rows: found, hasMore }: Read, from: Position, limit: number): PartialPage<EventRow> {
  const rows = found.slice(0, limit)
  return { rows, hasMore, reached: toSortKey(positionOf(rows.at(-1) ?? from)) }
}

async function filteredPage(
  { db, env }: Ctx,
  filter: EventFilter,
  start: Position,
  limit: number,
): Promise<PartialPage<EventRow>> {
  const end = await endOfJournal(db, env.tenantId) // the same for all statements, so that none skips newer events
  const giveUpAt = performance.now() + budgetMs
  const rows: EventRow[] = []
  for (let from = start; ; ) {
    const wanted = { scan, limit: limit + 1 - rows.length }
    const read = await filteredEvents(db, env, filter, { from, end }, wanted)
    rows.push(...read.rows)
    if (read.hasMore) return pageOf({ rows, hasMore: true }, from, limit)
    const last = await endOfScan(db, env.tenantId, filter, { from, end }, scan)
    from = last ?? from
    const hasMore = last?.scanned === scan
    if (!hasMore || performance.now() > giveUpAt) return { rows, hasMore, reached: toSortKey(from) }
  }
}

export const countFeed = async (ctx: Ctx, filter: EventFilter, atMost: number): Promise<number> => {
  const { db, env } = ctx
  const [from, end] = await Promise.all([startOf(ctx, null), endOfJournal(db, env.tenantId)])
  return countEvents(db, env.tenantId, filter, { from, end }, atMost)
}
