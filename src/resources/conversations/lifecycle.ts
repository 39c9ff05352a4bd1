import type { Instant } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'

export const statuses = ['new', 'open', 'pending', 'on_hold', 'resolved', 'closed'] as const
export type Status = (typeof statuses)[number]

export const sides = ['end_user', 'operator', 'system'] as const
export type Side = (typeof sides)[number]

/** The sides that wait, read and are answered. */
export const people = ['end_user', 'operator'] as const
export type Person = (typeof people)[number]

/** The state machine: which action leads from which status to which. What is not here is not possible. */
export const lifecycle = {
  resolve: { new: 'resolved', open: 'resolved', pending: 'resolved', on_hold: 'resolved' },
  reopen: { resolved: 'open' },
  close: { new: 'closed', open: 'closed', pending: 'closed', on_hold: 'closed', resolved: 'closed' },
} as const satisfies Record<string, Partial<Record<Status, Status>>>

export type Action = keyof typeof lifecycle

/** Where a public message takes a conversation; a status that is not listed stays. */
export const afterMessage: Record<Side, Partial<Record<Status, Status>>> = {
  end_user: { pending: 'open', on_hold: 'open', resolved: 'open' },
  operator: { new: 'pending', open: 'pending' },
  system: {},
}

/** What an operator's public message may ask for instead. */
export const settableStatuses = ['open', 'pending', 'resolved'] as const

/** Whom a conversation in this status waits for; nobody once it is done. */
export const waitingOn: Record<Status, Person | null> = {
  new: 'operator',
  open: 'operator',
  pending: 'end_user',
  on_hold: null,
  resolved: null,
  closed: null,
}

export const allActions = Object.keys(lifecycle) as Action[]

export const targetOf = (from: Status, action: Action): Status | undefined =>
  (lifecycle[action] as Partial<Record<Status, Status>>)[from]

export const allowedActions = (from: Status): Action[] =>
  allActions.filter((action) => targetOf(from, action))

/** @throws ApiError `invalid_transition` with what is possible instead */
export function transition(from: Status, action: Action): Status {
  const to = targetOf(from, action)
  if (!to) throw new ApiError('invalid_transition', { from, action, allowed: allowedActions(from) })
  return to
}

/** The event that tells of a change of status, whatever caused it. */
export function eventOfMove(from: Status, to: Status): string {
  if (to === 'closed') return 'conversation.closed'
  if (to === 'resolved' && from !== 'resolved') return 'conversation.resolved'
  if (from === 'resolved' && to !== 'resolved') return 'conversation.reopened'
  if (from === 'on_hold' && to !== 'on_hold') return 'conversation.resumed'
  return 'conversation.updated'
}

type Movable = {
  status: Status
  waiting_since: Instant | null
  resolved_at: Instant | null
  closed_at: Instant | null
  reopened_count: number
}

/** What changes on a conversation that moves to another status. */
export function moved(conversation: Movable, to: Status, now: Instant): Movable {
  const from = conversation.status
  const samePerson = waitingOn[from] === waitingOn[to]
  return {
    status: to,
    waiting_since: samePerson ? conversation.waiting_since : waitingOn[to] === null ? null : now,
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
