/** The longest pause between two polls. Work that is scheduled for a time within it is announced to other processes. */
export const longestPauseMs = 5_000

/** A poll takes at most this share of the time. */
const share = 1 / 100

/**
 * Returns the pause in milliseconds after a poll that took `tookMs`, at least `leastMs`. A slow poll is repeated less
 * often.
 */
export const pauseAfter = (tookMs: number, leastMs: number): number =>
  Math.min(longestPauseMs, Math.max(leastMs, tookMs / share))
