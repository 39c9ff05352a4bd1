import { mapRows } from '../../../platform/kernel/page.ts'
import { list, write } from '../../../platform/resource/resource.ts'
import { countMessages, listMessages, messageSorts } from '../../desk/messages/queries.ts'
import { conversationOfMine } from '../access.ts'
import { meMessageWire, messageFor, readMessages } from '../shapes/message.ts'
import { postMine } from './actions.ts'
import { NewMeMessage } from './schema.ts'

const path = '/me/conversations/{id}/messages'
const params = { id: 'conv' }
const visibility = 'public'

export const messageRoutes = [
  list({
    path,
    name: 'listMyMessages',
    summary: 'List messages of an own conversation',
    description:
      'Lists the messages of the conversation. `sequence` may have gaps. Those of a conversation that was merged into this one stay there.',
    credential: 'end_user_token',
    params,
    item: meMessageWire,
    sorts: messageSorts,
    sortNotes: { sequence: 'first message first', '-sequence': 'last message first' },
    sortKey: ({ sequence }) => [sequence],
    handle: async (ctx, { params, page }) => {
      const { conversation, viewer } = await conversationOfMine(ctx, params.id)
      const found = await listMessages(ctx.db, ctx.env.tenantId, conversation.id, { visibility }, page)
      const rows = Array.isArray(found) ? found : found.rows
      const read = await readMessages(ctx, rows, () => conversation.end_user.id, viewer)
      return mapRows(found, () => read.map((each) => messageFor(each, (id) => id === viewer.id)))
    },
    count: async (ctx, { params }, atMost) => {
      const { conversation } = await conversationOfMine(ctx, params.id)
      return countMessages(ctx.db, ctx.env.tenantId, conversation.id, { visibility }, atMost)
    },
  }),
  write({
    method: 'POST',
    path,
    name: 'createMyMessage',
    sharesStatements: true,
    summary: 'Write a message',
    description:
      'Opens a conversation that waits for the end user, is on hold or is resolved. With `on_closed: follow_up`, a message to a closed conversation starts a new one, whose id is in the response.',
    credential: 'end_user_token',
    limitedFor: 'end_user_writes',
    status: 201,
    params,
    errors: ['conversation_closed', 'end_user_blocked'],
    body: NewMeMessage,
    bodyExample: { body: 'It was declined again.' },
    reply: meMessageWire,
    versionOf: null,
    handle: (change, { params, body }) => postMine(change, params.id, body),
  }),
]
