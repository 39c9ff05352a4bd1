/** In the order in which people look for somebody. */
export const statuses = ['online', 'busy', 'away', 'offline'] as const
export type Status = (typeof statuses)[number]
