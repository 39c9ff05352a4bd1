import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import { list, read, remove, write } from '../../../platform/resource/resource.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { countStreamEvents, eventSortKey, streamEvents } from '../../integration/events/queries.ts'
import { eventWire } from '../../integration/events/schema.ts'
import { actionRoutes } from './action-routes.ts'
import { createConversation, markRead, updateConversation } from './actions.ts'
import { claimNextRoute } from './claiming/claim-next.ts'
import { deleteConversation } from './deleting/delete.ts'
import { conversations } from './entity.ts'
import { conversationSortKey, conversationSorts } from './finding/orders.ts'
import { requestedConversations } from './finding/request.ts'
import { includes } from './included.ts'
import { allActions, allowedActions, requiredFields, targetOf } from './lifecycle.ts'
import { addParticipant, removeParticipant } from './participants.ts'
import { type Conversation, countHolds, findConversation, listHolds } from './queries.ts'
import {
  ConversationFilters,
  ConversationPatch,
  NewConversation,
  ReadMark,
  TagChange,
  TagReplacement,
} from './request-schema.ts'
import { conversationExample, conversationWire, holdWire, type Transition, transitionWire } from './schema.ts'
import { explainSla } from './sla/explain.ts'
import { explainedSlaWire } from './sla-schema.ts'
import { changeTags, replaceTags } from './tagging.ts'

const params = { id: 'conv' }
const partParams = { id: 'conv', end_user_id: 'eu' }
const changed = { ...conversationExample, updated_at: '2026-11-20T09:45:00.000Z', version: 2 }
const found = async (ctx: Ctx, id: string): Promise<Conversation> => {
  const conversation = await findConversation(ctx.db, ctx.env.tenantId, id)
  if (!conversation) throw new ApiError('not_found')
  return conversation
}

const timelineOf = (ctx: Ctx, id: string) => ({ id, ownEventsOnly: !ctx.principal.allows('messages:read') })

const transitionsOf = (conversation: Conversation): Transition[] =>
  allowedActions(conversation).map((action) => ({
    action,
    to: targetOf(conversation.status, action)!,
    required_fields: requiredFields[action] ?? [],
  }))

export const routes = [
  claimNextRoute,
  ...actionRoutes,
  write({
    method: 'POST',
    path: '/conversations',
    name: 'createConversation',
    sharesStatements: true,
    summary: 'Create a conversation',
    description:
      'Set `message` to create the first message with it, which also requires the scope `messages:write`. The conversation is pending if an operator wrote that message, otherwise open if it has an assignee, and otherwise new. If it is in a department, the rules of the department can assign it to an operator at once. Another conversation with the same `external_id` is an error (409) with the id of the first. In the console, only the role `admin` may write `message` for the end user: others receive 403 `scope_missing` with the scope `*`, unless `initiated_by_side` is `operator`.',
    scope: 'conversations:write',
    status: 201,
    errors: ['already_exists'],
    body: NewConversation,
    bodyExample: { external_user_id: 'user_42', subject: 'Card declined', metadata: { plan: 'pro' } },
    reply: conversationWire,
    location: (row) => `/conversations/${typeId('conv', row.id)}`,
    handle: (change, { body }) => createConversation(change, body),
  }),
  list({
    path: '/conversations',
    name: 'listConversations',
    summary: 'List conversations',
    description:
      'Lists the conversations that match all given filters. For an inbox of unassigned conversations, use `status=new,open&assignee_id=none&sort=sla_due_at`.',
    scope: 'conversations:read',
    query: ConversationFilters,
    item: conversationWire,
    includes,
    sorts: conversationSorts,
    sortNotes: {
      '-last_message_at': 'latest message first, those without a message last',
      sla_due_at: 'next SLA due time first, those without one last',
    },
    sortKey: conversationSortKey,
    prepare: (ctx, { query }) => requestedConversations(ctx, query),
  }),
  read({
    path: '/conversations/{id}',
    name: 'getConversation',
    summary: 'Get a conversation',
    description:
      'Returns a conversation without its messages. `sla` is computed for the time of the request, and its times change without a new `version`.',
    scope: 'conversations:read',
    params,
    includes,
    reply: conversationWire,
    handle: (ctx, { params }) => findConversation(ctx.db, ctx.env.tenantId, params.id),
  }),
  write({
    method: 'PATCH',
    path: '/conversations/{id}',
    name: 'updateConversation',
    summary: 'Update a conversation',
    description:
      'The status, assignee and tags are changed by other routes. On a closed conversation, only `metadata` can be updated. A new priority, category or department can select another SLA config.',
    scope: 'conversations:write',
    params,
    errors: ['already_exists', 'conversation_closed'],
    body: ConversationPatch,
    bodyExample: { priority: 'high', metadata: { plan: null } },
    replyExample: { ...changed, priority: 'high', metadata: {} },
    reply: conversationWire,
    handle: (change, { params, body }) => updateConversation(change, params.id, body),
  }),
  remove({
    path: '/conversations/{id}',
    name: 'deleteConversation',
    summary: 'Delete a conversation',
    description:
      'Deletes the conversation for good, with its messages, their revisions and scheduled messages, and the bytes of its files. Its texts are erased from stored events, stored responses and receivers’ answers to webhooks; ids, times and statuses stay there. `follow_up_of_id` and `merged_into_id` of other conversations become null. Refused (409 `legal_hold`) while its end user is under a legal hold. With `Backline-Operator`, only leads and administrators may do it.',
    scope: 'conversations:write',
    params,
    errors: ['legal_hold'],
    handle: (change, { params }) => deleteConversation(change, params.id),
  }),
  write({
    method: 'POST',
    path: '/conversations/{id}/read',
    name: 'markConversationRead',
    summary: 'Mark messages as read',
    description:
      'Marks messages as read by one side, up to a message, and lowers its `unread_count`. A read mark never moves backward. Emits `conversation.read`.',
    scope: 'conversations:write',
    params,
    body: ReadMark,
    bodyExample: { side: 'operator', up_to_sequence: 3 },
    reply: conversationWire,
    replyExample: {
      ...changed,
      message_count: 3,
      last_message_at: changed.updated_at,
      last_message_side: 'end_user',
    },
    handle: (change, { params, body }) => markRead(change, params.id, body),
  }),
  write({
    method: 'PUT',
    path: '/conversations/{id}/participants/{end_user_id}',
    name: 'addParticipant',
    summary: 'Add a participant',
    description:
      'The end user then takes part in the conversation: they can read it and write to it in a session of theirs. One whom a mail named is confirmed. Has no effect for the end user of the conversation and for one who takes part already.',
    scope: 'conversations:write',
    params: partParams,
    errors: ['identity_conflict'],
    reply: conversationWire,
    replyExample: {
      ...changed,
      participant_ids: ['eu_01kah1x2pje4x8ywz5v3k0t6ab'],
      participants: [
        {
          end_user_id: 'eu_01kah1x2pje4x8ywz5v3k0t6ab',
          address: null,
          source: 'api',
          confirmed: true,
          since: changed.updated_at,
        },
      ],
    },
    handle: (change, { params }) => addParticipant(change, params.id, params.end_user_id!),
  }),
  write({
    method: 'DELETE',
    path: '/conversations/{id}/participants/{end_user_id}',
    name: 'removeParticipant',
    summary: 'Remove a participant',
    description: 'Messages that the end user wrote stay. Has no effect for one who does not take part.',
    scope: 'conversations:write',
    params: partParams,
    reply: conversationWire,
    replyExample: changed,
    handle: (change, { params }) => removeParticipant(change, params.id, params.end_user_id!),
  }),
  list({
    path: '/conversations/{id}/transitions',
    name: 'listTransitions',
    summary: 'List available transitions',
    description:
      'Lists the actions that are possible in the current status, with the fields that each requires, so that clients can show them as buttons. `claim` is listed only while the conversation is unassigned.',
    scope: 'conversations:read',
    params,
    item: transitionWire,
    sorts: ['action'],
    sortNotes: { action: 'in the usual order of actions' },
    sortKey: ({ action }) => [allActions.indexOf(action)],
    handle: async (ctx, { params, page }) => {
      const after = (page.after?.[0] as number | undefined) ?? -1
      const transitions = transitionsOf(await found(ctx, params.id))
      return transitions.filter(({ action }) => allActions.indexOf(action) > after).slice(0, page.limit)
    },
    count: async (ctx, { params }) => transitionsOf(await found(ctx, params.id)).length,
  }),
  list({
    path: '/conversations/{id}/holds',
    name: 'listHolds',
    summary: 'List conversation holds',
    description:
      'Lists the periods in which the conversation was on hold, the current one included. Past holds keep their reason.',
    scope: 'conversations:read',
    params,
    item: holdWire,
    sorts: ['since'],
    sortNotes: { since: 'oldest first' },
    sortKey: (row) => [row.id],
    handle: async (ctx, { params, page }) => {
      const [holds] = await Promise.all([
        listHolds(ctx.db, ctx.env.tenantId, params.id, page),
        found(ctx, params.id),
      ])
      return holds
    },
    count: (ctx, { params }, atMost) => countHolds(ctx.db, ctx.env.tenantId, params.id, atMost),
  }),
  read({
    path: '/conversations/{id}/sla',
    name: 'explainConversationSla',
    summary: 'Explain conversation SLA clocks',
    description:
      'Returns `conversation.sla` with `spans` on each clock, which show when time counted and why it did not at other times.',
    scope: 'conversations:read',
    params,
    reply: explainedSlaWire,
    versioned: false,
    handle: async (ctx, { params }) => explainSla(ctx, await found(ctx, params.id)),
  }),
  write({
    method: 'PUT',
    path: '/conversations/{id}/tags',
    name: 'replaceConversationTags',
    summary: 'Replace conversation tags',
    description:
      'The conversation then has exactly these tags. Unknown tags are created; archived ones are refused unless the conversation has them. Allowed on closed conversations.',
    scope: 'conversations:write',
    params,
    body: TagReplacement,
    bodyExample: { tags: ['billing', 'vip'] },
    replyExample: { ...changed, tags: ['billing', 'vip'] },
    reply: conversationWire,
    handle: async (change, { params, body }) =>
      replaceTags(change, await change.rows.load(conversations, params.id), body.tags),
  }),
  write({
    method: 'POST',
    path: '/conversations/{id}/tags',
    name: 'changeConversationTags',
    summary: 'Add and remove conversation tags',
    description:
      'Adds tags, then removes tags, and leaves all others. Unknown tags in `add` are created, those in `remove` ignored. Allowed on closed conversations.',
    scope: 'conversations:write',
    params,
    body: TagChange,
    bodyExample: { add: ['vip'], remove: ['billing'] },
    replyExample: { ...changed, tags: ['vip'] },
    reply: conversationWire,
    handle: async (change, { params, body }) =>
      changeTags(change, await change.rows.load(conversations, params.id), body),
  }),
  list({
    path: '/conversations/{id}/timeline',
    name: 'listTimeline',
    summary: 'List the conversation timeline',
    description:
      'Lists the events of the conversation and its messages in commit order, oldest first. Message events are included only for keys with `messages:read`.',
    scope: 'conversations:read',
    params,
    item: eventWire,
    sorts: ['commit'],
    sortNotes: { commit: 'in commit order, oldest first' },
    sortKey: eventSortKey,
    handle: async (ctx, { params, page }) => {
      const [, events] = await Promise.all([
        found(ctx, params.id),
        streamEvents(ctx.db, ctx.env, timelineOf(ctx, params.id), page),
      ])
      return events
    },
    count: async (ctx, { params }, atMost) => {
      await found(ctx, params.id)
      return countStreamEvents(ctx.db, ctx.env.tenantId, timelineOf(ctx, params.id), atMost)
    },
  }),
]
