import { localeOf } from './define.ts'
import { useLanguage } from './language.tsx'

/** RFC 3339, or Unix milliseconds. */
type Instant = string | number

/** Seconds in the units of durations, whose symbols are the same in all languages. */
const units: [symbol: string, seconds: number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
]
/** A time further away than this is told as a date. */
const farSeconds = 7 * 86_400

/** Times, durations and numbers in the language of the reader. No other place formats a time. */
export function useFormats() {
  return formatsIn(useLanguage().language)
}

type Formats = ReturnType<typeof makeFormats>

const made = new Map<string, Formats>()

/** Formats of a language are made once: the browser takes longer to make one than to use it. */
function formatsIn(language: string): Formats {
  const formats = made.get(language) ?? makeFormats(language)
  made.set(language, formats)
  return formats
}

/** Hours and minutes, in the hour cycle of the language. */
export const clock = { hour: 'numeric', minute: '2-digit' } as const

/** A format of times, made when it is first used. */
export function timeFormat(locale: string, options: Intl.DateTimeFormatOptions) {
  let format: Intl.DateTimeFormat | undefined
  return (at: Instant): string => {
    format ??= new Intl.DateTimeFormat(locale, options)
    // Browsers disagree about the kind of this space.
    return format.format(new Date(at)).replace('\u202f', ' ')
  }
}

function makeFormats(language: string) {
  const locale = localeOf(language)
  const times = (options: Intl.DateTimeFormatOptions) => timeFormat(locale, options)
  /** Times of another year than now name it. */
  const near = (options: Intl.DateTimeFormatOptions) => {
    const [ofThisYear, ofAnother] = [times(options), times({ ...options, year: 'numeric' })]
    return (at: Instant) =>
      (new Date(at).getFullYear() === new Date().getFullYear() ? ofThisYear : ofAnother)(at)
  }
  const date = { day: 'numeric', month: 'short' } as const
  const time = times(clock)
  const day = near(date)
  const moment = near({ weekday: 'short', ...date, ...clock })
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const now = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second')

  /**
   * "2 h 5 min": the two largest units; a second that has not ended does not count. `inDays`: false for counted time,
   * in which a day is no unit.
   */
  function duration(seconds: number, inDays = true): string {
    const used = inDays ? units : units.slice(1)
    const whole = Math.max(0, Math.floor(seconds))
    const values = used.map(([, size], i) => Math.floor((i === 0 ? whole : whole % used[i - 1]![1]) / size))
    const first = values.findIndex((value) => value > 0)
    if (first < 0) return '0 s'
    return values
      .map((value, i) => (value > 0 && (i === first || i === first + 1) ? `${value} ${used[i]![0]}` : ''))
      .filter(Boolean)
      .join(' ')
  }

  return {
    /** "6:57 PM", in a list of a day and on an axis. */
    time,
    /** "Nov 23" */
    day,
    /** "Nov 23, 2026" of a date without a time, such as `2026-11-23`. */
    date: times({ ...date, year: 'numeric', timeZone: 'UTC' }),
    /** "Monday, November 23, 2026": a heading. */
    longDay: times({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    /** "Mon, Nov 23, 6:57 PM": the time of everything, in details and on hovering. */
    moment,
    /** The same to the second, in logs. */
    exact: near({ ...date, ...clock, second: '2-digit' }),
    /** "Mon 6:57 PM" in another time zone; throws a RangeError for one that the browser does not know. */
    timeIn: (timeZone: string, at: Instant) => times({ weekday: 'short', ...clock, timeZone })(at),
    /** A time without its day if that is today. */
    near: (at: Instant, nowMs: number) => (day(at) === day(nowMs) ? time(at) : moment(at)),
    range: (from: Instant, to: Instant) =>
      `${moment(from)} – ${day(from) === day(to) ? time(to) : moment(to)}`,
    /** "24 s", "5 min", "2 h", "3 d", then the date; of the future "in 5 min". */
    relative(at: Instant, nowMs: number): string {
      const aheadMs = new Date(at).getTime() - nowMs
      const seconds = Math.floor(Math.abs(aheadMs) / 1_000)
      if (seconds === 0) return now
      if (seconds >= farSeconds) return day(at)
      const [symbol, size] = units.find(([, each]) => seconds >= each)!
      return `${aheadMs > 0 ? 'in ' : ''}${Math.floor(seconds / size)} ${symbol}`
    },
    duration,
    number: (value: number) => number.format(value),
    percent: (share: number) => percent.format(share),
  }
}
