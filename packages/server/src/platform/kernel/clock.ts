/**
 * A time in the format of the API: RFC 3339 in UTC with milliseconds, `2026-11-20T09:30:00.000Z`. It always has 24
 * characters, so string comparison is comparison in time.
 */
export type Instant = string

/** Milliseconds since 1970-01-01T00:00:00Z. Injected, so that tests and test environments control the time. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

let latestMs = Number.NaN
let latest: Instant = ''

/** Remembers the last result, because many requests of a millisecond ask for the same. */
export function toInstant(unixMs: number): Instant {
  if (unixMs !== latestMs) {
    latest = new Date(unixMs).toISOString()
    latestMs = unixMs
  }
  return latest
}

export const toUnixMs = (instant: Instant): number => Date.parse(instant)

export const plusSeconds = (instant: Instant, seconds: number): Instant =>
  toInstant(toUnixMs(instant) + seconds * 1000)

/** RFC 3339 section 5.6; `Date.parse` accepts other formats. */
const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

/** Parses any RFC 3339 date-time. Null for other texts and for days that do not exist. */
export function parseInstant(text: string): Instant | null {
  const match = rfc3339.exec(text)
  if (!match) return null
  const [, year, month, day, hour, minute, second] = match.map(Number) as number[]
  const lastDay = new Date(Date.UTC(year!, month!, 0)).getUTCDate()
  if (month! < 1 || month! > 12 || day! < 1 || day! > lastDay) return null
  if (hour! > 23 || minute! > 59 || second! > 59) return null
  const unixMs = Date.parse(text.toUpperCase())
  if (Number.isNaN(unixMs)) return null
  const instant = toInstant(unixMs)
  // Years beyond 9999 have more digits; PostgreSQL has no year 0.
  return instant.length === 24 && instant >= '0001' ? instant : null
}
