import { parseInstant } from '../../../platform/kernel/clock.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { list, read, write } from '../../../platform/resource/resource.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import {
  actingOperatorOf,
  readAllNotifications,
  readNotification,
  unreadNotification,
  updatePreferences,
} from './actions.ts'
import { includes } from './included.ts'
import {
  countUnread,
  findPreferences,
  isKept,
  keptOf,
  meeting,
  notificationOrders,
  notificationTable,
} from './queries.ts'
import {
  NotificationFilters,
  notificationExample,
  notificationWire,
  PreferencesPatch,
  preferencesExample,
  preferencesWire,
  ReadAll,
  readAllWire,
  unreadCountWire,
} from './schema.ts'

const params = { id: 'ntf' }
const scopes = { read: 'notifications:read', write: 'notifications:write' } as const
const conditionsOf = (
  ctx: Ctx,
  { conversation_id: id, notified_after: after, ...query }: NotificationFilters,
) => [
  keptOf(actingOperatorOf(ctx), ctx.now()),
  ...meeting({
    ...query,
    ...(id === undefined ? {} : { conversation_id: uuidOf('conv', id)! }),
    ...(after === undefined ? {} : { notified_after: parseInstant(after)! }),
  }),
]

export const routes = [
  list({
    path: '/notifications',
    name: 'listNotifications',
    summary: 'List notifications',
    description:
      'Lists the notifications of the operator in `Backline-Operator`, or who has signed in to the console; never those of others. Of a conversation and kind, at most one is unread: further facts raise its `count`. A notification is kept for 30 days after its newest fact, and an operator has the newest 1,000. They are made within two seconds after what they are about.',
    scope: scopes.read,
    needsPerson: true,
    query: NotificationFilters,
    item: notificationWire,
    includes,
    sorts: ['-notified_at', '-created_at', 'created_at'],
    sortNotes: { '-notified_at': 'newest fact first' },
    sortKey: (row, sort) => notificationOrders[sort].key(row),
    handle: (ctx, { query, page: { sort, ...page } }) =>
      notificationTable.page(
        ctx.db,
        ctx.env.tenantId,
        conditionsOf(ctx, query),
        notificationOrders[sort],
        page,
        { slow: false },
      ),
    count: (ctx, { query }, atMost) =>
      notificationTable.count(ctx.db, ctx.env.tenantId, conditionsOf(ctx, query), atMost),
  }),
  read({
    path: '/notifications/unread_count',
    name: 'countUnreadNotifications',
    summary: 'Count unread notifications',
    description: 'Returns the numbers of unread notifications of the operator, not of their facts.',
    scope: scopes.read,
    needsPerson: true,
    reply: unreadCountWire,
    versioned: false,
    handle: (ctx) => countUnread(ctx.db, ctx.env.tenantId, actingOperatorOf(ctx), ctx.now()),
  }),
  write({
    method: 'POST',
    path: '/notifications/read_all',
    name: 'readAllNotifications',
    summary: 'Mark notifications as read',
    description:
      'Reads all unread notifications of the operator, or those about a conversation or of some kinds. What happened by `up_to` and has not been noticed yet is read as well; what happens later is not.',
    scope: scopes.write,
    needsPerson: true,
    body: ReadAll,
    bodyOptional: true,
    bodyExample: { up_to: notificationExample.notified_at },
    reply: readAllWire,
    versionOf: null,
    handle: (change, { body }) => readAllNotifications(change, body),
  }),
  read({
    path: '/notifications/{id}',
    name: 'getNotification',
    summary: 'Get a notification',
    description: 'Returns a notification of the operator; 404 for one of another operator.',
    scope: scopes.read,
    needsPerson: true,
    params,
    reply: notificationWire,
    includes,
    async handle(ctx, { params: { id } }) {
      const operatorId = actingOperatorOf(ctx)
      const row = await notificationTable.find(ctx.db, ctx.env.tenantId, id)
      return row?.operator_id === operatorId && isKept(row, ctx.now()) ? row : null
    },
  }),
  write({
    method: 'POST',
    path: '/notifications/{id}/read',
    name: 'readNotification',
    summary: 'Mark a notification as read',
    description: 'Has no effect on one that was read. Emits no event.',
    scope: scopes.write,
    needsPerson: true,
    params,
    reply: notificationWire,
    replyExample: { ...notificationExample, read_at: '2026-11-20T09:50:00.000Z', version: 3 },
    handle: (change, { params: { id } }) => readNotification(change, id),
  }),
  write({
    method: 'POST',
    path: '/notifications/{id}/unread',
    name: 'unreadNotification',
    summary: 'Mark a notification as unread',
    description:
      'Has no effect on one that is unread. 409 `already_exists`, with the id, while another one about the conversation and of the kind is unread. Emits no event.',
    scope: scopes.write,
    needsPerson: true,
    params,
    errors: ['already_exists'],
    reply: notificationWire,
    handle: (change, { params: { id } }) => unreadNotification(change, id),
  }),
  read({
    path: '/notification_preferences',
    name: 'getNotificationPreferences',
    summary: 'Get notification preferences',
    description: 'Returns what the operator has set, and the defaults of everything else.',
    scope: scopes.read,
    needsPerson: true,
    reply: preferencesWire,
    async handle(ctx) {
      const [own] = await findPreferences(ctx.db, ctx.env.tenantId, [actingOperatorOf(ctx)])
      return own ?? null
    },
  }),
  write({
    method: 'PATCH',
    path: '/notification_preferences',
    name: 'updateNotificationPreferences',
    summary: 'Update notification preferences',
    description:
      'Changes the members that the body names, at every depth. They apply to what happens afterwards.',
    scope: scopes.write,
    needsPerson: true,
    body: PreferencesPatch,
    bodyExample: { kinds: { answered: { desktop: false } } },
    reply: preferencesWire,
    replyExample: preferencesExample,
    handle: (change, { body }) => updatePreferences(change, body),
  }),
]
