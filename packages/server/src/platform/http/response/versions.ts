import type { Clock } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { Temporal } from '../../kernel/time-zones.ts'

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
 * The headers that announce the end of v1: `Deprecation` (RFC 9745) with the successor's link from the release of v2,
 * and `Sunset` (RFC 8594) from 6 months before its retirement.
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
      headers.link = `<${successor}>; rel="successor-version"`
    }
    if (announcedFrom !== null && now >= announcedFrom) {
      headers.sunset = new Date(dates.retiresAt!).toUTCString()
    }
    return headers
  }
}

export const isRetired = ({ retiresAt }: VersionDates, nowMs: number): boolean =>
  retiresAt !== null && nowMs >= retiresAt

/** @throws ApiError `version_retired` after the retirement. Only a version with a successor is retired. */
export function refuseRetired(dates: VersionDates, clock: Clock): void {
  if (isRetired(dates, clock())) throw new ApiError('version_retired')
}

export const remarkOnRetirement =
  'BACKLINE_V1_RETIRES_AT has passed, and v1 goes on, because this version of Backline has no successor of it: set a later date'

const dayMs = 86_400_000

/** Warns now and daily once the date has passed. @returns a function that ends it */
export function warnOfRetirement(
  dates: VersionDates,
  clock: Clock,
  warn: (remark: string) => void,
): () => void {
  const look = () => {
    if (isRetired(dates, clock())) warn(remarkOnRetirement)
  }
  look()
  const timer = setInterval(look, dayMs).unref()
  return () => clearInterval(timer)
}
