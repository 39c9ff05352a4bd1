import type { Ctx } from '../../context.ts'
import { ApiError } from '../../lib/errors.ts'
import { typeId } from '../../lib/ids.ts'
import { list, read, write } from '../../resource.ts'
import { findConversation } from '../conversations/queries.ts'
import { editMessage, postMessage, redactMessage } from './actions.ts'
import {
  countMessages,
  countRevisions,
  findMessage,
  listMessages,
  listRevisions,
  messageSortKey,
  messageSorts,
} from './queries.ts'
import { MessageFilters, MessagePatch, messageWire, NewMessage, revisionWire } from './schema.ts'

const params = { id: 'msg' }

async function requireConversation(ctx: Ctx, id: string): Promise<void> {
  if (!(await findConversation(ctx.db, ctx.env.tenantId, id))) throw new ApiError('not_found')
}

async function requireMessage(ctx: Ctx, id: string): Promise<void> {
  if (!(await findMessage(ctx.db, ctx.env.tenantId, id))) throw new ApiError('not_found')
}

export const routes = [
  write({
    method: 'POST',
    path: '/conversations/{id}/messages',
    name: 'createMessage',
    sharesCommits: true,
    summary: 'Add a message to a conversation',
    description:
      "An end user's message opens a pending, held or resolved conversation; an operator's public message makes a new or open one pending, unless `set_status` says otherwise. `If-Match` names the conversation's version.",
    scope: 'messages:write',
    status: 201,
    params: { id: 'conv' },
    errors: ['already_exists', 'conversation_closed'],
    body: NewMessage,
    bodyExample: { author_side: 'end_user', body: 'My card was declined twice.' },
    reply: messageWire,
    location: (row) => `/messages/${typeId('msg', row.id)}`,
    handle: (change, { params, body }) => postMessage(change, params.id, body),
  }),
  list({
    path: '/conversations/{id}/messages',
    name: 'listMessages',
    summary: 'List the messages of a conversation',
    scope: 'messages:read',
    params: { id: 'conv' },
    query: MessageFilters,
    item: messageWire,
    sorts: messageSorts,
    sortKey: messageSortKey,
    handle: async (ctx, { params, query, page }) => {
      const [messages] = await Promise.all([
        listMessages(ctx.db, ctx.env.tenantId, params.id, query, page),
        requireConversation(ctx, params.id),
      ])
      return messages
    },
    count: async (ctx, { params, query }, atMost) =>
      countMessages(ctx.db, ctx.env.tenantId, params.id, query, atMost),
  }),
  read({
    path: '/messages/{id}',
    name: 'getMessage',
    summary: 'Get a message',
    scope: 'messages:read',
    params,
    reply: messageWire,
    handle: (ctx, { params }) => findMessage(ctx.db, ctx.env.tenantId, params.id),
  }),
  write({
    method: 'PATCH',
    path: '/messages/{id}',
    name: 'updateMessage',
    summary: 'Edit a message',
    description: 'A new body sets `edited_at`; the former one stays readable among the revisions.',
    scope: 'messages:write',
    params,
    errors: ['conversation_closed', 'invalid_transition'],
    body: MessagePatch,
    bodyExample: { body: 'My card was declined three times.' },
    reply: messageWire,
    handle: (change, { params, body }) => editMessage(change, params.id, body),
  }),
  list({
    path: '/messages/{id}/revisions',
    name: 'listMessageRevisions',
    summary: 'List the former bodies of a message',
    scope: 'messages:read',
    params,
    item: revisionWire,
    sorts: ['version'],
    sortKey: (row) => [row.version],
    handle: async (ctx, { params, page }) => {
      const [revisions] = await Promise.all([
        listRevisions(ctx.db, ctx.env.tenantId, params.id, page),
        requireMessage(ctx, params.id),
      ])
      return revisions
    },
    count: (ctx, { params }) => countRevisions(ctx.db, ctx.env.tenantId, params.id),
  }),
  write({
    method: 'POST',
    path: '/messages/{id}/redact',
    name: 'redactMessage',
    summary: 'Erase the text of a message for good',
    description:
      'Empties body and revisions, and its text in stored events and responses. The message itself stays.',
    scope: 'messages:write',
    params,
    reply: messageWire,
    handle: (change, { params }) => redactMessage(change, params.id),
  }),
]
