import type { Instant } from '../../../platform/kernel/clock.ts'

export const statuses = ['online', 'away', 'busy', 'offline'] as const
export type Status = (typeof statuses)[number]

/** The columns of an operator's status. */
export type Presence = {
  status: Status
  status_reason: string | null
  status_since: Instant
  status_until: Instant | null
  /** The status after `status_until`; null without one. */
  status_then: Status | null
  offline_by_hand: boolean
}

export type NextStatus = {
  status: Status
  reason?: string | null
  until?: Instant | null
  then?: Status | null
}

/**
 * Replaces the status; omitted values are null. A period never starts before the previous one, even if the clocks of
 * two processes differ.
 * @param byHand true if a person decided, which no heartbeat overrides
 */
export function presenceAfter(
  before: Presence,
  { status, reason = null, until = null, then = null }: NextStatus,
  byHand: boolean,
  now: Instant,
): Presence {
  const stays = before.status === status && before.status_reason === reason
  const later = now > before.status_since ? now : before.status_since
  return {
    status,
    status_reason: reason,
    status_since: stays ? before.status_since : later,
    status_until: until,
    status_then: then,
    offline_by_hand: status === 'offline' && byHand,
  }
}
