import type { Change, Entity } from '../../db/change.ts'
import {
  deleteMembers,
  deletePeriods,
  insertMembers,
  insertPeriods,
  type Operator,
  operatorTable,
} from './queries.ts'
import { operatorWire } from './schema.ts'

/** The duties of operators (status.ts), as they are appointed. */
export const duties = { statusUntil: 'operator_status_until', heartbeat: 'operator_heartbeat' } as const

export const operators: Entity<Operator> = {
  type: 'operator',
  table: operatorTable,
  wire: operatorWire,
  unshown: ['status_reason', 'status_until', 'status_then', 'offline_by_hand'],
  precedence: ['operator.updated', 'operator.status_changed'],
  consequences(change, before, after) {
    writeMembers(change, before, after)
    if (!after) return forget(change, before!)
    followStatus(change, before, after)
  },
}

/** The departments that joined and left the list of the operator's. */
function writeMembers(change: Change, before: Operator | null, after: Operator | null): void {
  const former = before?.department_ids ?? []
  const present = after?.department_ids ?? []
  const operator_id = (after ?? before)!.id
  for (const department_id of former)
    if (!present.includes(department_id)) change.alsoEach(deleteMembers, { department_id, operator_id })
  for (const department_id of present) {
    if (former.includes(department_id)) continue
    change.alsoEach(insertMembers, { department_id, operator_id, created_at: change.now })
  }
}

function followStatus(change: Change, before: Operator | null, after: Operator): void {
  const { id, status, status_reason: reason, status_since: started_at, status_until: until } = after
  if (before?.status !== status || before.status_reason !== reason)
    change.alsoEach(insertPeriods, { operator_id: id, started_at, status, reason })
  if ((before?.status_until ?? null) !== until) {
    if (until) change.schedule(duties.statusUntil, id, until)
    else change.unschedule(duties.statusUntil, id)
  }
  if (after.offline_by_hand && !before?.offline_by_hand) change.unschedule(duties.heartbeat, id)
}

function forget(change: Change, { id }: Operator): void {
  change.alsoEach(deletePeriods, id)
  change.unschedule(duties.statusUntil, id)
  change.unschedule(duties.heartbeat, id)
}
