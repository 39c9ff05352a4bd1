import type { Counted } from '../../../../platform/filters/lists/queries.ts'
import type { Filter } from '../../../../platform/filters/tree.ts'
import { ApiError } from '../../../../platform/kernel/errors.ts'
import { mapRows, type Page, type SortKey, type Stretch } from '../../../../platform/kernel/page.ts'
import type { Includes } from '../../../../platform/resource/resource.ts'
import { Type } from '../../../../platform/resource/schema.ts'
import { requireScopes } from '../../../../platform/resource/scopes.ts'
import type { Wire } from '../../../../platform/resource/wire.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { isVisible } from '../../../../platform/unit-of-work/visibility.ts'
import { type EndUser, endUserOrders } from '../../../people/end-users/queries.ts'
import { endUserWire } from '../../../people/end-users/schema.ts'
import { endUsersAskedFor } from '../../../people/end-users/search/asked.ts'
import { countEndUsers, type EndUserSort, listEndUsers } from '../../../people/end-users/search/queries.ts'
import { valuesIn } from '../../conversations/filters/reading.ts'
import { includes as conversationIncludes } from '../../conversations/included.ts'
import { type ConversationSort, conversationSortKey } from '../../conversations/lists/queries.ts'
import type { Conversation } from '../../conversations/queries.ts'
import { conversationExample, conversationWire } from '../../conversations/schema.ts'
import { conversationsAskedFor, meantBy } from '../../conversations/search/asked.ts'
import { countConversations, listConversations } from '../../conversations/search/queries.ts'
import { views } from '../entity.ts'
import { usableFilter, type ViewSubject } from '../filter.ts'
import { type View, viewTable } from '../queries.ts'
import { conversationPart, endUserPart, type ItemFilters } from './schema.ts'

/** An item, with the sort of the view at the time. */
type ViewItem = { sort: string } & (
  | { of: 'conversation'; row: Conversation }
  | { of: 'end_user'; row: EndUser }
)

export const viewItemWire: Wire<ViewItem> = {
  name: 'ViewItem',
  schema: Type.Unsafe<object>({
    description: 'A conversation or an end user, by the `applies_to` of the view.',
    oneOf: [conversationWire.schema, endUserWire.schema],
  }),
  example: conversationExample,
  json: ({ of, row }, now) =>
    of === 'conversation' ? conversationWire.json(row, now) : endUserWire.json(row, now),
}

export const scopeOf: Record<ViewSubject, string> = {
  conversation: 'conversations:read',
  end_user: 'end_users:read',
}

/** @throws ApiError `scope_missing` if the key cannot read the objects of a view */
export function requireItemScope(ctx: Ctx, { applies_to }: Pick<View, 'applies_to'>): void {
  requireScopes(ctx.allows, scopeOf[applies_to])
}

async function readableView(ctx: Ctx, id: string): Promise<View> {
  const view = await viewTable.find(ctx.db, ctx.env.tenantId, id)
  if (!view || !(await isVisible(views, view, ctx))) throw new ApiError('not_found')
  requireItemScope(ctx, view)
  return view
}

/** The place of an item begins with the sort: a cursor from before a change of it has no meaning afterwards. */
export const itemSortKey = (item: ViewItem): SortKey => [
  item.sort,
  ...(item.of === 'conversation'
    ? conversationSortKey(item.row, item.sort as ConversationSort)
    : endUserOrders[item.sort as EndUserSort].key(item.row)),
]

/** The key in the list itself. @throws ApiError `cursor_mismatch` if the view has another sort by now */
function placeAfter(after: SortKey | null, { sort }: View): SortKey | null {
  if (after === null) return null
  const [former, ...place] = after
  if (former !== sort) throw new ApiError('cursor_mismatch')
  return place
}

/** A cursor has no meaning after a change of the filter of the view, or for another operator if that is `me`. */
export async function itemCursorOf(ctx: Ctx, viewId: string, query: ItemFilters): Promise<unknown> {
  const view = await readableView(ctx, viewId)
  const asked = await askedOf(ctx, view, query)
  return [
    view.filter,
    asked.of === 'conversation' ? meantBy(query, asked.filter) : valuesIn(asked.filter.filter),
  ]
}

export async function listItems(
  ctx: Ctx,
  viewId: string,
  query: ItemFilters,
  { limit, after }: Page,
): Promise<ViewItem[] | Stretch<ViewItem>> {
  const view = await readableView(ctx, viewId)
  const { sort } = view
  const asked = await askedOf(ctx, view, query)
  const page = { limit, after: placeAfter(after, view) }
  const { db, env } = ctx
  if (asked.of === 'conversation') {
    const order = { ...page, sort: sort as ConversationSort }
    const found = await listConversations(db, env.tenantId, asked.filter, order, ctx.now())
    return asItems(found, sort, (row) => ({ of: 'conversation', row, sort }))
  }
  const order = { ...page, sort: sort as EndUserSort }
  const found = await listEndUsers(db, env.tenantId, asked.filter, order, ctx.now())
  return asItems(found, sort, (row) => ({ of: 'end_user', row, sort }))
}

const asItems = <Row>(
  found: Row[] | Stretch<Row>,
  sort: string,
  itemOf: (row: Row) => ViewItem,
): ViewItem[] | Stretch<ViewItem> =>
  mapRows(
    Array.isArray(found) ? found : { ...found, reached: found.reached && [sort, ...found.reached] },
    (rows) => rows.map(itemOf),
  )

export async function countItems(
  ctx: Ctx,
  viewId: string,
  query: ItemFilters,
  atMost: number,
): Promise<number | Counted> {
  const asked = await askedOf(ctx, await readableView(ctx, viewId), query)
  const { db, env } = ctx
  return asked.of === 'conversation'
    ? countConversations(db, env.tenantId, asked.filter, atMost, ctx.now())
    : countEndUsers(db, env.tenantId, asked.filter, atMost, ctx.now())
}

/** The filter of a view together with those of a request. */
async function askedOf(ctx: Ctx, view: View, query: ItemFilters) {
  const tree = await usableFilter(ctx, view)
  if (view.applies_to === 'conversation') {
    const asked = await conversationsAskedFor(ctx, conversationPart(query))
    return { of: 'conversation' as const, filter: { ...asked, filter: both(tree, asked.filter) } }
  }
  const asked = await endUsersAskedFor(ctx, endUserPart(query))
  return { of: 'end_user' as const, filter: { ...asked, filter: both(tree, asked.filter) } }
}

const both = (one: Filter, other: Filter | undefined): Filter => (other ? { all: [one, other] } : one)

/** The objects of conversations alone. */
export const itemIncludes: Includes<ViewItem> = {
  names: conversationIncludes.names,
  async of(ctx, items, names) {
    const rows = items.map((item) => {
      if (item.of === 'conversation') return item.row
      const detail = 'must be total or omitted for a view of end users'
      throw new ApiError(
        'invalid_query',
        {},
        { errors: [{ parameter: 'include', code: 'not_allowed', detail }] },
      )
    })
    const included = await conversationIncludes.of(ctx, rows, names)
    return included.map((row, i) => ({ of: 'conversation', row, sort: items[i]!.sort }))
  },
}
