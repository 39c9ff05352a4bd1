import type { Ctx } from '../../context.ts'
import { parseInstant } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { list, read, write } from '../../resource.ts'
import { countStreamEvents, eventSortKey, streamEvents } from '../events/queries.ts'
import { eventWire } from '../events/schema.ts'
import { actOn, createConversation, markRead, resolveConversation, updateConversation } from './actions.ts'
import { allActions, allowedActions, type Status, statuses, targetOf, waitingOn } from './lifecycle.ts'
import {
  type Conversation,
  type ConversationFilter,
  conversationSortKey,
  conversationSorts,
  countConversations,
  findConversation,
  listConversations,
} from './queries.ts'
import {
  ConversationFilters,
  ConversationPatch,
  conversationExample,
  conversationWire,
  NewConversation,
  ReadMark,
  Resolution,
  type Transition,
  transitionWire,
} from './schema.ts'

const params = { id: 'conv' }
const later = '2026-11-20T09:45:00.000Z'
const changed = { ...conversationExample, updated_at: later, version: 2 }
const done = { ...changed, waiting_on: null, waiting_since: null }
const found = async (ctx: Ctx, id: string): Promise<Conversation> => {
  const conversation = await findConversation(ctx.db, ctx.env.tenantId, id)
  if (!conversation) throw new ApiError('not_found')
  return conversation
}

const timelineOf = (ctx: Ctx, id: string) => ({ id, ownEventsOnly: !ctx.allows('messages:read') })

/** Query parameters as the queries want them: lists split, times in UTC, `waiting_on` as the statuses it means. */
function toFilter(query: ConversationFilters): ConversationFilter {
  const { status, waiting_on, created_after, created_before, updated_after, ...rest } = query
  const instants = Object.entries({ created_after, created_before, updated_after }).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, parseInstant(text)!]],
  )
  return {
    ...rest,
    ...Object.fromEntries(instants),
    ...(status === undefined ? {} : { status: status.split(',') as Status[] }),
    ...(waiting_on === undefined
      ? {}
      : { waiting_on_status: statuses.filter((s) => waitingOn[s] === waiting_on) }),
  }
}

const transitionsOf = (conversation: Conversation): Transition[] =>
  allowedActions(conversation.status).map((action) => ({
    action,
    to: targetOf(conversation.status, action)!,
    required_fields: [],
  }))

export const routes = [
  write({
    method: 'POST',
    path: '/conversations',
    name: 'createConversation',
    summary: 'Start a conversation',
    description:
      'With `message`, the first message is created in the same transaction; that needs `messages:write` too.',
    scope: 'conversations:write',
    status: 201,
    errors: ['already_exists'],
    body: NewConversation,
    bodyExample: { external_user_id: 'user_42', subject: 'Card declined', metadata: { plan: 'pro' } },
    reply: conversationWire,
    location: (row) => `/conversations/${conversationWire.present(row).id}`,
    handle: (change, { body }) => createConversation(change, body),
  }),
  list({
    path: '/conversations',
    name: 'listConversations',
    summary: 'List conversations',
    scope: 'conversations:read',
    query: ConversationFilters,
    item: conversationWire,
    sorts: conversationSorts,
    sortKey: conversationSortKey,
    handle: (ctx, { query, page }) => listConversations(ctx.db, ctx.env.tenantId, toFilter(query), page),
    count: (ctx, { query }, atMost) => countConversations(ctx.db, ctx.env.tenantId, toFilter(query), atMost),
  }),
  read({
    path: '/conversations/{id}',
    name: 'getConversation',
    summary: 'Get a conversation',
    scope: 'conversations:read',
    params,
    reply: conversationWire,
    handle: (ctx, { params }) => findConversation(ctx.db, ctx.env.tenantId, params.id),
  }),
  write({
    method: 'PATCH',
    path: '/conversations/{id}',
    name: 'updateConversation',
    summary: 'Change a conversation',
    description:
      'JSON Merge Patch. The status changes by actions and messages only. A closed conversation takes only `metadata`.',
    scope: 'conversations:write',
    params,
    errors: ['already_exists', 'conversation_closed'],
    body: ConversationPatch,
    bodyExample: { priority: 'high', metadata: { plan: null } },
    replyExample: { ...changed, priority: 'high', metadata: {} },
    reply: conversationWire,
    handle: (change, { params, body }) => updateConversation(change, params.id, body),
  }),
  write({
    method: 'POST',
    path: '/conversations/{id}/resolve',
    name: 'resolveConversation',
    summary: 'Resolve a conversation',
    scope: 'conversations:write',
    params,
    errors: ['invalid_transition'],
    body: Resolution,
    bodyOptional: true,
    bodyExample: { note: 'Refunded.' },
    replyExample: {
      ...done,
      status: 'resolved',
      resolved_at: later,
      message_count: 1,
      last_message_at: later,
      last_message_side: 'operator',
    },
    reply: conversationWire,
    handle: (change, { params, body }) => resolveConversation(change, params.id, body.note ?? null),
  }),
  write({
    method: 'POST',
    path: '/conversations/{id}/reopen',
    name: 'reopenConversation',
    summary: 'Reopen a resolved conversation',
    scope: 'conversations:write',
    params,
    errors: ['invalid_transition'],
    reply: conversationWire,
    replyExample: { ...changed, status: 'open', waiting_since: later, reopened_count: 1, version: 3 },
    handle: (change, { params }) => actOn(change, params.id, 'reopen'),
  }),
  write({
    method: 'POST',
    path: '/conversations/{id}/close',
    name: 'closeConversation',
    summary: 'Close a conversation for good',
    scope: 'conversations:write',
    params,
    errors: ['invalid_transition'],
    reply: conversationWire,
    replyExample: { ...done, status: 'closed', closed_at: later },
    handle: (change, { params }) => actOn(change, params.id, 'close'),
  }),
  write({
    method: 'POST',
    path: '/conversations/{id}/read',
    name: 'markConversationRead',
    summary: 'Mark messages as read by a side',
    description: 'Read marks only go forward.',
    scope: 'conversations:write',
    params,
    body: ReadMark,
    bodyExample: { side: 'operator', up_to_sequence: 3 },
    reply: conversationWire,
    replyExample: { ...changed, message_count: 3, last_message_at: later, last_message_side: 'end_user' },
    handle: (change, { params, body }) => markRead(change, params.id, body),
  }),
  list({
    path: '/conversations/{id}/transitions',
    name: 'listTransitions',
    summary: 'List the actions that are possible now',
    scope: 'conversations:read',
    params,
    item: transitionWire,
    sorts: ['action'],
    sortKey: ({ action }) => [allActions.indexOf(action)],
    handle: async (ctx, { params, page }) => {
      const after = (page.after?.[0] as number | undefined) ?? -1
      const transitions = transitionsOf(await found(ctx, params.id))
      return transitions.filter(({ action }) => allActions.indexOf(action) > after).slice(0, page.limit)
    },
    count: async (ctx, { params }) => transitionsOf(await found(ctx, params.id)).length,
  }),
  list({
    path: '/conversations/{id}/timeline',
    name: 'listTimeline',
    summary: 'List the events of a conversation and its messages',
    description:
      'Oldest first, in the order in which they were committed. Events of messages are shown to keys with `messages:read`.',
    scope: 'conversations:read',
    params,
    item: eventWire,
    sorts: ['commit'],
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
