import { plusSeconds } from '../../../../platform/kernel/clock.ts'
import type { Job } from '../../../../platform/resource/resource.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { departments } from '../../../team/departments/entity.ts'
import type { Assignment, Department } from '../../../team/departments/queries.ts'
import { reservation } from '../change-facts.ts'
import { conversations } from '../entity.ts'
import { isLoad, moved, routingJobs } from '../lifecycle.ts'
import type { Conversation } from '../queries.ts'
import { updateClocks } from '../sla/update-clocks.ts'
import {
  departmentsFallingBackTo,
  findOldestWaiting,
  servedDepartments,
  turnsOfDepartments,
} from './queries.ts'
import { type Candidate, type Roster, readRoster } from './rosters.ts'
import { routingOf } from './rounds.ts'

/*
 * Routing reads without locks and writes with guards: the operator's counter grows only while the operator is online
 * and below capacity, the department's only below its limit, and the highest turn of the department only from the value
 * that was read (reactions.ts). If a guard fails, the whole change runs again. So routing is exact with any number of
 * processes (docs/adr/0009-routing.md).
 */

/**
 * After this time, a second attempt resolves two decisions that missed each other: one left a conversation waiting
 * while the other freed capacity.
 */
const secondLookSeconds = 2

export const isRoutable = (conversation: Conversation): boolean =>
  conversation.awaits_routing &&
  conversation.assignee_id === null &&
  conversation.department_id !== null &&
  isLoad(conversation.status)

/** Assigns a conversation to an operator of its department or the fallback department, or leaves it waiting. */
export async function route(change: Change, conversation: Conversation): Promise<Conversation> {
  const departmentId = conversation.department_id!
  const department = await change.rows.find(departments, departmentId)
  if (!department || department.assignment.strategy === 'manual') return conversation
  const roster = await joinRoster(change, departmentId)
  const oldest = roster?.oldestWaiting ?? null
  // A change that takes nobody must not use up a turn, on which the later decisions of the round depend.
  const isNext = oldest === null || conversation.id <= oldest
  const choice = isNext ? await choose(change, department, roster, joinFallback) : null
  if (choice) return give(change, conversation, choice)
  if (!isNext && (await canChoose(change, department, roster, joinFallback)))
    change.jobs.schedule(routingJobs.department, departmentId, change.now) // for the oldest one
  else {
    const at = plusSeconds(change.now, secondLookSeconds)
    change.jobs.schedule(routingJobs.secondLook, departmentId, at, true)
  }
  return conversation
}

/** An operator of a department, and the department that it is the fallback of. */
type Choice = {
  department: Department
  assignment: Assignment
  candidate: Candidate
  fallbackOf: Department | null
}

type ReadFallback = (change: Change, fallbackId: string) => Promise<Roster | null>

/** The next available operator of a department or its fallback. */
async function choose(
  change: Change,
  department: Department,
  roster: Roster | null,
  readFallback: ReadFallback,
): Promise<Choice | null> {
  const own = take(change, roster, department, null)
  if (own) return own
  const fallback = await findFallback(change, department)
  return fallback && take(change, await readFallback(change, fallback.id), fallback, department)
}

/** Returns true if a department or its fallback has an available operator. */
async function canChoose(
  change: Change,
  department: Department,
  roster: Roster | null,
  readFallback: ReadFallback,
): Promise<boolean> {
  if (roster?.isAvailable) return true
  const fallback = await findFallback(change, department)
  return fallback !== null && (await readFallback(change, fallback.id))?.isAvailable === true
}

/** The department that assigns the conversations of another one; null without one. */
async function findFallback(change: Change, { fallback_department_id: id }: Department) {
  const fallback = id === null ? null : await change.rows.find(departments, id)
  return !fallback || fallback.archived || fallback.assignment.strategy === 'manual' ? null : fallback
}

function take(
  change: Change,
  roster: Roster | null,
  department: Department,
  fallbackOf: Department | null,
): Choice | null {
  const candidate = roster?.take()
  if (candidate) return { department, assignment: roster!.assignment, candidate, fallbackOf }
  // Assignments of this round are not committed yet: nobody is available only if they will be.
  const turn = roster?.turnTaken ?? null
  if (turn !== null)
    change.effects.writeCounter(turnsOfDepartments, { department_id: department.id, former: turn, turn })
  return null
}

async function give(change: Change, conversation: Conversation, choice: Choice): Promise<Conversation> {
  const { department, assignment, candidate } = choice
  const { strategy, max_open_per_operator } = assignment
  const { former, turn } = candidate
  reservation.write(
    change,
    { department_id: department.id, max_open_per_operator, former, turn },
    conversation.id,
  )
  const given = change.rows.update(
    conversations,
    conversation,
    {
      ...(conversation.status === 'new' ? moved(conversation, 'open', change.now) : {}),
      department_id: department.id,
      assignee_id: candidate.operator_id,
      assignment_strategy: strategy,
      assignment_reason: reasonOf(choice),
      assigned_at: change.now,
      awaits_routing: false,
    },
    null,
  )
  const kept = await updateClocks(change, given)
  change.rows.addEvent(conversations, kept, 'conversation.assigned', conversation)
  return kept
}

function reasonOf({ assignment, candidate, fallbackOf }: Choice): string {
  const of =
    candidate.candidates === 1
      ? 'the only available operator'
      : `one of ${candidate.candidates} available operators`
  const why =
    assignment.strategy === 'round_robin'
      ? `Next in turn, ${of}`
      : `Fewest open conversations (${candidate.open_conversations}), ${of}`
  return fallbackOf ? `${why}; fallback of ${fallbackOf.name}, where no operator was available` : why
}

/** Returns the roster of a department for this change and all others of its round. */
function joinRoster(change: Change, departmentId: string): Promise<Roster | null> {
  const roster = change.ctx.services.rounds.join(change, departmentId)
  if (roster) return roster
  change.effects.claim(routingOf(departmentId))
  return readRoster(change, departmentId)
}

/** A change that finds nobody in a department leaves its round, because it may wait for that of the fallback. */
const joinFallback: ReadFallback = (change, fallbackId) => {
  change.ctx.services.rounds.leave(change)
  return joinRoster(change, fallbackId)
}

/** Assigns the oldest waiting conversation that an operator can take, and schedules the next run. */
async function assignWaiting(change: Change, departmentIds: string[], comeAgain: () => void): Promise<void> {
  for (const waiting of await findOldestWaiting(change.db, change.tenantId, departmentIds)) {
    const department = await change.rows.find(departments, waiting.department_id)
    if (!department || department.assignment.strategy === 'manual') continue
    const read = () => readRoster(change, department.id)
    if (!(await canChoose(change, department, await read(), readRoster))) continue
    await change.lock(routingOf(department.id))
    change.effects.claim(routingOf(department.id))
    const conversation = await change.rows.find(conversations, waiting.id)
    const choice = await choose(change, department, await read(), readRoster)
    if (choice && conversation && isRoutable(conversation)) await give(change, conversation, choice)
    return comeAgain()
  }
}

/** Assigns waiting conversations of a department. */
async function assignWaitingIn(change: Change, departmentId: string): Promise<void> {
  const from = await departmentsFallingBackTo(change.db, change.tenantId, departmentId)
  await assignWaiting(change, from, () =>
    change.jobs.schedule(routingJobs.department, departmentId, change.now),
  )
}

/** A department has new rules, or an older conversation waits than the new one. */
export const routeDepartment: Job = { name: routingJobs.department, perform: assignWaitingIn }

/** A conversation was left waiting a moment ago. */
export const lookAgain: Job = { name: routingJobs.secondLook, perform: assignWaitingIn }

/** An operator has new capacity: assigns waiting conversations of the operator's departments, oldest first. */
export const routeOperator: Job = {
  name: routingJobs.operator,
  perform: async (change, operatorId) =>
    assignWaiting(change, await servedDepartments(change.db, change.tenantId, operatorId), () =>
      change.jobs.schedule(routingJobs.operator, operatorId, change.now),
    ),
}
