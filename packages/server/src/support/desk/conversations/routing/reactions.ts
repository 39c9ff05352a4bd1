import { on } from '../../../../platform/resource/resource.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { keyOf } from '../../../../platform/unit-of-work/rows.ts'
import { departments } from '../../../team/departments/entity.ts'
import { operators } from '../../../team/operators/entity.ts'
import type { Operator } from '../../../team/operators/queries.ts'
import { conversations } from '../entity.ts'
import { isLoad, routingJobs } from '../lifecycle.ts'
import { type Reservation, reservation } from '../notes.ts'
import type { Conversation } from '../queries.ts'
import {
  addToOperators,
  addToPlaces,
  anyWaitingFor,
  moveTurns,
  takeOperators,
  takePlaces,
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
function countLoad(change: Change, before: Conversation | null, after: Conversation | null): void {
  if (!after) return
  const former = loadOf(before)
  const present = loadOf(after)
  const isRouted = after.assignment_strategy !== 'manual'
  const reserved = isRouted && reservation.read(change, after.id)
  if (present && reserved) take(change, former, present, reserved)
  else if (!sameLoad(former, present)) {
    if (former) add(change, former, -1)
    if (present) add(change, present, 1)
  }
}

/*
 * The place of an operator in the department is locked first and the operator last, so that no two changes deadlock:
 * parts run in the order in which they are declared.
 */

/**
 * An operator may receive and return a conversation in one change: each row is written by one part.
 */
function take(change: Change, former: Load | null, present: Load, reserved: Reservation): void {
  change.effects.claimMerged(keyOf(operators, present.operatorId))
  const place = { department_id: reserved.department_id, operator_id: present.operatorId }
  const [same, movedOn] = [sameLoad(former, present), present.departmentId !== reserved.department_id]
  if (movedOn && !same) addToPlace(change, present, 1)
  if (!movedOn) {
    const { max_open_per_operator, turn, next_turn } = reserved
    if (!same) change.effects.writeExpecting(takePlaces, { ...place, max_open_per_operator, count: 1 })
    change.effects.writeExpecting(moveTurns, { ...place, turn, next_turn, last: next_turn - 1 })
  }
  const stays = former?.operatorId === present.operatorId
  change.effects.writeExpecting(takeOperators, { operator_id: present.operatorId, count: stays ? 0 : 1 })
  if (former && !stays) add(change, former, -1)
  else if (former && !same) addToPlace(change, former, -1)
}

function add(change: Change, load: Load, count: 1 | -1): void {
  change.effects.claimShared(keyOf(operators, load.operatorId))
  addToPlace(change, load, count)
  change.effects.writeCounter(addToOperators, { operator_id: load.operatorId, count })
}

function addToPlace(change: Change, { operatorId, departmentId }: Load, count: 1 | -1): void {
  if (departmentId)
    change.effects.writeCounter(addToPlaces, { operator_id: operatorId, department_id: departmentId, count })
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
