import { list } from '../../../../platform/resource/resource.ts'
import { requestedCounts } from './counts.ts'
import { itemIncludes, itemSortKey, itemsOf, viewItemWire } from './items.ts'
import { CountedViews, ItemFilters, maxCount, maxCounted, maxNamedFilters, viewCountWire } from './schema.ts'

export const itemRoutes = [
  list({
    path: '/views/counts',
    name: 'countViewItems',
    summary: 'Count the items of views',
    description: `Lists the number of items of each view and of each of \`filters\`, exact up to ${maxCount.toLocaleString('en')}, and with \`group_by\` also by assignee or department. All numbers are those of one moment, \`as_of\`. Also requires the scope \`conversations:read\` for \`filters\`, and this or \`end_users:read\` for views of these objects. A condition on \`me\` requires \`Backline-Operator\`. Without \`ids\` and \`filters\`, all views are counted that are not archived, without those that the request cannot count. With the \`ETag\` of an earlier page in \`If-None-Match\`, the response is 304 if nothing has changed since. On the event stream, \`view_counts\` says when to ask again.`,
    scope: 'views:read',
    query: CountedViews,
    item: viewCountWire,
    sorts: ['position'],
    fixedSort: true,
    defaultLimit: maxCounted + maxNamedFilters,
    dated: true,
    sortKey: ({ place }) => place,
    prepare: async (ctx, { query }) => requestedCounts(ctx, query),
  }),
  list({
    path: '/views/{id}/items',
    name: 'listViewItems',
    summary: 'List the items of a view',
    description:
      'Lists the conversations or end users that meet the filter of the view and all given filters, in the order of the view. Also requires the scope `conversations:read` or `end_users:read`. A condition on `me` requires `Backline-Operator`. A cursor is not valid after a change of the filter or sort of the view, and with a condition on `me` for another operator.',
    scope: 'views:read',
    params: { id: 'view' },
    errors: ['view_broken'],
    query: ItemFilters,
    item: viewItemWire,
    includes: itemIncludes,
    sorts: ['view'],
    fixedSort: true,
    sortKey: itemSortKey,
    prepare: (ctx, { params, query }) => itemsOf(ctx, params.id, query),
  }),
]
