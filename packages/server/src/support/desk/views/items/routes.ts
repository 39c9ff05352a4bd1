import { list } from '../../../../platform/resource/resource.ts'
import { countOfViews, countViews } from './counts.ts'
import { itemIncludes, itemSortKey, itemsOf, viewItemWire } from './items.ts'
import { CountedViews, ItemFilters, maxCount, maxCounted, viewCountWire } from './schema.ts'

export const itemRoutes = [
  list({
    path: '/views/counts',
    name: 'countViewItems',
    summary: 'Count the items of views',
    description: `Lists the number of items of each view, exact up to ${maxCount.toLocaleString('en')}, in one request. Also requires the scopes \`conversations:read\` and \`end_users:read\` for views of these objects. A condition on \`me\` requires \`Backline-Operator\`. Without \`ids\`, views that the request cannot count are left out.`,
    scope: 'views:read',
    query: CountedViews,
    item: viewCountWire,
    sorts: ['position'],
    fixedSort: true,
    defaultLimit: maxCounted,
    sortKey: ({ place }) => place,
    handle: (ctx, { query, page }) => countViews(ctx, query.ids, page),
    count: (ctx, { query }, atMost) => countOfViews(ctx, query.ids, atMost),
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
