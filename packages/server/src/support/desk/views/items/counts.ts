import { endOfJournal } from '../../../../platform/journal/heads.ts'
import { toSortKey } from '../../../../platform/journal/positions.ts'
import { ApiError } from '../../../../platform/kernel/errors.ts'
import { typeId, uuidOf } from '../../../../platform/kernel/ids.ts'
import type { Page, PartialPage, SortKey } from '../../../../platform/kernel/page.ts'
import { leavesOf } from '../../../../platform/lists/filter.ts'
import type { ListRequest } from '../../../../platform/resource/resource.ts'
import type { Members } from '../../../../platform/resource/schema.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { viewerOf } from '../../../../platform/unit-of-work/visibility.ts'
import type { Grouping } from '../../conversations/finding/groups.ts'
import { filterFor, filterIfPossible } from '../filter.ts'
import { foundAmong, nextViews, type View, viewOrders, viewTable } from '../queries.ts'
import { countTogether, type Moment, type Wanted, wantedFor } from './counting.ts'
import { requireItemScope, scopeOf } from './items.ts'
import { namedFilters } from './named-filters.ts'
import type { CountedViews, ViewCount } from './schema.ts'

type CountsQuery = Members<typeof CountedViews>

/** The counts of views and of filters, by ids and names, or of the views that the request can count. */
export function requestedCounts(ctx: Ctx, query: CountsQuery): ListRequest<ViewCount> {
  const next = (page: Place): Promise<PartialPage<Counting>> =>
    query.ids === undefined && query.filters === undefined
      ? nextOf(ctx, query, page)
      : nextNamed(ctx, query, page)
  return {
    async page(page) {
      const { rows, ...rest } = await next(page)
      const moment = await countTogether(
        ctx,
        rows.flatMap(({ wanted }) => wanted ?? []),
      )
      const { at, place, counts } = moment
      const items = rows.map(({ wanted, ...row }): ViewCount => {
        const { count, more, groups } = wanted
          ? counts.get(wanted.key)!
          : { count: null, more: false, groups: null }
        const by = query.group_by
        return { ...row, count, more, groups: by && groups && { by, found: groups } }
      })
      const asOf = { at, feed_cursor: ctx.services.feedCursor(ctx.env.tenantId, toSortKey(place)) }
      return { rows: items, ...rest, asOf, state: stateOf(moment, rows) }
    },
    async stateOf(page) {
      const place = await endOfJournal(ctx.db, ctx.env.tenantId)
      const { rows } = await next(page)
      return rows.some(changesSilently) ? null : stateOf({ at: ctx.now(), place }, rows)
    },
    async count(atMost) {
      const { rows } = await next({ limit: atMost + 1, after: null })
      return rows.length
    },
  }
}

/** A count to be made; `wanted` is null for a broken view. */
type Counting = Omit<ViewCount, 'count' | 'more' | 'groups'> & { wanted: Wanted | null }

const countingOf = (
  ctx: Ctx,
  place: SortKey,
  view: View,
  read: Awaited<ReturnType<typeof filterFor>>,
  grouping: Grouping | undefined,
): Counting => ({
  place,
  view_id: typeId('view', view.id),
  name: null,
  broken: 'broken' in read ? read.broken : null,
  wanted: 'broken' in read ? null : wantedFor(ctx.env.tenantId, view.applies_to, read.filter, grouping),
})

const leavesIn = ({ wanted }: Counting) => (wanted ? leavesOf(wanted.filter) : [])

/** True if the place in the journal does not tell whether the count is the same. */
const changesSilently = (counting: Counting): boolean =>
  leavesIn(counting).some(({ op, of }) => op === 'within' || of.changesSilently === true)

/**
 * Lists all that has to be the same for a page to be unchanged: the place in the journal, what is counted, the times in
 * filters that have passed, and the numbers that the place does not determine.
 */
const stateOf = (
  { at, place, counts }: Pick<Moment, 'at' | 'place'> & Partial<Moment>,
  rows: Counting[],
): unknown => [
  toSortKey(place),
  rows.map((row) => [
    row.view_id ?? row.name,
    row.wanted?.key ?? row.broken,
    timesIn(row).filter((time) => Date.parse(time) <= Date.parse(at)).length,
    counts && row.wanted && changesSilently(row) ? counts.get(row.wanted.key) : null,
  ]),
]

/** The times that a filter names. */
const timesIn = (counting: Counting): string[] =>
  leavesIn(counting).flatMap(({ of, values }) =>
    of.kind === 'time' ? values.filter((value) => typeof value === 'string') : [],
  )

type Place = Pick<Page, 'limit' | 'after'>

/** The next views, without those that this request cannot count. @param limit one more than the page has */
async function nextOf(
  ctx: Ctx,
  { group_by }: CountsQuery,
  { limit, after }: Place,
): Promise<PartialPage<Counting>> {
  const found = await nextViews(ctx.db, ctx.env.tenantId, viewerOf(ctx), { limit, after })
  const views = found.slice(0, limit - 1)
  const all = await Promise.all(
    views
      .filter(({ applies_to }) => ctx.principal.allows(scopeOf[applies_to]))
      .map(async (view) => {
        const read = await filterIfPossible(ctx, view)
        return read && countingOf(ctx, placeOf(view), view, read, group_by)
      }),
  )
  const hasMore = found.length === limit
  return {
    rows: all.filter((each) => each !== null),
    hasMore,
    reached: hasMore ? placeOf(views.at(-1)!) : null,
  }
}

const placeOf = viewOrders.position.key

/** @throws ApiError if an id names no view that the request can count, or for faults of filters */
async function nextNamed(
  ctx: Ctx,
  { ids, filters, group_by }: CountsQuery,
  { limit, after }: Place,
): Promise<PartialPage<Counting>> {
  const named = filters === undefined ? [] : await namedFilters(ctx, filters)
  const views = ids === undefined ? [] : await viewsNamed(ctx, ids.split(','))
  for (const view of views) requireItemScope(ctx, view)
  const all = [
    ...(await Promise.all(
      views.map(async (view, i) => countingOf(ctx, [i], view, await filterFor(ctx, view), group_by)),
    )),
    ...named.map(
      ({ name, filter }, i): Counting => ({
        place: [views.length + i],
        view_id: null,
        name,
        broken: null,
        wanted: wantedFor(ctx.env.tenantId, 'conversation', filter, group_by),
      }),
    ),
  ]
  const next = after === null ? 0 : (after[0] as number) + 1
  const rows = all.slice(next, next + limit - 1)
  const hasMore = all.length - next >= limit
  return { rows, hasMore, reached: hasMore ? rows.at(-1)!.place : null }
}

async function viewsNamed(ctx: Ctx, ids: string[]): Promise<View[]> {
  const uuids = [...new Set(ids)].map((id) => uuidOf('view', id)!)
  const existing = await viewTable.findMany(ctx.db, ctx.env.tenantId, uuids)
  const found = new Map((await foundAmong(existing, viewerOf(ctx))).map((view) => [view.id, view]))
  const errors = uuids
    .filter((uuid) => !found.has(uuid))
    .map((uuid) => ({
      parameter: 'ids',
      code: 'not_found' as const,
      detail: `must be ids of existing views, and ${typeId('view', uuid)} is none`,
    }))
  if (errors.length > 0) throw new ApiError('invalid_query', {}, { errors })
  return uuids.map((uuid) => found.get(uuid)!)
}
