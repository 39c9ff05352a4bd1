/** The longest pause between two polls. Work that is scheduled for a time within it is announced to other processes. */
export const longestPauseMs = 5_000

/** A poll takes at most this share of the time. */
const share = 1 / 100

/**
 * The pause after a poll, longer if the poll took long: one of ten thousand environments takes PostgreSQL tens of
 * milliseconds. Polls find what no notification has announced.
 */
export const pauseAfter = (tookMs: number, leastMs: number): number =>
  Math.min(longestPauseMs, Math.max(leastMs, tookMs / share))
