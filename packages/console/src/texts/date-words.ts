import { localeOf } from './define.ts'
import { clock, timeFormat } from './formats.ts'
import { useLanguage } from './language.tsx'

type DatePart = 'day' | 'month' | 'year'
type WeekInfo = { firstDay: number }
/** Browsers have one or the other, and TypeScript knows none. */
type WeekLocale = { getWeekInfo?(): WeekInfo; weekInfo?: WeekInfo }

const made = new Map<string, ReturnType<typeof makeWords>>()

/** The words of date fields and calendars, for dates (`2026-11-23`) and times (`2026-11-23T16:30`). */
export function useDateWords() {
  const { language } = useLanguage()
  const words = made.get(language) ?? makeWords(language)
  made.set(language, words)
  return words
}

function makeWords(language: string) {
  const locale = localeOf(language)
  const local = (options: Intl.DateTimeFormatOptions) => {
    const format = timeFormat(locale, { ...options, timeZone: 'UTC' })
    return (at: string) => format(`${at}${at.length > 10 ? 'Z' : ''}`)
  }
  const numbers = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const second = { second: '2-digit' } as const
  const date = local(numbers)
  const toMinute = local({ ...numbers, ...clock })
  const toSecond = local({ ...numbers, ...clock, ...second })
  const time = local(clock)
  const timeToSecond = local({ ...clock, ...second })
  const parts = new Intl.DateTimeFormat(locale, { ...numbers, ...clock, timeZone: 'UTC' }).formatToParts(0)
  const letters = { en: ['YYYY', 'MM', 'DD'], de: ['JJJJ', 'MM', 'TT'] }[language] ?? []
  const hour = parts.some(({ type }) => type === 'dayPeriod') ? 'h' : 'hh'
  const pattern = parts
    .map(({ type, value }) => {
      const at = ['year', 'month', 'day', 'hour', 'minute', 'dayPeriod'].indexOf(type)
      return [...letters, hour, 'mm', 'AM'][at] ?? value
    })
    .join('')
    .replace('\u202f', ' ')
  const intl = new Intl.Locale(locale) as WeekLocale
  return {
    /** "11/23/2026, 4:30 PM"; seconds only where there are some. */
    format(at: string): string {
      if (at === '') return ''
      if (at.length <= 10) return date(at)
      return (at.length > 16 && !at.endsWith(':00') ? toSecond : toMinute)(at)
    },
    /** "4:30 PM" of `16:30` */
    timeOfDay: (at: string): string =>
      (at.length > 5 && !at.endsWith(':00') ? timeToSecond : time)(`1970-01-01T${at}`),
    /** "MM/DD/YYYY" */
    pattern: pattern.slice(0, 10),
    patternWithTime: pattern,
    order: parts
      .map(({ type }) => type)
      .filter((type) => type in { day: 1, month: 1, year: 1 }) as DatePart[],
    /** The first day of weeks: 1 is Monday, 7 is Sunday. */
    firstDay: (intl.getWeekInfo?.() ?? intl.weekInfo)?.firstDay ?? (language === 'en' ? 7 : 1),
    month: local({ month: 'long', year: 'numeric' }),
    weekday: local({ weekday: 'long' }),
    shortWeekday: local({ weekday: 'short' }),
    longDay: local({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
  }
}
