import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Actor,
  CommaSeparated,
  Described,
  Enum,
  Flag,
  Id,
  Int,
  List,
  type Members,
  Nullable,
  Optional,
  PartialShape,
  revision,
  Shape,
  Timestamp,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { endUserWire } from '../../people/end-users/schema.ts'
import { clockNames } from '../../sla/clocks/clocks.ts'
import { conversationWire } from '../conversations/schema.ts'
import { messageWire } from '../messages/schema.ts'
import { defaultFollow, defaultKinds, kinds, type NotificationKind, ofEachKind, reasons } from './kinds.ts'
import { type Notification, type Preferences, totalOf, type UnreadCount } from './queries.ts'

const maxCount = 2147483647

export const notificationExample = {
  id: 'ntf_01kah1x2pje4x8ywz5v3k0t6ab',
  object: 'notification',
  operator_id: 'op_01kah1vgm0e1tbm5ye8n2m9q7c',
  kind: 'answered',
  reason: 'assignee',
  conversation_id: 'conv_01kah1vgm0e1tbm5ye8n2m9q7c',
  message_id: 'msg_01kah1x2pje4x8ywz5v3k0t6ab',
  event_id: 'evt_01kah1x2pje4x8ywz5v3k0t6ab',
  actor: { type: 'api_key', id: 'key_01jd3v7wh2e7ktvq4n1m8r5z9a', operator_id: null },
  sla_metric: null,
  count: 2,
  read_at: null,
  notified_at: '2026-11-20T09:45:00.000Z',
  created_at: '2026-11-20T09:31:00.000Z',
  updated_at: '2026-11-20T09:45:01.000Z',
  version: 2,
}

export const notificationWire = defineWire<Notification>({
  name: 'Notification',
  schema: Shape({
    id: Id('ntf'),
    object: Enum(['notification']),
    operator_id: Id('op', { description: 'The operator who is notified.' }),
    kind: Enum(kinds, {
      description:
        'What happened. `mentioned`: a note mentions the operator. `assigned`: the conversation became theirs. `handed_over`: it became somebody else’s or nobody’s, or came to their department without an assignee. `answered`: a public message of the end user side. `followed_up`: the conversation continues one of theirs. `sla_breached` and `sla_warning`: the event of that name.',
    }),
    reason: Enum(reasons, {
      description:
        'Why the operator is notified: as `assignee`, as `follower`, or because the note has `mentioned` them. With `handed_over`: the conversation was `reassigned` or `unassigned`, or came to the `department`.',
    }),
    conversation_id: Id('conv', {
      description: 'The conversation; after a merge the one it was merged into.',
    }),
    message_id: Nullable(Id('msg'), { description: 'The newest message that it is about; null for none.' }),
    event_id: Id('evt', { description: 'The event of the newest fact.' }),
    actor: Actor({ description: 'Who did it, as in that event.' }),
    sla_metric: Nullable(Enum(clockNames), {
      description: 'The metric of the newest breach or warning; null for other kinds.',
    }),
    count: Int(1, maxCount, {
      description: 'The number of facts of this kind since the operator last read of them.',
    }),
    read_at: Nullable(Timestamp(), {
      description: 'The time at which it was read; null while it is unread.',
    }),
    notified_at: Timestamp({ description: 'The time of the newest fact.' }),
    conversation: Optional(
      Nullable(conversationWire.schema, {
        description: 'The conversation; null where it is gone. Present with `include=conversation`.',
      }),
    ),
    end_user: Optional(
      Nullable(endUserWire.schema, {
        description:
          'The end user of the conversation; null where it is gone. Present with `include=end_user`.',
      }),
    ),
    message: Optional(
      Nullable(messageWire.schema, {
        description: 'The message; null without one. Present with `include=message`.',
      }),
    ),
    ...revision,
    created_at: Timestamp({ description: 'The time of the first fact.' }),
  }),
  example: notificationExample,
  present: (row) => ({
    id: typeId('ntf', row.id),
    object: 'notification',
    operator_id: typeId('op', row.operator_id),
    kind: row.kind,
    reason: row.reason,
    conversation_id: typeId('conv', row.conversation_id),
    message_id: row.message_id && typeId('msg', row.message_id),
    event_id: typeId('evt', row.event_id),
    actor: { type: row.actor_type, id: row.actor_id, operator_id: row.actor_operator_id },
    sla_metric: row.sla_metric,
    count: row.count,
    read_at: row.read_at,
    notified_at: row.notified_at,
    ...row.included,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
})

export const NotificationFilters = Shape({
  read: Optional(
    Enum(['true', 'false'], { description: 'Return only those that were read, or only unread ones.' }),
  ),
  kind: Optional(
    CommaSeparated(kinds, {
      description: 'Return only notifications of these kinds, comma-separated.',
      examples: ['mentioned,assigned'],
    }),
  ),
  conversation_id: Optional(Id('conv', { description: 'Return only those about this conversation.' })),
  notified_after: Optional(
    Timestamp({ description: 'Return only those whose newest fact is later than this.' }),
  ),
})
export type NotificationFilters = Members<typeof NotificationFilters>

export const unreadCountWire = defineWire<UnreadCount>({
  name: 'NotificationCount',
  schema: Shape({
    object: Enum(['notification_count']),
    unread: Int(0, maxCount, { description: 'The number of unread notifications.' }),
    by_kind: Shape(
      ofEachKind((kind) =>
        Int(0, maxCount, { description: `Unread notifications of the kind \`${kind}\`.` }),
      ),
      { description: 'The number of unread notifications of each kind.' },
    ),
    notified_at: Nullable(Timestamp(), {
      description: 'The time of the newest fact of an unread notification; null without one.',
    }),
  }),
  example: {
    object: 'notification_count',
    unread: 1,
    by_kind: { ...ofEachKind(() => 0), answered: 1 },
    notified_at: notificationExample.notified_at,
  },
  present: (row) => ({ object: 'notification_count', unread: totalOf(row), ...row }),
})

export const ReadAll = WithCheck(
  Shape({
    up_to: Optional(
      Timestamp({
        description:
          'Reads only notifications whose newest fact is not later than this; the present time by default. Set it to the newest `notified_at` that was shown: what came after it stays unread.',
      }),
    ),
    kinds: Optional(
      List(Enum(kinds), kinds.length, {
        description: 'Reads only notifications of these kinds.',
        minItems: 1,
      }),
    ),
    conversation_id: Optional(Id('conv', { description: 'Reads only those about this conversation.' })),
  }),
  ({ up_to }, ctx) =>
    up_to !== undefined && new Date(up_to).toISOString() > ctx.now()
      ? [{ pointer: '/up_to', code: 'too_large', detail: 'must not be in the future' }]
      : [],
)
export type ReadAll = Members<typeof ReadAll>

export type ReadAllResult = { read: number; unread: number }

export const readAllWire = defineWire<ReadAllResult>({
  name: 'NotificationsRead',
  schema: Shape({
    object: Enum(['notifications_read']),
    read: Int(0, maxCount, { description: 'The number of notifications that this request read.' }),
    unread: Int(0, maxCount, { description: 'The number of unread notifications that are left.' }),
  }),
  example: { object: 'notifications_read', read: 3, unread: 1 },
  present: (row) => ({ object: 'notifications_read', ...row }),
})

const settings = {
  inbox: Flag({
    description: 'Whether notifications of this kind are made. Without them, none is shown on the desktop.',
  }),
  desktop: Flag({ description: 'Whether a client may show them outside its page as well.' }),
  email: Flag({ description: 'Reserved; false.' }),
}

const aboutKind = (kind: NotificationKind) => `Settings of notifications of the kind \`${kind}\`.`

const follow = {
  on_mention: Flag({ description: 'Whether a mention makes the operator follow the conversation.' }),
  on_reply: Flag({
    description: 'Whether a public message of the operator makes them follow the conversation.',
  }),
}

export const preferencesExample = {
  object: 'notification_preferences',
  operator_id: 'op_01kah1vgm0e1tbm5ye8n2m9q7c',
  kinds: { ...defaultKinds, answered: { inbox: true, desktop: false, email: false } },
  follow: defaultFollow,
  updated_at: '2026-11-20T09:45:00.000Z',
  version: 2,
}

export const preferencesWire = defineWire<Preferences>({
  name: 'NotificationPreferences',
  schema: Shape({
    object: Enum(['notification_preferences']),
    operator_id: Id('op', { description: 'The operator whose preferences these are.' }),
    kinds: Shape(
      ofEachKind((kind) => Shape(settings, { title: 'NotificationSettings', description: aboutKind(kind) })),
      { description: 'What is made of each kind of notifications.' },
    ),
    follow: Shape(follow, { description: 'When the operator follows a conversation by themselves.' }),
    updated_at: Nullable(Timestamp(), {
      description: 'The time of the last change; null while the operator has set nothing.',
    }),
    version: Int(1, maxCount, { description: 'Raised by every change.' }),
  }),
  example: preferencesExample,
  present: (row) => ({
    object: 'notification_preferences',
    operator_id: typeId('op', row.id),
    kinds: row.kinds,
    follow: row.follow,
    updated_at: row.is_set ? row.updated_at : null,
    version: row.version,
  }),
})

const KindPatch = WithCheck(PartialShape(settings), ({ email }) =>
  email ? [{ pointer: '/email', code: 'not_allowed', detail: 'is reserved, and must be false' }] : [],
)

export const PreferencesPatch = PartialShape({
  kinds: PartialShape(
    ofEachKind((kind) => Described(aboutKind(kind), KindPatch)),
    {
      description:
        'The settings of some kinds; other kinds, and members that are left out, stay as they are.',
    },
  ),
  follow: PartialShape(follow, {
    description: 'When the operator follows; members that are left out stay as they are.',
  }),
})
export type PreferencesPatch = Members<typeof PreferencesPatch>
