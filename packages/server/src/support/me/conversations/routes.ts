import { typeId } from '../../../platform/kernel/ids.ts'
import { list, read, signal, write } from '../../../platform/resource/resource.ts'
import { Flag, Shape } from '../../../platform/resource/schema.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { idsOfEndUser } from '../../people/end-users/queries.ts'
import { conversationOfMine, requireUnblocked } from '../access.ts'
import { type Viewer, viewerOf } from '../people/queries.ts'
import {
  conversationFor,
  type MeConversation,
  meConversationExample,
  meConversationWire,
  readConversations,
} from '../shapes/conversation.ts'
import { markMineRead, resolveMine, startMine } from './actions.ts'
import { countMine, listMine, mySorts, type Whose } from './queries.ts'
import { MeReadMark, NewMeConversation } from './schema.ts'

const path = '/me/conversations'
const params = { id: 'conv' }
const credential = 'end_user_token'

async function shown(ctx: Ctx, rows: Conversation[], { id: viewerId }: Viewer): Promise<MeConversation[]> {
  const found = await readConversations(ctx, rows)
  return found.map((each) => conversationFor(each, (id) => id === viewerId))
}

const whoseOf = async ({ db, env }: Ctx, { id, only }: Viewer): Promise<Whose> => ({
  ids: await idsOfEndUser(db, env.tenantId, id),
  only,
})

export const conversationRoutes = [
  list({
    path,
    name: 'listMyConversations',
    summary: 'List own conversations',
    description:
      'Lists the conversations of the end user, and those in which the end user takes part. A session that is bound to a conversation lists only that one. A conversation that was merged into another one is listed as closed.',
    credential,
    item: meConversationWire,
    sorts: mySorts,
    sortKey: ({ id }) => [id],
    handle: async (ctx, { page }) => {
      const viewer = await viewerOf(ctx)
      return shown(ctx, await listMine(ctx.db, ctx.env.tenantId, await whoseOf(ctx, viewer), page), viewer)
    },
    count: async (ctx, _, atMost) =>
      countMine(ctx.db, ctx.env.tenantId, await whoseOf(ctx, await viewerOf(ctx)), atMost),
  }),
  write({
    method: 'POST',
    path,
    name: 'createMyConversation',
    sharesStatements: true,
    summary: 'Start a conversation',
    description:
      'Creates a conversation on the channel `chat` with its first message. Department and category must be public: others are as unknown as those that do not exist. A session that is bound to a conversation cannot start others (403).',
    credential,
    limitedFor: 'end_user_writes',
    status: 201,
    errors: ['end_user_blocked'],
    body: NewMeConversation,
    bodyExample: { subject: 'Card declined', message: { body: 'My card was declined twice.' } },
    reply: meConversationWire,
    versionOf: null,
    location: ({ id }) => `${path}/${typeId('conv', id)}`,
    handle: (change, { body }) => startMine(change, body),
  }),
  read({
    path: `${path}/{id}`,
    name: 'getMyConversation',
    summary: 'Get an own conversation',
    description:
      'Returns a conversation of the end user, or one in which the end user takes part. All others are unknown (404).',
    credential,
    params,
    reply: meConversationWire,
    versioned: false,
    tagsContent: true,
    handle: async (ctx, { params }) => {
      const { conversation, viewer } = await conversationOfMine(ctx, params.id)
      return (await shown(ctx, [conversation], viewer))[0]!
    },
  }),
  write({
    method: 'POST',
    path: `${path}/{id}/read`,
    name: 'markMyConversationRead',
    summary: 'Mark an own conversation as read',
    description:
      'Marks only move forward. The mark is that of the end user of the conversation: participants have none, and their request changes nothing.',
    credential,
    params,
    body: MeReadMark,
    bodyOptional: true,
    bodyExample: { up_to_sequence: 3 },
    reply: meConversationWire,
    versionOf: null,
    handle: (change, { params, body }) => markMineRead(change, params.id, body),
  }),
  signal({
    path: `${path}/{id}/typing`,
    name: 'updateMyTyping',
    summary: 'Report typing in an own conversation',
    description:
      'Tells operators and participants that the end user is typing. This lasts for 8 seconds: repeat it every few seconds, and send `false` at the end. Nothing is stored.',
    credential,
    params,
    errors: ['end_user_blocked'],
    body: Shape({ typing: Flag({ description: 'Whether the end user types; false once it has stopped.' }) }),
    bodyExample: { typing: true },
    handle: async (ctx, { params, body }) => {
      const { conversation } = await conversationOfMine(ctx, params.id)
      requireUnblocked(ctx)
      const report = { streamId: conversation.id, subject: 'end_user' as const, state: body.typing }
      ctx.services.typing.report(ctx.env.tenantId, report)
    },
  }),
  write({
    method: 'POST',
    path: `${path}/{id}/resolve`,
    name: 'resolveMyConversation',
    summary: 'Resolve an own conversation',
    description:
      'The end user or a participant declares the matter settled. Only if `end_users_may_resolve` of the workspace is true; otherwise 403. 409 `invalid_transition` if the conversation lacks values of custom fields that resolving requires, which only operators and keys can add. A later message opens the conversation again.',
    credential,
    params,
    errors: ['not_permitted', 'invalid_transition'],
    reply: meConversationWire,
    replyExample: { ...meConversationExample, status: 'resolved', updated_at: '2026-11-20T09:45:00.000Z' },
    versionOf: null,
    handle: (change, { params }) => resolveMine(change, params.id),
  }),
]
