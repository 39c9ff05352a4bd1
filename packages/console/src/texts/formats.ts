import { useMemo } from 'react'
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
  const { language } = useLanguage()
  return useMemo(() => formatsIn(language), [language])
}

function formatsIn(language: string) {
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
    /** "2 h 5 min": the two largest units, without a direction. */
    duration(seconds: number): string {
      const parts: [number, string][] = [
        [Math.floor(seconds / 86_400), 'day'],
        [Math.floor(seconds / 3_600) % 24, 'hour'],
        [Math.floor(seconds / 60) % 60, 'minute'],
        [Math.floor(seconds) % 60, 'second'],
      ]
      const first = parts.findIndex(([value]) => value > 0)
      const shown = first < 0 ? parts.slice(3) : parts.slice(first, first + 2)
      return shown
        .filter(([value], i) => value > 0 || (i === 0 && first < 0))
        .map(([value, unit]) =>
          new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value),
        )
        .join(' ')
    },
  }
}
