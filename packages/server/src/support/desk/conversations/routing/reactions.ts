import { on } from '../../../../platform/resource/resource.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { keyOf } from '../../../../platform/unit-of-work/rows.ts'
import { departments } from '../../../team/departments/entity.ts'
import { operators } from '../../../team/operators/entity.ts'
import type { Operator } from '../../../team/operators/queries.ts'
import { type Reservation, reservation } from '../change-facts.ts'
import { conversations } from '../entity.ts'
import { isLoad, routingJobs } from '../lifecycle.ts'
import type { Conversation } from '../queries.ts'
import {
  anyWaitingFor,
  countOfOperators,
  countOfPlaces,
  turnsOfDepartments,
  turnsOfMembers,
} from './queries.ts'

type Load = { operatorId: string; departmentId: string | null }

const loadOf = (conversation: Conversation | null): Load | null =>
  conversation?.assignee_id && isLoad(conversation.status)
    ? { operatorId: conversation.assignee_id, departmentId: conversation.department_id }
    : null

const sameLoad = (one: Load | null, other: Load | null) =>
  one?.operatorId === other?.operatorId && one?.departmentId === other?.departmentId

/**
 * Updates the operators' counters. For assignments by routing the change fails unless the capacity still exists.
 */
export function countLoad(change: Change, before: Conversation | null, after: Conversation | null): void {
  const [former, present] = [loadOf(before), loadOf(after)]
  const isRouted = present && after!.assignment_strategy !== 'manual'
  const reserved = (isRouted && reservation.read(change, after!.id)) || null
  if (!reserved && sameLoad(former, present)) return
  if (former) count(change, former, -1, null)
  if (present) count(change, present, 1, reserved)
}

function count(change: Change, load: Load, count: 1 | -1, reserved: Reservation | null): void {
  const { operatorId: operator_id, departmentId: department_id } = load
  change.effects.share(keyOf(operators, operator_id))
  change.effects.writeCounter(countOfOperators, { operator_id, count, isTaken: reserved !== null })
  if (department_id === null) return
  // A conversation may have moved on, to a department that does not route.
  const taken = reserved?.department_id === department_id ? reserved : null
  const most = taken?.max_open_per_operator ?? null
  change.effects.writeCounter(countOfPlaces, { operator_id, department_id, count, most })
  if (!taken) return
  const { former, turn } = taken
  change.effects.writeCounter(turnsOfMembers, { operator_id, department_id, turn })
  change.effects.writeCounter(turnsOfDepartments, { department_id, former, turn })
}

/** An operator with one conversation less, in total or in a department, may take a waiting one. */
async function scheduleRouting(
  change: Change,
  before: Conversation | null,
  after: Conversation | null,
): Promise<void> {
  const former = loadOf(before)
  if (!former || sameLoad(former, loadOf(after))) return
  if (await anyWaitingFor(change.db, change.tenantId, former.operatorId))
    change.jobs.schedule(routingJobs.operator, former.operatorId, change.now)
}

/** New rules of a department may find an operator for waiting conversations. */
const onDepartment = on(departments, (change, before, after) => {
  if (!before) return
  if (after) change.jobs.schedule(routingJobs.department, after.id, change.now)
  else change.jobs.cancel(routingJobs.department, before.id)
})

const onOperator = on(operators, (change, before, after) => {
  if (after && mayTakeMore(before, after)) change.jobs.schedule(routingJobs.operator, after.id, change.now)
})

/** The operator came online, has a higher capacity, or serves another department. */
function mayTakeMore(before: Operator | null, after: Operator): boolean {
  if (!before || after.status !== 'online' || after.archived) return false
  const room = ({ capacity }: Operator) => capacity ?? Number.POSITIVE_INFINITY
  return (
    before.status !== 'online' ||
    room(after) > room(before) ||
    after.department_ids.some((id) => !before.department_ids.includes(id))
  )
}

export const routingReactions = [
  on(conversations, countLoad),
  on(conversations, scheduleRouting),
  onDepartment,
  onOperator,
]
