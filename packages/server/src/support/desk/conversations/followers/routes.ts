import { maxLimit } from '../../../../platform/http/request/pagination.ts'
import { ApiError } from '../../../../platform/kernel/errors.ts'
import { list, remove, write } from '../../../../platform/resource/resource.ts'
import { findConversation } from '../queries.ts'
import { addFollower, removeFollower } from './actions.ts'
import { countFollowers, listFollowers } from './queries.ts'
import { followerWire } from './schema.ts'

const ofConversation = '/conversations/{id}/followers'
const one = {
  path: `${ofConversation}/{operator_id}`,
  scope: 'conversations:write',
  params: { id: 'conv', operator_id: 'op' },
  meParam: 'operator_id',
} as const

export const routes = [
  list({
    path: ofConversation,
    name: 'listFollowers',
    summary: 'List the followers of a conversation',
    description:
      'Lists the operators who follow the conversation: they are notified of answers and of its SLA as its assignee is, who is no follower by being assigned.',
    scope: 'conversations:read',
    params: { id: 'conv' },
    item: followerWire,
    sorts: ['since'],
    sortNotes: { since: 'who has followed longest first' },
    fixedSort: true,
    defaultLimit: maxLimit,
    sortKey: ({ since, operator_id }) => [since, operator_id],
    async handle({ db, env: { tenantId } }, { params: { id }, page }) {
      if (!(await findConversation(db, tenantId, id))) throw new ApiError('not_found')
      return listFollowers(db, tenantId, id, page)
    },
    count: ({ db, env }, { params }, atMost) => countFollowers(db, env.tenantId, params.id, atMost),
  }),
  write({
    ...one,
    method: 'PUT',
    name: 'addFollower',
    summary: 'Follow a conversation',
    description:
      'Lets an operator follow the conversation: oneself, or another one. Has no effect for one who does. A conversation has at most 50 followers. Neither its version nor its `updated_at` changes.',
    errors: ['conversation_closed'],
    reply: followerWire,
    versionOf: null,
    handle: (change, { params }) => addFollower(change, params.id, params.operator_id!),
  }),
  remove({
    ...one,
    name: 'removeFollower',
    summary: 'Stop following a conversation',
    description:
      'Ends that an operator follows the conversation. Its mentions and messages of the past make nobody follow again: who was taken out, or kept out before following, stays out until a request or a new mention.',
    errors: ['conversation_closed'],
    handle: (change, { params }) => removeFollower(change, params.id, params.operator_id!),
  }),
]
