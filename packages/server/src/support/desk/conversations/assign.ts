import { ApiError, invalidBody } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import { operatorRequired } from '../../../platform/resource/acting.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { departments } from '../../team/departments/entity.ts'
import type { Department } from '../../team/departments/queries.ts'
import { actingOperator } from '../../team/operators/actions.ts'
import { operators } from '../../team/operators/entity.ts'
import type { Operator } from '../../team/operators/queries.ts'
import { causeOf } from './change-facts.ts'
import { moved, transition } from './lifecycle.ts'
import type { Conversation } from './queries.ts'
import type { Assignment } from './request-schema.ts'
import { saveConversation } from './save.ts'

export const unassigned = {
  assignee_id: null,
  assignment_strategy: null,
  assignment_reason: null,
  assigned_at: null,
}

/** Manual assignment ignores an operator's capacity. */
export const assignedByHand = (change: Change, operator: Operator, reason = handOf(change)) => ({
  assignee_id: operator.id,
  assignment_strategy: 'manual',
  assignment_reason: reason,
  assigned_at: change.now,
})

function handOf(change: Change): string {
  const by = change.ctx.principal.actor.operator_id
  return `${causeOf(change) === 'macro' ? 'Assigned by a macro' : 'Assigned by hand'}${by ? `, by ${by}` : ''}`
}

/** In another department the conversation waits for an operator, unless it has one, who keeps it. */
export const inDepartment = (
  conversation: Conversation,
  department: Department | null,
): Partial<Conversation> => {
  const id = department?.id ?? null
  return id === conversation.department_id ? {} : { department_id: id, awaits_routing: true }
}

/** Assigns a conversation to an operator, a department or both; null removes the assignment. */
export async function assignConversation(
  change: Change,
  conversation: Conversation,
  { assignee_id, department_id }: Assignment,
): Promise<Conversation> {
  transition(conversation, 'assign')
  const references = new References(change)
  const operator = await references.to(operators, '/assignee_id', assignee_id, conversation.assignee_id)
  const department = await references.to(
    departments,
    '/department_id',
    department_id,
    conversation.department_id,
  )
  references.check()
  const place = department_id === undefined ? {} : inDepartment(conversation, department)
  return saveConversation(
    change,
    conversation,
    { ...handedTo(change, conversation, operator, assignee_id), ...place }, // its new department may assign it
    'conversation.assigned',
  )
}

function handedTo(
  change: Change,
  conversation: Conversation,
  operator: Operator | null,
  asked: string | null | undefined,
): Partial<Conversation> {
  if (asked === undefined || (operator?.id ?? null) === conversation.assignee_id) return {}
  if (!operator) return { ...unassigned, awaits_routing: false }
  return { ...openIfNew(change, conversation), ...assignedByHand(change, operator) }
}

export const openIfNew = (change: Change, conversation: Conversation): Partial<Conversation> =>
  conversation.status === 'new' ? moved(conversation, 'open', change.now) : {}

/**
 * Assigns an unassigned conversation to the acting operator; changes nothing if the operator has it already.
 * @throws ApiError `already_assigned`, also for the slower of two concurrent claims
 */
export async function claimConversation(change: Change, conversation: Conversation): Promise<Conversation> {
  const operator = await requireActingOperator(change)
  if (conversation.assignee_id === operator.id) return conversation
  transition(conversation, 'claim')
  if (conversation.assignee_id !== null) {
    throw new ApiError('already_assigned', { assignee_id: typeId('op', conversation.assignee_id) })
  }
  return saveConversation(
    change,
    conversation,
    {
      ...openIfNew(change, conversation),
      ...assignedByHand(change, operator, `Claimed by ${operator.name}`),
    },
    'conversation.assigned',
  )
}

/** The operator named by `Backline-Operator`. @throws ApiError 422 at the header if it is missing */
export async function requireActingOperator(change: Change): Promise<Operator> {
  const operator = await actingOperator(change)
  if (operator) return operator
  throw invalidBody(operatorRequired)
}
