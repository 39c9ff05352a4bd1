import type { Clock } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'

/** The announced life of an API version; milliseconds since the epoch. */
export type VersionDates = { successorReleasedAt: number | null; retiresAt: number | null }

const minimumOverlapMonths = 12
const announcementMonths = 6

/** The same moment some calendar months away; the last day of a month stands for days that it lacks. */
export function plusMonths(epochMs: number, months: number): number {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO('UTC').add({ months })
    .epochMilliseconds
}

/** What is wrong with the dates; null when they keep the promise of at least 12 months side by side. */
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
 * The headers that announce v1's end: `Deprecation` (RFC 9745) from v2's release, `Sunset` (RFC 8594) and the
 * successor's link from 6 months before the retirement.
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

/** @throws ApiError `version_retired` once the retirement has come */
export function refuseRetired(dates: VersionDates, clock: Clock): void {
  if (dates.retiresAt !== null && clock() >= dates.retiresAt) throw new ApiError('version_retired')
}
