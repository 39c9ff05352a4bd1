import { useLanguage } from './language.tsx'

const second = 1_000
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400 * second],
  ['month', 30 * 86_400 * second],
  ['day', 86_400 * second],
  ['hour', 3_600 * second],
  ['minute', 60 * second],
]

/** Times, durations and numbers in the language of the reader. */
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

function makeFormats(language: string) {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' })
  const day = new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' })
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const number = new Intl.NumberFormat(language)
  const inUnit = ['day', 'hour', 'minute', 'second'].map(
    (unit) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }),
  )
  return {
    time: (instant: string) => time.format(new Date(instant)),
    day: (instant: string) => day.format(new Date(instant)),
    full: (instant: string) => full.format(new Date(instant)),
    /** "Nov 23, 2026, 1:06 PM" */
    moment: (instant: string) => moment.format(new Date(instant)),
    number: (value: number) => number.format(value),
    /** "5 min. ago", "in 2 hr." */
    relative(instant: string, nowMs: number): string {
      const differenceMs = Date.parse(instant) - nowMs
      const [unit, unitMs] = units.find(([, ms]) => Math.abs(differenceMs) >= ms) ?? ['second', second]
      return relative.format(Math.trunc(differenceMs / unitMs), unit)
    },
    /** "2 h 5 min": the two largest units. `inDays`: false for counted time, in which a day is no unit. */
    duration(seconds: number, inDays = true): string {
      const values = [
        inDays ? Math.floor(seconds / 86_400) : 0,
        Math.floor(seconds / 3_600) % (inDays ? 24 : Infinity),
        Math.floor(seconds / 60) % 60,
        Math.floor(seconds) % 60,
      ]
      const first = values.findIndex((value) => value > 0)
      const largest = first < 0 ? values.length - 1 : first
      return inUnit
        .map((format, i) =>
          i === largest || ((values[i] ?? 0) > 0 && i === largest + 1) ? format.format(values[i] ?? 0) : '',
        )
        .filter(Boolean)
        .join(' ')
    },
  }
}
