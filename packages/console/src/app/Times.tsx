import { useMemo } from 'react'
import { useEnvironmentNow, useRealNow } from '../data/now.ts'
import { useFormats } from '../texts/formats.ts'
import { useLanguage } from '../texts/language.tsx'

/** "5 min. ago" by the clock of the environment. */
export function When({ at }: { at: string }) {
  const { relative, full } = useFormats()
  const nowMs = useEnvironmentNow()
  return (
    <time dateTime={at} title={full(at)}>
      {relative(at, nowMs)}
    </time>
  )
}

/** "5 min. ago" of what goes by real time also in a test environment, such as sessions. */
export function RealWhen({ at }: { at: string }) {
  const { relative, full } = useFormats()
  const nowMs = useRealNow()
  return (
    <time dateTime={at} title={full(at)}>
      {relative(at, nowMs)}
    </time>
  )
}

/** A date with its time, to the second. */
export function Instant({ at }: { at: string }) {
  const { full } = useFormats()
  return <time dateTime={at}>{full(at)}</time>
}

/** A time of a log, to the millisecond; with the day unless it is today. */
export function useLogTime(): (at: string, nowMs: number) => string {
  const { language } = useLanguage()
  return useMemo(() => {
    const time = new Intl.DateTimeFormat(language, {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
      hourCycle: 'h23',
    })
    const day = new Intl.DateTimeFormat(language, { month: 'short', day: '2-digit' })
    return (at, nowMs) => {
      const date = new Date(at)
      const isToday = date.toDateString() === new Date(nowMs).toDateString()
      return isToday ? time.format(date) : `${day.format(date)} ${time.format(date)}`
    }
  }, [language])
}
