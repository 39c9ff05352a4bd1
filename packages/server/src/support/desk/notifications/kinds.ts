/** In the order of precedence: one request notifies an operator of a conversation once, by the first that applies. */
export const kinds = [
  'mentioned',
  'assigned',
  'handed_over',
  'answered',
  'followed_up',
  'sla_breached',
  'sla_warning',
] as const
export type NotificationKind = (typeof kinds)[number]

export const reasons = [
  'assignee',
  'follower',
  'mentioned',
  'reassigned',
  'unassigned',
  'department',
] as const
export type NotificationReason = (typeof reasons)[number]

/** `email` is reserved. */
export type KindSettings = { inbox: boolean; desktop: boolean; email: boolean }
