/** ISO 8601 section 5.5.2, with weeks, days, hours, minutes and seconds; a sign gives the direction. */
const iso8601 =
  /^([+-]?)P(?=.)(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/

const secondsOf = [604_800, 86_400, 3_600, 60, 1]
/** Farther from now than this is no time that PostgreSQL has. */
const mostMs = 1_000_000_000_000_00

/** The milliseconds of a period such as `-P7D`, negative for the past; null for other texts. */
export function parsePeriod(text: string): number | null {
  const match = iso8601.exec(text)
  if (!match) return null
  const [, sign, ...parts] = match
  const seconds = parts.reduce((sum, digits, i) => sum + Number(digits ?? 0) * secondsOf[i]!, 0)
  const ms = seconds * 1_000
  if (ms > mostMs) return null
  return sign === '-' ? -ms : ms
}
