import { ApiError } from '../../../../platform/kernel/errors.ts'
import { typeId, uuidOf } from '../../../../platform/kernel/ids.ts'
import type { Page, PartialPage, SortKey } from '../../../../platform/kernel/page.ts'
import { filterLimits } from '../../../../platform/lists/page.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { viewerOf } from '../../../../platform/unit-of-work/visibility.ts'
import { endUserList } from '../../../people/end-users/finding/request.ts'
import { conversationList } from '../../conversations/finding/request.ts'
import { filterFor, filterIfPossible } from '../filter.ts'
import { foundAmong, nextViews, type View, viewOrders, viewTable } from '../queries.ts'
import { requireItemScope, scopeOf } from './items.ts'
import { maxCount, type ViewCount } from './schema.ts'

/** Views that are counted at once: counts of one environment leave connections to others. */
const atOnce = 3
/** The time for all counts of a request; each has at least one statement. */
const withinMs = 4_000

/** The numbers of items of views, in the order of the ids, or of the views if none are given. */
export async function countViews(
  ctx: Ctx,
  ids: string | undefined,
  page: Page,
): Promise<PartialPage<ViewCount>> {
  const { rows, ...rest } = await (ids === undefined ? nextOf(ctx, page) : nextNamed(ctx, ids, page))
  const waiting = rows.entries()
  const endsAtMs = performance.now() + withinMs
  const counts: ViewCount[] = []
  const work = async () => {
    for (const [i, each] of waiting) counts[i] = await countOf(ctx, each, endsAtMs - performance.now())
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { rows: counts, ...rest }
}

/** The number of the views that would be counted, up to `atMost`. */
export const countOfViews = async (ctx: Ctx, ids: string | undefined, atMost: number): Promise<number> => {
  const page = { limit: atMost + 1, after: null }
  const { rows } = await (ids === undefined ? nextOf(ctx, page) : nextNamed(ctx, ids, page))
  return rows.length
}

type Readable = { place: SortKey; view: View; read: Awaited<ReturnType<typeof filterFor>> }

type Place = Pick<Page, 'limit' | 'after'>

/** The next views, without those that this request cannot count. @param limit one more than the page has */
async function nextOf(ctx: Ctx, { limit, after }: Place): Promise<PartialPage<Readable>> {
  const found = await nextViews(ctx.db, ctx.env.tenantId, viewerOf(ctx), { limit, after })
  const views = found.slice(0, limit - 1)
  const all = await Promise.all(
    views
      .filter(({ applies_to }) => ctx.principal.allows(scopeOf[applies_to]))
      .map(async (view) => ({ place: placeOf(view), view, read: await filterIfPossible(ctx, view) })),
  )
  const hasMore = found.length === limit
  return {
    rows: all.filter((each): each is Readable => each.read !== null),
    hasMore,
    reached: hasMore ? placeOf(views.at(-1)!) : null,
  }
}

const placeOf = viewOrders.position.key

/** @throws ApiError if one of the ids names no view that the request can count */
async function nextNamed(ctx: Ctx, ids: string, { limit, after }: Place): Promise<PartialPage<Readable>> {
  const views = await named(ctx, ids.split(','))
  const next = after === null ? 0 : (after[0] as number) + 1
  const rows = views.slice(next, next + limit - 1)
  const hasMore = views.length - next >= limit
  return { rows, hasMore, reached: hasMore ? rows.at(-1)!.place : null }
}

async function named(ctx: Ctx, ids: string[]): Promise<Readable[]> {
  const views = await viewsNamed(ctx, ids)
  for (const view of views) requireItemScope(ctx, view)
  return Promise.all(views.map(async (view, i) => ({ place: [i], view, read: await filterFor(ctx, view) })))
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

async function countOf(ctx: Ctx, { place, view, read }: Readable, withinMs: number): Promise<ViewCount> {
  const { db, env } = ctx
  const view_id = typeId('view', view.id)
  if ('broken' in read) return { place, view_id, count: null, more: false, broken: read.broken }
  const at = { tenantId: env.tenantId, now: ctx.now() }
  const limits = { ...filterLimits, pageMs: withinMs }
  const list =
    view.applies_to === 'conversation'
      ? conversationList(db, at, read.filter, undefined, { filters: limits })
      : endUserList(db, at, read.filter, undefined, limits)
  const counted = await list.count(maxCount + 1)
  const { count, more } = typeof counted === 'number' ? { count: counted, more: false } : counted
  return { place, view_id, count: Math.min(count, maxCount), more: more || count > maxCount, broken: null }
}
