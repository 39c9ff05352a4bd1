import { on } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { jobs, operators } from './entity.ts'
import { deleteMembers, deletePeriods, insertMembers, insertPeriods, type Operator } from './queries.ts'

function follow(change: Change, before: Operator | null, after: Operator | null): void {
  writeMembers(change, before, after)
  if (after) followStatus(change, before, after)
  else forget(change, before!)
}

/** Writes the memberships for departments that joined and left the operator's list. */
function writeMembers(change: Change, before: Operator | null, after: Operator | null): void {
  const former = before?.department_ids ?? []
  const present = after?.department_ids ?? []
  const operator_id = (after ?? before)!.id
  for (const department_id of former)
    if (!present.includes(department_id))
      change.effects.writeBatched(deleteMembers, { department_id, operator_id })
  for (const department_id of present) {
    if (former.includes(department_id)) continue
    change.effects.writeBatched(insertMembers, { department_id, operator_id, created_at: change.now })
  }
}

function followStatus(change: Change, before: Operator | null, after: Operator): void {
  const { id, status, status_reason: reason, status_since: started_at, status_until: until } = after
  if (before?.status !== status || before.status_reason !== reason)
    change.effects.writeBatched(insertPeriods, { operator_id: id, started_at, status, reason })
  if ((before?.status_until ?? null) !== until) {
    if (until) change.jobs.schedule(jobs.statusUntil, id, until)
    else change.jobs.cancel(jobs.statusUntil, id)
  }
  if (after.offline_by_hand && !before?.offline_by_hand) change.jobs.cancel(jobs.heartbeat, id)
}

function forget(change: Change, { id }: Operator): void {
  change.effects.writeBatched(deletePeriods, id)
  change.jobs.cancel(jobs.statusUntil, id)
  change.jobs.cancel(jobs.heartbeat, id)
}

export const operatorReactions = [on(operators, follow)]
