import type { Instant } from '../../../platform/kernel/clock.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import type { Situation } from '../../sla/clocks/clocks.ts'

export const statuses = ['new', 'open', 'pending', 'on_hold', 'resolved', 'closed'] as const
export type Status = (typeof statuses)[number]

export const sides = ['end_user', 'operator', 'system'] as const
export type Side = (typeof sides)[number]

/** The sides of a conversation that wait, read and receive answers. */
export const people = ['end_user', 'operator'] as const
export type Person = (typeof people)[number]

/** The state machine: the transitions of each action. Transitions that are not listed are impossible. */
export const lifecycle = {
  // Open with an assignee; a department alone leaves a new conversation new.
  assign: { new: 'open', open: 'open', pending: 'pending', on_hold: 'on_hold', resolved: 'resolved' },
  claim: { new: 'open', open: 'open', pending: 'pending', on_hold: 'on_hold', resolved: 'resolved' },
  hold: { new: 'on_hold', open: 'on_hold', pending: 'on_hold', on_hold: 'on_hold' },
  resume: { on_hold: 'open' },
  resolve: { new: 'resolved', open: 'resolved', pending: 'resolved', on_hold: 'resolved' },
  reopen: { resolved: 'open' },
  close: { new: 'closed', open: 'closed', pending: 'closed', on_hold: 'closed', resolved: 'closed' },
  merge: { new: 'closed', open: 'closed', pending: 'closed', on_hold: 'closed', resolved: 'closed' },
} as const satisfies Record<string, Partial<Record<Status, Status>>>

export type Action = keyof typeof lifecycle

/** The status after a public message; a status that is not listed stays. */
export const afterMessage: Record<Side, Partial<Record<Status, Status>>> = {
  end_user: { pending: 'open', on_hold: 'open', resolved: 'open' },
  operator: { new: 'pending', open: 'pending' },
  system: {},
}

/** The statuses that an operator's public message may set instead. */
export const settableStatuses = ['open', 'pending', 'resolved'] as const

export const waitingOns = ['operator', 'end_user', 'third_party'] as const
export type WaitingOn = (typeof waitingOns)[number]

/** The side that a conversation waits for in this status. On hold, the hold reason defines it. */
const waitingOn: Record<Exclude<Status, 'on_hold'>, Person | null> = {
  new: 'operator',
  open: 'operator',
  pending: 'end_user',
  resolved: null,
  closed: null,
}

/** The statuses in which a conversation may wait for a side. */
export const statusesWaitingOn = (whom: WaitingOn): Status[] =>
  statuses.filter((status) => status === 'on_hold' || waitingOn[status] === whom)

/** The statuses that count towards an operator's load, and in which routing assigns a conversation. */
export const loadStatuses = ['new', 'open', 'pending'] as const satisfies Status[]
export const isLoad = (status: Status): boolean => (loadStatuses as readonly Status[]).includes(status)

/** The jobs of conversations. */
export const jobs = {
  holdExpiry: 'hold_expiry',
  holdFollowUp: 'hold_follow_up',
  autoClose: 'auto_close',
  slaAlarm: 'sla_alarm',
} as const

/** The jobs of routing: for a department, a second attempt for it, and for an operator with new capacity. */
export const routingJobs = {
  department: 'route_department',
  secondLook: 'route_second_look',
  operator: 'route_operator',
} as const

export const allActions = Object.keys(lifecycle) as Action[]

export const targetOf = (from: Status, action: Action): Status | undefined =>
  (lifecycle[action] as Partial<Record<Status, Status>>)[from]

/** The possible actions; claiming only while the conversation is unassigned. */
export const allowedActions = ({ status, assignee_id }: Assignable): Action[] =>
  allActions.filter((action) => targetOf(status, action) && !(action === 'claim' && assignee_id !== null))

type Assignable = { status: Status; assignee_id: string | null }

/** @throws ApiError `invalid_transition` with the possible actions */
export function transition(conversation: Assignable, action: Action): Status {
  const from = conversation.status
  const to = targetOf(from, action)
  if (!to) throw new ApiError('invalid_transition', { from, action, allowed: allowedActions(conversation) })
  return to
}

/** The required fields of an action. */
export const requiredFields: Partial<Record<Action, string[]>> = {
  hold: ['hold_reason_id'],
  merge: ['into_id'],
}

/** The status for SLA clocks: a new conversation counts as open. */
export const statusForClocks = (status: Status, isMerged: boolean): Situation['status'] =>
  isMerged ? 'merged' : status === 'new' ? 'open' : status

type EventOfMove = `conversation.${'held' | 'resumed' | 'resolved' | 'reopened' | 'closed' | 'updated'}`

/** The event of a change of status, whatever caused it. */
export function eventOfMove(from: Status, to: Status): EventOfMove {
  if (to === 'closed') return 'conversation.closed'
  if (to === 'resolved' && from !== 'resolved') return 'conversation.resolved'
  if (from === 'resolved' && to !== 'resolved') return 'conversation.reopened'
  if (to === 'on_hold') return 'conversation.held'
  if (from === 'on_hold') return 'conversation.resumed'
  return 'conversation.updated'
}

/** The hold of a conversation. `waiting_on` and the following members are those of the reason at that time. */
export type Hold = {
  hold_reason_id: string
  hold_note: string | null
  hold_since: Instant
  hold_until: Instant | null
  waiting_on: WaitingOn
  resumes_on_reply: boolean
  hold_pauses_sla: boolean
}

type Movable = {
  status: Status
  waiting_on: WaitingOn | null
  waiting_since: Instant | null
  unanswered_since: Instant | null
  hold_reason_id: string | null
  hold_note: string | null
  hold_since: Instant | null
  hold_until: Instant | null
  resumes_on_reply: boolean
  hold_pauses_sla: boolean
  resolved_at: Instant | null
  closed_at: Instant | null
  reopened_count: number
}

export const noHold = {
  hold_reason_id: null,
  hold_note: null,
  hold_since: null,
  hold_until: null,
  resumes_on_reply: true,
  hold_pauses_sla: true,
}

/** The changes of a conversation that moves to another status; `hold` is required for `on_hold`. */
export function moved(conversation: Movable, to: Status, now: Instant, hold?: Hold): Movable {
  const from = conversation.status
  const waiting = to === 'on_hold' ? hold!.waiting_on : waitingOn[to]
  return {
    ...(to === 'on_hold' ? hold! : noHold),
    status: to,
    waiting_on: waiting,
    waiting_since:
      waiting === null ? null : waiting === conversation.waiting_on ? conversation.waiting_since : now,
    // A resolved conversation owes no answer.
    unanswered_since: from === 'resolved' ? null : conversation.unanswered_since,
    resolved_at:
      to === 'resolved'
        ? (conversation.resolved_at ?? now)
        : to === 'closed'
          ? conversation.resolved_at
          : null,
    closed_at: to === 'closed' ? now : null,
    reopened_count: conversation.reopened_count + (eventOfMove(from, to) === 'conversation.reopened' ? 1 : 0),
  }
}
