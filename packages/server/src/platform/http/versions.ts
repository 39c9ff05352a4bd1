import type { Clock } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import { Temporal } from '../kernel/temporal.ts'

/** The announced dates of an API version, in Unix milliseconds. */
export type VersionDates = { successorReleasedAt: number | null; retiresAt: number | null }

const minimumOverlapMonths = 12
const announcementMonths = 6

/** Adds calendar months; the last day of a month replaces days that it lacks. */
export function plusMonths(unixMs: number, months: number): number {
  return Temporal.Instant.fromEpochMilliseconds(unixMs).toZonedDateTimeISO('UTC').add({ months })
    .epochMilliseconds
}

/** The error of the dates; null if both versions run side by side for at least 12 months. */
export function faultOfDates({ successorReleasedAt, retiresAt }: VersionDates): string | null {
  if (retiresAt === null) return null
  if (successorReleasedAt === null)
    return 'BACKLINE_V1_RETIRES_AT requires BACKLINE_V2_RELEASED_AT: v1 cannot be retired before v2 is released'
  const earliest = plusMonths(successorReleasedAt, minimumOverlapMonths)
  if (retiresAt < earliest) {
    return `BACKLINE_V1_RETIRES_AT must be at least 12 months after BACKLINE_V2_RELEASED_AT, that is ${new Date(earliest).toISOString()} or later`
  }
  return null
}

/**
 * The headers that announce the end of v1: `Deprecation` (RFC 9745) from the release of v2, and `Sunset` (RFC 8594)
 * with the successor's link in the last 6 months.
 */
export function versionHeaders(
  dates: VersionDates,
  successor: string,
  clock: Clock,
): () => Record<string, string> {
  const announcedFrom = dates.retiresAt === null ? null : plusMonths(dates.retiresAt, -announcementMonths)
  return () => {
    const now = clock()
    const headers: Record<string, string> = {}
    if (dates.successorReleasedAt !== null && now >= dates.successorReleasedAt) {
      headers.deprecation = `@${Math.floor(dates.successorReleasedAt / 1000)}`
    }
    if (announcedFrom !== null && now >= announcedFrom) {
      headers.sunset = new Date(dates.retiresAt!).toUTCString()
      headers.link = `<${successor}>; rel="successor-version"`
    }
    return headers
  }
}

/** @throws ApiError `version_retired` after the retirement */
export function refuseRetired(dates: VersionDates, clock: Clock): void {
  if (dates.retiresAt !== null && clock() >= dates.retiresAt) throw new ApiError('version_retired')
}
