import { uuidOf } from '../../../platform/kernel/ids.ts'
import { write } from '../../../platform/resource/resource.ts'
import { Enum, Id, type Members, Nullable, Optional, Shape } from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { departments } from '../../team/departments/entity.ts'
import { actingOperator } from '../../team/operators/actions.ts'
import { claimConversation, operatorRequired } from './assign.ts'
import { conversations } from './entity.ts'
import { type Conversation, longestWaiting } from './queries.ts'
import { ConversationSchema, conversationExample, conversationWire } from './schema.ts'

const ClaimNext = Shape({
  department_id: Optional(
    Nullable(Id('dept'), { description: 'The department to claim from; null or omitted means all.' }),
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
async function claimNext(change: Change, { department_id }: ClaimNext): Promise<Claim> {
  const references = new References(change)
  if (!(await actingOperator(change))) references.fault(operatorRequired)
  const uuid = department_id ? uuidOf('dept', department_id) : null
  const department = await references.to(departments, '/department_id', department_id, uuid) // an archived one, too
  references.check()
  await change.lock('claim_next')
  const gone: string[] = []
  for (;;) {
    const id = await longestWaiting(change.db, change.tenantId, department?.id ?? null, gone)
    if (id === null) return { conversation: null }
    await change.lock(id)
    const conversation = await change.rows.find(conversations, id)
    if (conversation && isUnclaimed(conversation)) {
      change.startAfter(conversation)
      return { conversation: await claimConversation(change, conversation) }
    }
    gone.push(id) // since the query, another request has changed it
  }
}

const isUnclaimed = ({ assignee_id, waiting_on, status }: Conversation) =>
  assignee_id === null && waiting_on === 'operator' && (status === 'new' || status === 'open')

export const claimNextRoute = write({
  method: 'POST',
  path: '/conversations/claim_next',
  name: 'claimNextConversation',
  summary: 'Claim the next conversation',
  description:
    'Assigns the conversation that has waited longest for an operator to the operator in `Backline-Operator`. Only unassigned conversations that are `new` or `open` are waiting. If several operators ask at once, each receives another conversation.',
  scope: 'conversations:write',
  body: ClaimNext,
  bodyOptional: true,
  bodyExample: { department_id: null },
  reply: claimWire,
  versionOf: null,
  handle: (change, { body }) => claimNext(change, body),
})
