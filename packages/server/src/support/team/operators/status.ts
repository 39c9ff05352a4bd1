import { type Instant, parseInstant, plusSeconds } from '../../../platform/kernel/clock.ts'
import { ApiError, invalidBody } from '../../../platform/kernel/errors.ts'
import type { Job } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { jobs, operators } from './entity.ts'
import { type NextStatus, presenceAfter } from './lifecycle.ts'
import type { Operator } from './queries.ts'
import type { Heartbeat, NewStatus } from './status-schema.ts'

const defaultTtlSeconds = 60

const enter = (change: Change, operator: Operator, next: NextStatus, byHand: boolean): Operator =>
  change.rows.update(
    operators,
    operator,
    presenceAfter(operator, next, byHand, change.now),
    'operator.status_changed',
  )

/** A status set by a person. It replaces the previous one, and no heartbeat overrides `offline`. */
export async function setOperatorStatus(change: Change, id: string, input: NewStatus): Promise<Operator> {
  const operator = await change.rows.load(operators, id)
  const until = input.until == null ? null : parseInstant(input.until)
  if (until !== null && until <= change.now)
    throw invalidBody({ pointer: '/until', code: 'too_small', detail: 'must be in the future' })
  if (operator.archived)
    throw new ApiError('invalid_transition', { from: 'archived', action: 'set_status', allowed: [] })
  const { status, reason = null } = input
  const then = until === null ? null : (input.then ?? 'online')
  return enter(change, operator, { status, reason, until, then }, true)
}

/**
 * Without another heartbeat in time the operator goes offline. An operator set offline by a person stays offline.
 */
export async function heartbeat(change: Change, id: string, { ttl_seconds }: Heartbeat): Promise<Operator> {
  const operator = await change.rows.load(operators, id)
  change.rows.guard(operators, operator) // a concurrent status decides whether anything is scheduled
  if (operator.offline_by_hand) return operator
  change.jobs.schedule(jobs.heartbeat, id, plusSeconds(change.now, ttl_seconds ?? defaultTtlSeconds))
  return operator.status === 'offline' ? enter(change, operator, { status: 'online' }, false) : operator
}

/** Ends a status with an end time. A next status that a person chose counts as set by a person. */
async function endStatus(change: Change, id: string, dueAt: Instant): Promise<void> {
  const operator = await change.rows.find(operators, id)
  if (operator?.status_until !== dueAt) return
  enter(change, operator, { status: operator.status_then ?? 'online' }, true)
}

/** Sets an operator offline after a missed heartbeat. */
async function missHeartbeat(change: Change, id: string): Promise<void> {
  const operator = await change.rows.find(operators, id)
  if (!operator || operator.status === 'offline') return
  enter(change, operator, { status: 'offline', reason: 'No heartbeat' }, false)
}

export const statusJobs: Job[] = [
  { name: jobs.statusUntil, subjects: operators, perform: endStatus },
  { name: jobs.heartbeat, subjects: operators, perform: missHeartbeat },
]
