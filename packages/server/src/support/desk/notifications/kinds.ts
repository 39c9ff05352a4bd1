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

/** An object with a value for each kind. */
export const ofEachKind = <Value>(of: (kind: NotificationKind) => Value) =>
  Object.fromEntries(kinds.map((kind) => [kind, of(kind)])) as Record<NotificationKind, Value>

const defaultSettings = (kind: NotificationKind): KindSettings => ({
  inbox: true,
  desktop: ['mentioned', 'assigned', 'answered', 'sla_breached'].includes(kind),
  email: false,
})

/** The preferences of an operator who has set none. */
export const defaultKinds = ofEachKind(defaultSettings)
export const defaultFollow = { on_mention: true, on_reply: true }
