import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { Outdated } from '../../../../platform/postgres/errors.ts'
import { write } from '../../../../platform/resource/resource.ts'
import { Enum, Id, type Members, Nullable, Optional, Shape } from '../../../../platform/resource/schema.ts'
import { requireScopes } from '../../../../platform/resource/scopes.ts'
import { defineWire } from '../../../../platform/resource/wire.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { References } from '../../../../platform/unit-of-work/references.ts'
import { departments } from '../../../team/departments/entity.ts'
import { type ClaimOrder, claimOrders } from '../../../vocabulary/conversations.ts'
import { views } from '../../views/entity.ts'
import { usableFilter } from '../../views/filter.ts'
import type { View } from '../../views/queries.ts'
import { claimConversation } from '../assign.ts'
import { assignmentRules } from '../assigning/queries.ts'
import { conversations } from '../entity.ts'
import type { ConversationSort } from '../finding/orders.ts'
import type { Conversation } from '../queries.ts'
import { ConversationSchema, conversationExample, conversationWire } from '../schema.ts'
import { type Found, firstInView, firstWaiting } from './queries.ts'

const ClaimNext = Shape({
  department_id: Optional(
    Nullable(Id('dept'), { description: 'The department to claim from; null or omitted means all.' }),
  ),
  view_id: Optional(
    Nullable(Id('view'), {
      description:
        'The view of conversations to claim from, in its order; null or omitted means all, in the order of the department or the workspace. With `department_id`, both apply.',
    }),
  ),
})
type ClaimNext = Members<typeof ClaimNext>

type Claim = { order: ClaimOrder | 'view'; conversation: Conversation | null }

const claimWire = defineWire<Claim>({
  name: 'Claim',
  schema: Shape({
    object: Enum(['claim']),
    order: Enum([...claimOrders, 'view'], {
      description:
        'The order by which the conversation was chosen: `claim_order` of the department, or of the workspace, or `view` for the order of the view.',
    }),
    conversation: Nullable(ConversationSchema, {
      description: 'The claimed conversation; null if none is waiting.',
    }),
  }),
  example: {
    object: 'claim',
    order: 'waiting',
    conversation: {
      ...conversationExample,
      status: 'open',
      assignee_id: 'op_01kah1vgm0e1tbm5ye8n2m9q7c',
      assignment: { strategy: 'manual', reason: 'Claimed by Ada', at: '2026-11-20T09:45:00.000Z' },
      updated_at: '2026-11-20T09:45:00.000Z',
      version: 2,
    },
  },
  present: ({ order, conversation }, now) => ({
    object: 'claim',
    order,
    conversation: conversation && conversationWire.present(conversation, now),
  }),
})

/**
 * Claims run one after another in this process, because they would all want the same conversation. If it changes after
 * it was found, or another process takes it first, the change runs again.
 */
async function claimNext(change: Change, { department_id, view_id }: ClaimNext): Promise<Claim> {
  const references = new References(change)
  const uuid = department_id ? uuidOf('dept', department_id) : null
  const department = await references.to(departments, '/department_id', department_id, uuid) // an archived one, too
  const view = await viewOf(change, references, view_id)
  references.check()
  const { db, tenantId, ctx, now } = change
  const departmentId = department?.id ?? null
  await change.lock('claim_next')
  if (view) {
    const claimable = { filter: (await usableFilter(ctx, view)).filter, sort: view.sort as ConversationSort }
    return claim(change, 'view', await firstInView(db, { tenantId, now }, claimable, departmentId))
  }
  const order = department?.claim_order ?? (await assignmentRules.for(change)).value.claimOrder
  return claim(change, order, await firstWaiting(db, tenantId, order, departmentId))
}

async function claim(change: Change, order: Claim['order'], found: Found | null): Promise<Claim> {
  if (!found) return { order, conversation: null }
  await change.lock(found.id)
  const conversation = await change.rows.find(conversations, found.id)
  if (conversation?.version !== found.version) throw new Outdated()
  change.startAfter(conversation)
  return { order, conversation: await claimConversation(change, conversation) }
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

export const claimNextRoute = write({
  method: 'POST',
  path: '/conversations/claim_next',
  name: 'claimNextConversation',
  summary: 'Claim the next conversation',
  description:
    'Assigns the first conversation that waits for an operator to the operator in `Backline-Operator`. Only unassigned conversations that are `new` or `open` are waiting. The order is `claim_order` of the department, or of the workspace if the request names none: `waiting` begins with the longest waiting one; `due` with the earliest due time of clocks that run or are breached and have not ended, those without any come last, and among equal ones the higher priority and then the longer wait comes first; `priority` with the highest priority, then as `due`. With `view_id`, the first one of the view that is waiting is claimed, which also requires the scope `views:read`. If several operators ask at once, each receives another conversation.',
  scope: 'conversations:write',
  needsPerson: true,
  errors: ['view_broken'],
  body: ClaimNext,
  bodyOptional: true,
  bodyExample: { department_id: null },
  reply: claimWire,
  versionOf: null,
  handle: (change, { body }) => claimNext(change, body),
})
