import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import type { Page, PartialPage } from '../../../platform/kernel/page.ts'
import { list, read, remove, write } from '../../../platform/resource/resource.ts'
import type { Members } from '../../../platform/resource/schema.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { RenderRequest, renditionWire } from '../../catalogue/message-templates/schema.ts'
import { findConversation } from '../conversations/queries.ts'
import { postMessage, updateMessage } from './posting.ts'
import {
  conditionsOf,
  countMessages,
  countRevisions,
  findMessage,
  listMessages,
  listRevisions,
  type Message,
  type MessageSort,
  messageSortKey,
  messageSorts,
} from './queries.ts'
import { redactMessage } from './redacting.ts'
import { previewMessageTemplate } from './rendering.ts'
import {
  countScheduled,
  listScheduled,
  type ScheduledMessage,
  scheduledMessageTable,
  scheduledSortKey,
} from './scheduled/queries.ts'
import { cancelMessage } from './scheduling.ts'
import { isScheduled, MessageFilters, MessagePatch, messageWire, NewMessage, revisionWire } from './schema.ts'

const params = { id: 'msg' }

async function requireConversation(ctx: Ctx, id: string): Promise<void> {
  if (!(await findConversation(ctx.db, ctx.env.tenantId, id))) throw new ApiError('not_found')
}

async function requireMessage(ctx: Ctx, id: string): Promise<void> {
  if (!(await findAnyMessage(ctx, id))) throw new ApiError('not_found')
}

/** A message that was sent between the reads of both tables is found by the third. */
const findAnyMessage = async ({ db, env }: Ctx, id: string): Promise<Message | ScheduledMessage | null> =>
  (await findMessage(db, env.tenantId, id)) ??
  (await scheduledMessageTable.find(db, env.tenantId, id)) ??
  findMessage(db, env.tenantId, id)

type Filters = Members<typeof MessageFilters>

const messagesOf = (
  { db, env: { tenantId } }: Ctx,
  conversationId: string,
  { scheduled, ...filter }: Filters,
  page: Page<MessageSort>,
): Promise<(Message | ScheduledMessage)[] | PartialPage<Message | ScheduledMessage>> =>
  scheduled === 'true'
    ? listScheduled(db, tenantId, conditionsOf(tenantId, conversationId, filter), page)
    : listMessages(db, tenantId, conversationId, filter, page)

const countMessagesOf = (
  { db, env: { tenantId } }: Ctx,
  conversationId: string,
  { scheduled, ...filter }: Filters,
  atMost: number,
): Promise<number> =>
  scheduled === 'true'
    ? countScheduled(db, tenantId, conditionsOf(tenantId, conversationId, filter), atMost)
    : countMessages(db, tenantId, conversationId, filter, atMost)

export const routes = [
  write({
    method: 'POST',
    path: '/conversations/{id}/messages',
    name: 'createMessage',
    sharesStatements: true,
    summary: 'Create a message',
    description:
      'A message from the end user opens a pending, held or resolved conversation. A public message from an operator makes a new or open conversation pending, unless `set_status` is set. With `send_at`, the message is scheduled and has these effects when it is sent; a template is rendered at once. `If-Match` takes the version of the conversation.',
    scope: 'messages:write',
    status: 201,
    params: { id: 'conv' },
    errors: ['already_exists', 'conversation_closed', 'identity_conflict'],
    body: NewMessage,
    bodyExample: { author_side: 'end_user', body: 'My card was declined twice.' },
    reply: messageWire,
    location: (row) => `/messages/${typeId('msg', row.id)}`,
    handle: (change, { params, body }) => postMessage(change, params.id, body),
  }),
  list({
    path: '/conversations/{id}/messages',
    name: 'listMessages',
    summary: 'List messages',
    description:
      'Lists the messages of the conversation, internal notes included: to show them to an end user, set `visibility=public`. Scheduled messages are listed only with `scheduled=true`.',
    scope: 'messages:read',
    params: { id: 'conv' },
    query: MessageFilters,
    item: messageWire,
    sorts: messageSorts,
    sortNotes: { sequence: 'first message first', '-sequence': 'last message first' },
    sortKey: (row) => (isScheduled(row) ? scheduledSortKey(row) : messageSortKey(row)),
    handle: async (ctx, { params, query, page }) => {
      const [messages] = await Promise.all([
        messagesOf(ctx, params.id, query, page),
        requireConversation(ctx, params.id),
      ])
      return messages
    },
    count: async (ctx, { params, query }, atMost) => countMessagesOf(ctx, params.id, query, atMost),
  }),
  read({
    path: '/messages/{id}',
    name: 'getMessage',
    summary: 'Get a message',
    description:
      'Returns a message or internal note, whatever its conversation. The former texts of an edited message are its `revisions`.',
    scope: 'messages:read',
    params,
    reply: messageWire,
    handle: (ctx, { params }) => findAnyMessage(ctx, params.id),
  }),
  write({
    method: 'PATCH',
    path: '/messages/{id}',
    name: 'updateMessage',
    summary: 'Update a message',
    description:
      'Changing the body sets `edited_at`; the previous body is kept as a revision. The body of a redacted message cannot be changed (409), nor that of a public message of a closed conversation. A scheduled message keeps no revision and no `edited_at`, because nobody has read it. In the console, only the role `admin` may change the body of a message of the end user or the system: others receive 403 `scope_missing` with the scope `*`.',
    scope: 'messages:write',
    params,
    errors: ['conversation_closed', 'invalid_transition'],
    body: MessagePatch,
    bodyExample: { body: 'My card was declined three times.' },
    reply: messageWire,
    handle: (change, { params, body }) => updateMessage(change, params.id, body),
  }),
  remove({
    path: '/messages/{id}',
    name: 'deleteScheduledMessage',
    summary: 'Cancel a scheduled message',
    description:
      'A scheduled message is not sent. 409 `invalid_transition` once it was sent. Stored events keep its text: `redact` cancels it and erases that as well.',
    scope: 'messages:write',
    params,
    errors: ['invalid_transition'],
    handle: (change, { params }) => cancelMessage(change, params.id),
  }),
  list({
    path: '/messages/{id}/revisions',
    name: 'listMessageRevisions',
    summary: 'List message revisions',
    description:
      'Lists the former texts of an edited message; empty if it was never edited or is redacted. The current text is in the message.',
    scope: 'messages:read',
    params,
    item: revisionWire,
    sorts: ['version'],
    sortNotes: { version: 'oldest first' },
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
    summary: 'Redact a message',
    description:
      'Permanently erases the text of the message: its body, its revisions, and copies in stored events and responses. The message itself is kept, except for a scheduled one, which is cancelled. Operators with the role `agent`, in the console or in `Backline-Operator`, cannot redact a message of an end user (403 `scope_missing`).',
    scope: 'messages:write',
    params,
    reply: messageWire,
    handle: (change, { params }) => redactMessage(change, params.id),
  }),
  write({
    method: 'POST',
    path: '/message_templates/{id}/render',
    name: 'renderMessageTemplate',
    summary: 'Render a message template for a conversation',
    description:
      'Returns the text without creating a message; also requires the scope `conversations:read`. Uses the body in `locale`, or in the next more general language (`pt` for `pt-BR`), or else the default body of the template. All variables without a value are reported together. A template whose text is too long or that takes too much work fails with `validation_failed` at pointer "".',
    scope: 'message_templates:read',
    documentedUnder: 'message-templates',
    params: { id: 'tmpl' },
    errors: ['template_variable_missing'],
    body: RenderRequest,
    bodyExample: {
      conversation_id: 'conv_01kah1vgm0e1tbm5ye8n2m9q7c',
      variables: { order_id: 'A-1001' },
      locale: 'pt-BR',
    },
    reply: renditionWire,
    versionOf: null,
    handle: (change, { params, body }) => previewMessageTemplate(change, params.id, body),
  }),
]
