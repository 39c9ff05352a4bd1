import { ApiError } from '../../../../platform/kernel/errors.ts'
import { mapRows, type SortKey } from '../../../../platform/kernel/page.ts'
import type { Includes, ListRequest } from '../../../../platform/resource/resource.ts'
import { Type } from '../../../../platform/resource/schema.ts'
import { requireScopes } from '../../../../platform/resource/scopes.ts'
import type { Wire } from '../../../../platform/resource/wire.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { isVisible } from '../../../../platform/unit-of-work/visibility.ts'
import { type EndUserSort, requestedEndUsers } from '../../../people/end-users/finding/request.ts'
import { type EndUser, endUserOrders } from '../../../people/end-users/queries.ts'
import { endUserWire } from '../../../people/end-users/schema.ts'
import { type ConversationSort, conversationSortKey } from '../../conversations/finding/orders.ts'
import { requestedConversations } from '../../conversations/finding/request.ts'
import { includes as conversationIncludes } from '../../conversations/included.ts'
import type { Conversation } from '../../conversations/queries.ts'
import { conversationExample, conversationWire } from '../../conversations/schema.ts'
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
  requireScopes(ctx.principal.allows, scopeOf[applies_to])
}

async function readableView(ctx: Ctx, id: string): Promise<View> {
  const view = await viewTable.find(ctx.db, ctx.env.tenantId, id)
  if (!view || !(await isVisible(views, view, ctx))) throw new ApiError('not_found')
  requireItemScope(ctx, view)
  return view
}

/** Begins with the sort of the view, so that a cursor is refused after the view got another sort. */
export const itemSortKey = (item: ViewItem): SortKey => [
  item.sort,
  ...(item.of === 'conversation'
    ? conversationSortKey(item.row, item.sort as ConversationSort)
    : endUserOrders[item.sort as EndUserSort].key(item.row)),
]

/** The key without the sort. @throws ApiError `cursor_mismatch` if the view has another sort by now */
function placeAfter(after: SortKey | null, sort: string): SortKey | null {
  if (after === null) return null
  const [former, ...place] = after
  if (former !== sort) throw new ApiError('cursor_mismatch')
  return place
}

/** The objects that meet the filter of a view and those of a request. */
export async function itemsOf(ctx: Ctx, viewId: string, query: ItemFilters): Promise<ListRequest<ViewItem>> {
  const view = await readableView(ctx, viewId)
  const within = await usableFilter(ctx, view)
  const { sort } = view
  return view.applies_to === 'conversation'
    ? itemsIn(view, await requestedConversations(ctx, conversationPart(query), within), (row) => ({
        of: 'conversation',
        row,
        sort,
      }))
    : itemsIn(view, await requestedEndUsers(ctx, endUserPart(query), within), (row) => ({
        of: 'end_user',
        row,
        sort,
      }))
}

/** A cursor has no meaning after a change of the filter of the view, or for another operator if that is `me`. */
const itemsIn = <Row, Sort extends string>(
  { filter, sort }: View,
  list: ListRequest<Row, Sort>,
  itemOf: (row: Row) => ViewItem,
): ListRequest<ViewItem> => ({
  boundTo: [filter, list.boundTo],
  async page({ limit, after }) {
    const found = await list.page({ limit, after: placeAfter(after, sort), sort: sort as Sort })
    const part = Array.isArray(found)
      ? found
      : { ...found, reached: found.reached && [sort, ...found.reached] }
    return mapRows(part, (rows) => rows.map(itemOf))
  },
  count: list.count,
})

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
