import { plusSeconds } from '../../../../platform/kernel/clock.ts'
import type { Job } from '../../../../platform/resource/resource.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { departments } from '../../../team/departments/entity.ts'
import type { Department } from '../../../team/departments/queries.ts'
import { conversations } from '../entity.ts'
import { isLoad, moved, routingJobs } from '../lifecycle.ts'
import { reservation } from '../notes.ts'
import type { Conversation } from '../queries.ts'
import { updateClocks } from '../sla/update-clocks.ts'
import {
  type Candidate,
  departmentsFallingBackTo,
  findOldestWaiting,
  findProspect,
  type Prospect,
  servedDepartments,
} from './queries.ts'

/*
 * Who gets a conversation. A decision is made on what is read, and holds by what is written: the operator's row is
 * raised by one only while the operator is online and below capacity, the department's load only below its limit, and
 * the turn only if nobody was given it meanwhile (consequences.ts). If one of them fails, the whole change is computed
 * anew. So it is exact, by any number of processes (docs/adr/0009).
 */

/** Two decisions that missed each other (one left waiting what the other had room for) meet again after this time. */
const secondLookSeconds = 2

export const isRoutable = (conversation: Conversation): boolean =>
  conversation.awaits_routing &&
  conversation.assignee_id === null &&
  conversation.department_id !== null &&
  isLoad(conversation.status)

/** Gives a conversation to an operator of its department, or of the department's fallback; leaves it waiting if nobody can take it. */
export async function route(change: Change, conversation: Conversation): Promise<Conversation> {
  const departmentId = conversation.department_id!
  const department = await change.rows.find(departments, departmentId)
  if (!department || department.assignment.strategy === 'manual') return conversation
  await queueFor(change, departmentId)
  const prospect = await findProspect(change.db, change.tenantId, department)
  if (prospect.oldest_waiting !== null && prospect.oldest_waiting < conversation.id) {
    change.jobs.schedule(routingJobs.department, departmentId, change.now) // those who wait come first
    return conversation
  }
  const choice = await choose(change, department, prospect)
  if (choice) return give(change, conversation, choice)
  change.jobs.schedule(routingJobs.secondLook, departmentId, plusSeconds(change.now, secondLookSeconds), true)
  return conversation
}

type Choice = { department: Department; candidate: Candidate; fallbackOf: Department | null }

/** The one whose turn it is, of those who can take one more. */
async function choose(
  change: Change,
  department: Department,
  { candidate }: Prospect,
): Promise<Choice | null> {
  if (candidate) return { department, candidate, fallbackOf: null }
  if (department.fallback_department_id === null) return null
  const fallback = await change.rows.find(departments, department.fallback_department_id)
  if (!fallback || fallback.archived || fallback.assignment.strategy === 'manual') return null
  const { candidate: substitute } = await findProspect(change.db, change.tenantId, fallback)
  return substitute && { department: fallback, candidate: substitute, fallbackOf: department }
}

async function give(change: Change, conversation: Conversation, choice: Choice): Promise<Conversation> {
  const { department, candidate } = choice
  const { turn, next_turn } = candidate
  const { max_open_per_operator } = department.assignment
  reservation.write(
    change,
    { department_id: department.id, max_open_per_operator, turn, next_turn },
    conversation.id,
  )
  const given = change.rows.update(
    conversations,
    conversation,
    {
      ...(conversation.status === 'new' ? moved(conversation, 'open', change.now) : {}),
      department_id: department.id,
      assignee_id: candidate.operator_id,
      assignment_strategy: department.assignment.strategy,
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

function reasonOf({ department, candidate, fallbackOf }: Choice): string {
  const of =
    candidate.candidates === 1
      ? 'the only available operator'
      : `one of ${candidate.candidates} available operators`
  const why =
    department.assignment.strategy === 'round_robin'
      ? `Next in turn, ${of}`
      : `Fewest open conversations (${candidate.open_conversations}), ${of}`
  return fallbackOf ? `${why}; fallback of ${fallbackOf.name}, where no operator was available` : why
}

/**
 * Decisions about one department are made one after the other in this process: they would only overtake each other. A
 * change that has had its turn with one department waits for no other: two could wait for each other for ever.
 */
async function queueFor(change: Change, departmentId: string): Promise<void> {
  const name = `routing/${departmentId}`
  if (!change.holdsLock('routing/')) await change.lock(name)
  change.effects.claim(name)
}

/** Gives out the oldest that waits in one of these departments and that somebody can take, and comes again for the next. */
async function giveOut(change: Change, departmentIds: string[], comeAgain: () => void): Promise<void> {
  for (const waiting of await findOldestWaiting(change.db, change.tenantId, departmentIds)) {
    const department = await change.rows.find(departments, waiting.department_id)
    if (!department || department.assignment.strategy === 'manual') continue
    const whoCan = async () =>
      choose(change, department, await findProspect(change.db, change.tenantId, department))
    if (!(await whoCan())) continue
    await queueFor(change, department.id) // of this one alone: who has one and waits for another may wait for ever
    const choice = await whoCan()
    const conversation = choice && (await change.rows.find(conversations, waiting.id))
    if (conversation && isRoutable(conversation)) await give(change, conversation, choice)
    return comeAgain()
  }
}

/** What waits for a department is given out. */
async function giveOutFor(change: Change, departmentId: string): Promise<void> {
  const from = await departmentsFallingBackTo(change.db, change.tenantId, departmentId)
  await giveOut(change, from, () => change.jobs.schedule(routingJobs.department, departmentId, change.now))
}

/** A department has other rules, or something older waits in it than what came just now. */
export const routeDepartment: Job = { name: routingJobs.department, perform: giveOutFor }

/** Something was left waiting a moment ago. */
export const lookAgain: Job = { name: routingJobs.secondLook, perform: giveOutFor }

/** An operator can take more than before: what waits where the operator serves is given out, oldest first. */
export const routeOperator: Job = {
  name: routingJobs.operator,
  perform: async (change, operatorId) =>
    giveOut(change, await servedDepartments(change.db, change.tenantId, operatorId), () =>
      change.jobs.schedule(routingJobs.operator, operatorId, change.now),
    ),
}
