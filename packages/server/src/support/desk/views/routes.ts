import { uuidOf } from '../../../platform/kernel/ids.ts'
import { crud } from '../../../platform/resource/crud.ts'
import { reorder } from '../../../platform/resource/reorder.ts'
import { write } from '../../../platform/resource/resource.ts'
import { listOf } from '../../../platform/resource/wire.ts'
import { viewerOf } from '../../../platform/unit-of-work/visibility.ts'
import { createView, deleteView, updateView } from './actions.ts'
import { views } from './entity.ts'
import { foundBy, viewOrders, viewTable, visibleTo, withSubject } from './queries.ts'
import { maxReordered, NewView, ViewFilters, ViewOrder, ViewPatch, viewExample, viewWire } from './schema.ts'

export const routes = [
  ...crud({
    path: '/views',
    family: 'views',
    prefix: 'view',
    noun: 'view',
    wire: viewWire,
    versionOf: ({ broken, version }) => (broken ? null : version), // it breaks and is mended without a new version
    table: viewTable,
    orders: viewOrders,
    filters: ViewFilters,
    isVisible: views.isVisible!,
    conditions: ({ operator_id, applies_to }, ctx) => [
      foundBy(viewerOf(ctx)),
      ...(operator_id === undefined ? [] : [visibleTo(ctx.env.tenantId, uuidOf('op', operator_id)!)]),
      ...(applies_to === undefined ? [] : [withSubject(applies_to)]),
    ],
    create: {
      description:
        'Saves a filter under a name, with an order and columns. All faults of the filter are named at once, with their pointers in the body.',
      body: NewView,
      example: { name: viewExample.name, filter: viewExample.filter, columns: viewExample.columns },
      handle: createView,
    },
    list: {
      description:
        'Lists the views of the environment, in the order in which to show them; for a request that acts for an operator, without those of others. With `operator_id`, lists those that the operator sees.',
    },
    read: { description: 'Returns a view by its id, without its items.' },
    update: {
      description:
        '`applies_to` cannot be changed. A new filter mends a `broken` view; other fields of it can be changed without one.',
      body: ViewPatch,
      example: { name: 'Without an operator' },
      replyExample: { ...viewExample, name: 'Without an operator', version: 2 },
      handle: (change, patch, id) => updateView(change, id, patch),
    },
    remove: { description: 'Deletes the view. Its items are not changed.', handle: deleteView },
  }),
  write({
    method: 'POST',
    path: '/views/reorder',
    name: 'reorderViews',
    summary: 'Reorder views',
    description:
      'Gives the views the positions 0, 1, 2 and so on, archived ones included, and returns them in their new order. Each whose position changes emits `view.reordered`.',
    scope: 'views:write',
    body: ViewOrder,
    bodyExample: { ids: ['view_01kah1x2pje4x8ywz5v3k0t6ab', viewExample.id] },
    reply: listOf('OrderedViews', viewWire, maxReordered),
    versionOf: null,
    handle: (change, { body }) => reorder(change, views, body.ids),
  }),
]
