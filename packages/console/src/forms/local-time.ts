/** A time as date fields have it, such as `2026-11-23T16:30`: in the time zone of the browser. */
export function toLocal(unixMs: number, unit: 'minute' | 'second' = 'minute'): string {
  const offsetMs = new Date(unixMs).getTimezoneOffset() * 60_000
  return new Date(unixMs - offsetMs).toISOString().slice(0, unit === 'minute' ? 16 : 19)
}

/** The instant in RFC 3339; null unless the text is a time. */
export function fromLocal(text: string): string | null {
  const date = new Date(text)
  return text === '' || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

type DatePart = 'day' | 'month' | 'year'

const pad = (value: number, length = 2) => String(value).padStart(length, '0')
const timePattern = /(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?\s*(?:([ap])\.?m\.?|uhr)?$/i

/** `16:30` of "4:30 PM", "16:30" or "16.30 Uhr"; null if it is no time of a day. */
export function readTime(typed: string): string | null {
  const [whole, hours = '', minutes = '', seconds, half] = timePattern.exec(typed.trim()) ?? []
  if (whole !== typed.trim()) return null
  const isHalf = half !== undefined
  if (isHalf && (Number(hours) < 1 || Number(hours) > 12)) return null
  const hour = isHalf ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours)
  if (hour > 23 || Number(minutes) > 59 || Number(seconds ?? 0) > 59) return null
  return `${pad(hour)}:${minutes}${seconds ? `:${seconds}` : ''}`
}

/**
 * `2026-11-23`, or `2026-11-23T16:30` with a time, of a date as the reader's language writes it, or as RFC 3339 does;
 * null if it is none.
 * @param order of the numbers in that language
 * @param isWhole a date without a time is not read as midnight
 */
export function readDate(
  typed: string,
  { order, hasTime, isWhole }: { order: DatePart[]; hasTime: boolean; isWhole: boolean },
): string | null {
  const [, first = '', second = '', third = '', rest = ''] =
    /^(\d{1,4})\s?[-./]\s?(\d{1,2})\s?[-./]\s?(\d{1,4})(?:(?:\s*,\s*|T|\s+)(.+))?$/.exec(typed.trim()) ?? []
  if (first === '') return null
  const parts = first.length === 4 ? (['year', 'month', 'day'] as const) : order
  const of = (part: DatePart) => Number([first, second, third][parts.indexOf(part)])
  const year = of('year') < 100 ? 2_000 + of('year') : of('year')
  const date = `${pad(year, 4)}-${pad(of('month'))}-${pad(of('day'))}`
  if (year < 1_000 || !isDate(date)) return null
  if (!hasTime) return rest === '' ? date : null
  if (rest === '') return isWhole ? null : `${date}T00:00`
  const time = readTime(rest)
  return time && `${date}T${time}`
}

/** Days of the calendar are texts such as `2026-11-23`. */
const dayMs = 86_400_000
const isDate = (date: string): boolean =>
  !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date)
const dateOf = (unixMs: number): string => new Date(unixMs).toISOString().slice(0, 10)

export const addDays = (date: string, days: number): string => dateOf(Date.parse(date) + days * dayMs)

/** The same day of another month, or its last day. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dateOf(Date.UTC(year, month - 1 + months, Math.min(day, last)))
}

/** The first day of the week of a date. @param firstDay of weeks: 1 is Monday, 7 is Sunday */
export const weekOf = (date: string, firstDay: number): string =>
  addDays(date, -((new Date(date).getUTCDay() + 7 - (firstDay % 7)) % 7))
