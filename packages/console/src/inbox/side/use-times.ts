import { useMemo } from 'react'
import { useFormats } from '../../texts/formats.ts'
import { useLanguage } from '../../texts/language.tsx'

/** Short times and days in the reader's time zone. */
export function useTimes() {
  const { language } = useLanguage()
  const formats = useFormats()
  return useMemo(() => {
    const tick = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    const hour = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' })
    const date = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' })
    const long = new Intl.DateTimeFormat(language, { weekday: 'short', day: 'numeric', month: 'short' })
    const time = (ms: number) => hour.format(ms)
    const full = (ms: number) => `${long.format(ms)}, ${hour.format(ms)}`
    return {
      /** Short, for a label of the time line. */
      tick: (ms: number) => tick.format(ms),
      day: (ms: number) => date.format(ms),
      full,
      range: (fromMs: number, toMs: number) =>
        `${full(fromMs)} – ${date.format(fromMs) === date.format(toMs) ? time(toMs) : full(toMs)}`,
      /** Counted time, in hours at most: a day of business hours is no day of the calendar. */
      counted: (ms: number) => formats.duration(Math.max(Math.round(ms / 1_000), 0), false),
      lengthOf: (ms: number) => formats.duration(Math.max(Math.round(ms / 1_000), 0)),
      /** "14:30" today, "Mon, 23 Nov, 14:30" on other days. */
      near: (ms: number, nowMs: number) => (date.format(ms) === date.format(nowMs) ? time(ms) : full(ms)),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    }
  }, [language, formats])
}
