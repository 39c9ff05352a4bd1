import type { Change } from '../../db/change.ts'
import { type Instant, plusSeconds } from '../../lib/clock.ts'
import { holdReasons } from '../hold-reasons/entity.ts'
import { deleteUses, insertUses } from '../tags/queries.ts'
import { workspaces } from '../workspace/entity.ts'
import { duties, isLoad, routingDuties } from './lifecycle.ts'
import { beginHolds, type Conversation, endHolds } from './queries.ts'
import {
  addToOperators,
  addToPlaces,
  anyWaitingFor,
  moveTurns,
  takeOperators,
  takePlaces,
} from './routing/queries.ts'
import { insertMoments } from './sla/queries.ts'
import { isSameSituation, momentOf, nextAlarmAt } from './sla/situation.ts'

/** What follows from a change of a conversation, by whatever way it came about. */
export async function consequences(
  change: Change,
  before: Conversation | null,
  after: Conversation | null,
): Promise<void> {
  if (!after) return // conversations are not deleted
  countLoad(change, before, after)
  recordTags(change, before, after)
  await recordHold(change, before, after)
  await appointClosing(change, before, after)
  followClocks(change, before, after)
  await giveOutRoom(change, before, after)
}

type Load = { operatorId: string; departmentId: string | null }

const loadOf = (conversation: Conversation | null): Load | null =>
  conversation?.assignee_id && isLoad(conversation.status)
    ? { operatorId: conversation.assignee_id, departmentId: conversation.department_id }
    : null

const sameLoad = (one: Load | null, other: Load | null) =>
  one?.operatorId === other?.operatorId && one?.departmentId === other?.departmentId

/** Operators' counters follow; what routing gives takes the room that it was given for, or the change fails. */
function countLoad(change: Change, before: Conversation | null, after: Conversation): void {
  const former = loadOf(before)
  const present = loadOf(after)
  const { taken } = after
  if (present && taken) take(change, former, present, taken)
  else if (!sameLoad(former, present)) {
    if (former) add(change, former, -1)
    if (present) add(change, present, 1)
  }
}

/*
 * Whoever counts locks an operator's place in the department first and the operator last, so that no two wait for each
 * other: parts that are read (here, by their guards) run in order, and those that nobody reads in reverse.
 */

/** Of one operator it may be taken and given back to at once: each row is written by one part of the statement. */
function take(
  change: Change,
  former: Load | null,
  present: Load,
  taken: NonNullable<Conversation['taken']>,
): void {
  change.touch(`operator/${present.operatorId}`)
  const place = { department_id: taken.department_id, operator_id: present.operatorId }
  const [same, movedOn] = [sameLoad(former, present), present.departmentId !== taken.department_id]
  if (movedOn && !same) addToPlace(change, present, 1)
  if (!movedOn) {
    const { max_open_per_operator, turn, next_turn } = taken
    if (!same) change.exactly(takePlaces, { ...place, max_open_per_operator })
    change.exactly(moveTurns, { ...place, turn, next_turn })
  }
  const stays = former?.operatorId === present.operatorId
  change.exactly(takeOperators, { operator_id: present.operatorId, count: stays ? 0 : 1 })
  if (former && !stays) add(change, former, -1)
  else if (former && !same) addToPlace(change, former, -1)
}

function add(change: Change, load: Load, count: 1 | -1): void {
  change.share(`operator/${load.operatorId}`)
  change.alsoEach(addToOperators, { operator_id: load.operatorId, count })
  addToPlace(change, load, count)
}

function addToPlace(change: Change, { operatorId, departmentId }: Load, count: 1 | -1): void {
  if (departmentId)
    change.alsoEach(addToPlaces, { operator_id: operatorId, department_id: departmentId, count })
}

/** `conversation_tags` is `tag_ids` the other way round, to the letter: an alias is written as its tag in both. */
function recordTags(change: Change, before: Conversation | null, after: Conversation): void {
  const former = new Set(before?.tags.map(({ id, stored_id }) => stored_id ?? id))
  const present = new Set(after.tags.map(({ id }) => id))
  for (const tag_id of former.difference(present))
    change.alsoEach(deleteUses, { tag_id, conversation_id: after.id })
  for (const tag_id of present.difference(former))
    change.alsoEach(insertUses, { tag_id, conversation_id: after.id })
}

/** Each stay on hold is a period with a beginning and an end; its end and its reminders are appointed. */
async function recordHold(change: Change, before: Conversation | null, after: Conversation): Promise<void> {
  const { id, hold_since: since } = after
  if ((before?.hold_since ?? null) === since) return
  if (before?.hold_since) {
    change.alsoEach(endHolds, {
      conversation_id: id,
      since: before.hold_since,
      ended_at: change.now,
      ended_by: change.cause,
    })
    if (before.hold_until) change.unschedule(duties.holdExpiry, id)
    change.unschedule(duties.holdFollowUp, id)
  }
  if (!since) return
  const { hold_reason_id, hold_note: note, hold_until: until } = after
  change.alsoEach(beginHolds, { conversation_id: id, hold_reason_id: hold_reason_id!, note, since, until })
  if (until) change.schedule(duties.holdExpiry, id, until)
  const reason = await change.find(holdReasons, hold_reason_id!)
  if (reason?.follow_up)
    change.schedule(duties.holdFollowUp, id, plusSeconds(since, reason.follow_up.every_seconds))
}

/** What is resolved closes by itself after the workspace's time. */
async function appointClosing(
  change: Change,
  before: Conversation | null,
  after: Conversation,
): Promise<void> {
  const since = ({ status, resolved_at }: Conversation) => (status === 'resolved' ? resolved_at : null)
  if ((before ? since(before) : null) === since(after)) return
  if (after.status === 'resolved') change.schedule(duties.autoClose, after.id, await closesAt(change, after))
  else change.unschedule(duties.autoClose, after.id)
}

/** When a resolved conversation closes by itself, as the workspace has it now. */
export async function closesAt(change: Change, { resolved_at }: Conversation): Promise<Instant> {
  const workspace = await change.find(workspaces, change.ctx.env.workspaceId)
  return plusSeconds(resolved_at!, workspace!.auto_close_after_seconds)
}

/** What clocks depend on is kept, to be explained later; warnings and breaches are appointed. */
function followClocks(change: Change, before: Conversation | null, after: Conversation): void {
  if (!after.sla) return
  for (const moment of after.past ?? []) change.alsoEach(insertMoments, { conversation: after, moment })
  if (!before?.sla || !isSameSituation(before, after)) {
    const moment = momentOf(after, after.sla.at)
    change.alsoEach(insertMoments, { conversation: after, moment })
  }
  const next = nextAlarmAt(after)
  if (next === (before && nextAlarmAt(before))) return
  if (next) change.schedule(duties.slaAlarm, after.id, next)
  else change.unschedule(duties.slaAlarm, after.id)
}

/** An operator who has one less, of all or of a department, may take one that waits. */
async function giveOutRoom(change: Change, before: Conversation | null, after: Conversation): Promise<void> {
  const former = loadOf(before)
  if (!former || sameLoad(former, loadOf(after))) return
  if (await anyWaitingFor(change.db, change.tenantId, former.operatorId))
    change.schedule(routingDuties.operator, former.operatorId, change.now)
}
