import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { operatorRequired } from '../../../../platform/resource/acting.ts'
import { write } from '../../../../platform/resource/resource.ts'
import { Enum, Id, type Members, Nullable, Optional, Shape } from '../../../../platform/resource/schema.ts'
import { requireScopes } from '../../../../platform/resource/scopes.ts'
import { defineWire } from '../../../../platform/resource/wire.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { References } from '../../../../platform/unit-of-work/references.ts'
import { departments } from '../../../team/departments/entity.ts'
import { actingOperator } from '../../../team/operators/actions.ts'
import { views } from '../../views/entity.ts'
import { usableFilter } from '../../views/filter.ts'
import type { View } from '../../views/queries.ts'
import { claimConversation } from '../assign.ts'
import { conversations } from '../entity.ts'
import type { ConversationSort } from '../finding/orders.ts'
import { type Conversation, longestWaiting } from '../queries.ts'
import { ConversationSchema, conversationExample, conversationWire } from '../schema.ts'
import { firstWaiting, meetsFilter } from './queries.ts'

const ClaimNext = Shape({
  department_id: Optional(
    Nullable(Id('dept'), { description: 'The department to claim from; null or omitted means all.' }),
  ),
  view_id: Optional(
    Nullable(Id('view'), {
      description:
        'The view of conversations to claim from, in its order; null or omitted means all, those that have waited longest first. With `department_id`, both apply.',
    }),
  ),
})
type ClaimNext = Members<typeof ClaimNext>

type Claim = { conversation: Conversation | null }

const claimWire = defineWire<Claim>({
  name: 'Claim',
  schema: Shape({
    object: Enum(['claim']),
    conversation: Nullable(ConversationSchema, {
      description: 'The claimed conversation; null if none is waiting.',
    }),
  }),
  example: {
    object: 'claim',
    conversation: {
      ...conversationExample,
      status: 'open',
      assignee_id: 'op_01kah1vgm0e1tbm5ye8n2m9q7c',
      assignment: { strategy: 'manual', reason: 'Claimed by Ada', at: '2026-11-20T09:45:00.000Z' },
      updated_at: '2026-11-20T09:45:00.000Z',
      version: 2,
    },
  },
  present: ({ conversation }, now) => ({
    object: 'claim',
    conversation: conversation && conversationWire.present(conversation, now),
  }),
})

/**
 * Claims run one after another in this process, because they would all want the same conversation. If another process
 * takes it first, the write conflicts and the change runs again.
 */
async function claimNext(change: Change, { department_id, view_id }: ClaimNext): Promise<Claim> {
  const references = new References(change)
  if (!(await actingOperator(change))) references.fault(operatorRequired)
  const uuid = department_id ? uuidOf('dept', department_id) : null
  const department = await references.to(departments, '/department_id', department_id, uuid) // an archived one, too
  const view = await viewOf(change, references, view_id)
  references.check()
  const { db, tenantId, ctx, now } = change
  const claimable = view && {
    filter: (await usableFilter(ctx, view)).filter,
    sort: view.sort as ConversationSort,
  }
  const departmentId = department?.id ?? null
  await change.lock('claim_next')
  const gone: string[] = []
  for (;;) {
    const id = claimable
      ? await firstWaiting(db, { tenantId, now }, claimable, departmentId, gone)
      : await longestWaiting(db, tenantId, departmentId, gone)
    if (id === null) return { conversation: null }
    await change.lock(id)
    const conversation = await change.rows.find(conversations, id)
    const isIn =
      conversation !== null &&
      isUnclaimed(conversation) &&
      (departmentId === null || conversation.department_id === departmentId) &&
      (claimable === null || (await meetsFilter(db, { tenantId, now }, id, claimable.filter)))
    if (isIn) {
      change.startAfter(conversation)
      return { conversation: await claimConversation(change, conversation) }
    }
    gone.push(id) // since the query, another request has changed it
  }
}

/**
 * The view to claim from; `references` receives its faults.
 * @throws ApiError `scope_missing` if the key cannot read views
 */
async function viewOf(
  { ctx }: Change,
  references: References,
  id: string | null | undefined,
): Promise<View | null> {
  if (id != null) requireScopes(ctx.principal.allows, 'views:read')
  const view = await references.to(views, '/view_id', id)
  if (view?.applies_to !== 'end_user') return view
  const detail = 'must be a view of conversations'
  references.fault({ pointer: '/view_id', code: 'not_allowed', detail })
  return null
}

const isUnclaimed = ({ assignee_id, waiting_on, status }: Conversation) =>
  assignee_id === null && waiting_on === 'operator' && (status === 'new' || status === 'open')

export const claimNextRoute = write({
  method: 'POST',
  path: '/conversations/claim_next',
  name: 'claimNextConversation',
  summary: 'Claim the next conversation',
  description:
    'Assigns the conversation that has waited longest for an operator to the operator in `Backline-Operator`. Only unassigned conversations that are `new` or `open` are waiting. With `view_id`, the first one of the view that is waiting is claimed, which also requires the scope `views:read`. If several operators ask at once, each receives another conversation.',
  scope: 'conversations:write',
  errors: ['view_broken'],
  body: ClaimNext,
  bodyOptional: true,
  bodyExample: { department_id: null },
  reply: claimWire,
  versionOf: null,
  handle: (change, { body }) => claimNext(change, body),
})
