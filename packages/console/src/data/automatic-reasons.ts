/** The reason of a status that the console sets because there was no input. */
export const idleReason = 'No input'
/** The reason of a status that the server sets because no heartbeat came. */
export const silentReason = 'No heartbeat'

/** A reason that a person gave; null for one that nobody gave. */
export const givenReason = (reason: string | null): string | null =>
  reason === idleReason || reason === silentReason ? null : reason
