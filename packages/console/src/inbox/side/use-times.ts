import { useMemo } from 'react'
import { useFormats } from '../../texts/formats.ts'
import { useLanguage } from '../../texts/language.tsx'

/** Short times and days in the reader's time zone. */
export function useTimes() {
  const { language } = useLanguage()
  const formats = useFormats()
  return useMemo(() => {
    const date = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' })
    const long = new Intl.DateTimeFormat(language, { weekday: 'short', day: 'numeric', month: 'short' })
    const time = (ms: number) => formats.time(new Date(ms).toISOString())
    const full = (ms: number) => `${long.format(ms)}, ${time(ms)}`
    // A second that has not ended does not count: then parts add up to what the server has counted.
    const seconds = (ms: number) => Math.max(Math.floor(ms / 1_000), 0)
    return {
      time,
      day: (ms: number) => date.format(ms),
      full,
      range: (fromMs: number, toMs: number) =>
        `${full(fromMs)} – ${date.format(fromMs) === date.format(toMs) ? time(toMs) : full(toMs)}`,
      /** Counted time, in hours at most: a day of business hours is no day of the calendar. */
      counted: (ms: number) => formats.duration(seconds(ms), false),
      lengthOf: (ms: number) => formats.duration(seconds(ms)),
      /** "14:30" today, "Mon, 23 Nov, 14:30" on other days. */
      near: (ms: number, nowMs: number) => (date.format(ms) === date.format(nowMs) ? time(ms) : full(ms)),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    }
  }, [language, formats])
}
