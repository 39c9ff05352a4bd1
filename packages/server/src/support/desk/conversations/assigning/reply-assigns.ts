import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { operators } from '../../../team/operators/entity.ts'
import { assignedByHand, openIfNew, unassigned } from '../assign.ts'
import { conversations } from '../entity.ts'
import type { Conversation } from '../queries.ts'
import { assignmentRules } from './queries.ts'

/**
 * The fields of an unassigned conversation that change because an operator replies to it or begins it; null if none do.
 * Like an assignment by hand, this ignores the operator's capacity.
 * @param operatorId null if no operator does, or none that is known
 */
export async function assignmentByReply(
  change: Change,
  conversation: Conversation,
  operatorId: string | null,
  how: 'Answered' | 'Begun',
): Promise<Partial<Conversation> | null> {
  if (operatorId === null || conversation.assignee_id !== null) return null
  const { value: rules } = await assignmentRules.for(change)
  const { department_id } = conversation
  const assigns = department_id === null ? rules.replyAssigns : rules.replyAssignsIn.includes(department_id)
  const operator = assigns ? await change.rows.find(operators, operatorId) : null
  if (!operator || operator.archived) return null // a scheduled message may be sent after its author has left
  return {
    ...openIfNew(change, conversation),
    ...assignedByHand(change, operator, `${how} by ${operator.name}`),
  }
}

/** Adds the event of an assignment by a reply. */
export const addAssigned = (change: Change, assigned: Conversation): void =>
  change.rows.addEvent(conversations, assigned, 'conversation.assigned', { ...assigned, ...unassigned })
