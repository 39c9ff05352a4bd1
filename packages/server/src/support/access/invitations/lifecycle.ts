import type { Instant } from '../../../platform/kernel/clock.ts'
import type { Invitation } from './queries.ts'

export const statuses = ['pending', 'accepted', 'revoked', 'expired'] as const

export function statusOf(
  { accepted_at, revoked_at, expires_at }: Invitation,
  now: Instant,
): (typeof statuses)[number] {
  if (accepted_at !== null) return 'accepted'
  if (revoked_at !== null) return 'revoked'
  return expires_at <= now ? 'expired' : 'pending'
}
