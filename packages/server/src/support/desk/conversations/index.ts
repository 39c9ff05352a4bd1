import { defineResource } from '../../../platform/resource/resource.ts'
import { assigningReactions } from './assigning/reactions.ts'
import { autoClose, onWorkspace } from './auto-close.ts'
import { removal } from './deleting/removal.ts'
import { conversations } from './entity.ts'
import { followers } from './followers/entity.ts'
import { routes as followerRoutes } from './followers/routes.ts'
import { followerExample } from './followers/schema.ts'
import { holdExpiry } from './hold.ts'
import { holdFollowUp } from './hold-follow-up.ts'
import { conversationReactions } from './reactions.ts'
import { routes } from './routes.ts'
import { routingReactions } from './routing/reactions.ts'
import { routingRoutes } from './routing/routes.ts'
import { lookAgain, routeDepartment, routeOperator } from './routing/routing.ts'
import { conversationExample } from './schema.ts'
import { slaAlarm } from './sla/alarms.ts'
import { slaReactions } from './sla/reactions.ts'
import { rollOutSlaConfig, rollOutSlaConfigAgain } from './sla/roll-out-config.ts'
import { slaRoutes } from './sla/routes.ts'
import { slaExampleAfter } from './sla-schema.ts'

const event = (verb: string, description: string, changed = {}, previous = {}) => ({
  type: `conversation.${verb}`,
  description,
  example: { ...conversationExample, ...changed },
  previous,
})
const at = conversationExample.updated_at
const [warned_at, breached_at] = ['2026-11-20T10:18:00.000Z', '2026-11-20T10:30:00.000Z']
const ended = { waiting_on: null, waiting_since: null, resolved_at: at }

export default defineResource({
  name: 'conversations',
  title: 'Conversations',
  group: { title: 'Conversations', place: 11 },
  scopes: { family: 'conversations', roles: { agent: 'write', lead: 'write' } },
  description: 'Threads between an end user and operators, from the first message until they are closed.',
  routes: [...routes, ...followerRoutes, ...routingRoutes, ...slaRoutes],
  entities: [conversations, followers],
  reactions: [
    ...assigningReactions,
    ...routingReactions,
    ...conversationReactions,
    ...slaReactions,
    onWorkspace,
  ],
  events: [
    event('created', 'A conversation was created.'),
    event(
      'imported',
      'An import created a conversation with its past, or added messages to it; `message_count` tells how many there are. Webhook endpoints receive it only if they name it.',
      { status: 'closed', waiting_on: null, waiting_since: null, closed_at: at },
    ),
    event('updated', 'Fields of a conversation changed, or a message changed its status to pending or open.'),
    event('assigned', 'A conversation was assigned to or unassigned from an operator or a department.', {
      status: 'open',
      assignee_id: 'op_01kah1vgm0e1tbm5ye8n2m9q7c',
    }),
    event('held', 'A conversation was put on hold.', {
      status: 'on_hold',
      waiting_on: 'third_party',
      hold: { hold_reason_id: 'hold_01kah1vgm0e1tbm5ye8n2m9q7c', note: null, since: at, until: null },
    }),
    event('resumed', 'A conversation was taken off hold.', { status: 'open' }),
    event('resolved', 'A conversation was resolved.', { ...ended, status: 'resolved' }),
    event('reopened', 'A resolved conversation was reopened.', { status: 'open', reopened_count: 1 }),
    event('closed', 'A conversation was closed permanently.', { ...ended, status: 'closed', closed_at: at }),
    event('merged', 'A conversation was merged into another one, `merged_into_id`, and closed.', {
      ...ended,
      status: 'closed',
      closed_at: at,
      merged_into_id: 'conv_01kah1x2pje4x8ywz5v3k0t6ab',
    }),
    event('tags_changed', 'Tags were added to a conversation or removed from it.'),
    event('read', 'One side read messages.'),
    {
      type: 'conversation.follower_added',
      description: 'A request let an operator follow a conversation. Following by itself emits no event.',
      example: followerExample,
    },
    {
      type: 'conversation.follower_removed',
      description: 'A request ended that an operator follows a conversation.',
      example: followerExample,
    },
    event(
      'sla_warning',
      'An SLA clock reached the warning threshold of its config: the clock whose `warned_at` is null in `previous`.',
      { sla: slaExampleAfter(2880, { warned_at }), updated_at: warned_at, version: 2 },
      { sla: slaExampleAfter(2880) },
    ),
    event(
      'sla_breached',
      'An SLA clock missed its target: the clock whose `breached_at` is null in `previous`.',
      {
        sla: slaExampleAfter(3600, { status: 'breached', warned_at, breached_at }),
        updated_at: breached_at,
        version: 3,
      },
      { sla: slaExampleAfter(3600, { warned_at }) },
    ),
    {
      ...event(
        'deleted',
        'A conversation was deleted, with its messages and files. The object has these members alone.',
      ),
      members: conversations.shownIn!['conversation.deleted']!,
    },
  ],
  jobs: [
    removal,
    holdExpiry,
    holdFollowUp,
    autoClose,
    routeDepartment,
    lookAgain,
    routeOperator,
    slaAlarm,
    rollOutSlaConfig,
    rollOutSlaConfigAgain,
  ],
})
