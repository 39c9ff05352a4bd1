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
type DatePart = 'day' | 'month' | 'year'
type WeekInfo = { firstDay: number }
/** Browsers have one or the other, and TypeScript knows none. */
type WeekLocale = { getWeekInfo?(): WeekInfo; weekInfo?: WeekInfo }

/** A time further away than this is told as a date. */
const farSeconds = 7 * 86_400

/** Times, durations and numbers in the language of the reader. No other place formats a time. */
export function useFormats() {
  return formatsIn(useLanguage().language)
}

export type Formats = ReturnType<typeof makeFormats>

const made = new Map<string, Formats>()

/** Formats of a language are made once: the browser takes longer to make one than to use it. */
function formatsIn(language: string): Formats {
  const formats = made.get(language) ?? makeFormats(language)
  made.set(language, formats)
  return formats
}

function makeFormats(language: string) {
  const locale = localeOf(language)
  /** A format of times; those of another year than now name it. */
  const times = (options: Intl.DateTimeFormatOptions, hasYear = true) => {
    const [near, far] = [options, { ...options, year: 'numeric' } as const].map(
      (each) => new Intl.DateTimeFormat(locale, each),
    )
    return (at: Instant): string => {
      const date = new Date(at)
      const isNear = !hasYear || date.getFullYear() === new Date().getFullYear()
      // Browsers disagree about the kind of this space.
      return (isNear ? near! : far!).format(date).replace('\u202f', ' ')
    }
  }
  const clock = { hour: 'numeric', minute: '2-digit' } as const
  const date = { day: 'numeric', month: 'short' } as const
  const time = times(clock, false)
  const day = times(date)
  const moment = times({ weekday: 'short', ...date, ...clock })
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const now = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second')

  /** "2 h 5 min": the two largest units. `inDays`: false for counted time, in which a day is no unit. */
  function duration(seconds: number, inDays = true): string {
    const used = inDays ? units : units.slice(1)
    const whole = Math.max(0, Math.round(seconds))
    const values = used.map(([, size], i) => Math.floor((i === 0 ? whole : whole % used[i - 1]![1]) / size))
    const first = values.findIndex((value) => value > 0)
    if (first < 0) return '0 s'
    return values
      .map((value, i) => (value > 0 && (i === first || i === first + 1) ? `${value} ${used[i]![0]}` : ''))
      .filter(Boolean)
      .join(' ')
  }

  /** Of dates and times without a time zone, such as `2026-11-23T16:30`. */
  const local = (options: Intl.DateTimeFormatOptions) => {
    const format = times({ ...options, timeZone: 'UTC' }, false)
    return (at: string) => format(`${at}${at.length > 10 ? 'Z' : ''}`)
  }
  const numbers = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const [typedDate, typedMinute, typedSecond] = [
    local(numbers),
    local({ ...numbers, ...clock }),
    local({ ...numbers, ...clock, second: '2-digit' }),
  ]
  const letters = { en: 'YMDhm', de: 'JMThm' }[language] ?? 'YMDhm'
  const parts = new Intl.DateTimeFormat(locale, { ...numbers, ...clock, timeZone: 'UTC' }).formatToParts(0)
  const patternWithTime = parts
    .map(({ type, value }) => {
      const at = ['year', 'month', 'day', 'hour', 'minute'].indexOf(type)
      return type === 'dayPeriod' ? 'AM' : at < 0 ? value : letters[at]!.repeat(value.length)
    })
    .join('')
    .replace('\u202f', ' ')
  const { getWeekInfo, weekInfo } = new Intl.Locale(locale) as WeekLocale

  return {
    /** "6:57 PM", in a list of a day and on an axis. */
    time,
    /** "Nov 23" */
    day,
    /** "Nov 23, 2026" of a date without a time, such as `2026-11-23`. */
    date: times({ ...date, year: 'numeric', timeZone: 'UTC' }, false),
    /** "Monday, November 23, 2026": a heading. */
    longDay: times({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }, false),
    /** "Mon, Nov 23, 6:57 PM": the time of everything, in details and on hovering. */
    moment,
    /** The same to the second, in logs. */
    exact: times({ ...date, ...clock, second: '2-digit' }),
    /** "Mon 6:57 PM" in another time zone; throws a RangeError for one that the browser does not know. */
    timeIn: (timeZone: string, at: Instant) => times({ weekday: 'short', ...clock, timeZone }, false)(at),
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
    /** What date fields show and read. */
    dateInput: {
      format: (at: string) =>
        at === ''
          ? ''
          : at.length <= 10
            ? typedDate!(at)
            : (at.length > 16 && !at.endsWith(':00') ? typedSecond! : typedMinute!)(at),
      order: parts
        .map(({ type }) => type)
        .filter((type) => ['day', 'month', 'year'].includes(type)) as DatePart[],
      pattern: patternWithTime.slice(0, 10),
      patternWithTime,
    },
    /** The words of a calendar, of dates such as `2026-11-23`. */
    calendar: {
      /** The first day of weeks: 1 is Monday, 7 is Sunday. */
      firstDay:
        (getWeekInfo?.call(new Intl.Locale(locale)) ?? weekInfo)?.firstDay ?? (language === 'en' ? 7 : 1),
      month: local({ month: 'long', year: 'numeric' }),
      weekday: local({ weekday: 'long' }),
      shortWeekday: local({ weekday: 'short' }),
      longDay: local({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
      /** "4:30 PM" of `16:30` */
      timeOfDay: (value: string) =>
        local(value.length > 5 ? { ...clock, second: '2-digit' } : clock)(`1970-01-01T${value}`),
    },
    duration,
    number: (value: number) => number.format(value),
    percent: (share: number) => percent.format(share),
  }
}
