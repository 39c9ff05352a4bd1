import { useMemo } from 'react'
import { useEnvironmentNow, useRealNow } from '../data/now.ts'
import { localeOf } from '../texts/define.ts'
import { useFormats } from '../texts/formats.ts'
import { useLanguage } from '../texts/language.tsx'

type WhenProps = { at: string; nowMs: number }

/** "5 min" since then, with the time itself on hovering. */
export function Relative({ at, nowMs }: WhenProps) {
  const { relative, moment } = useFormats()
  return (
    <time dateTime={at} title={moment(at)}>
      {relative(at, nowMs)}
    </time>
  )
}

/** "5 min" by the clock of the environment. */
export const When = ({ at }: { at: string }) => <Relative at={at} nowMs={useEnvironmentNow()} />

/** "5 min" of what goes by real time also in a test environment, such as sessions. */
export const RealWhen = ({ at }: { at: string }) => <Relative at={at} nowMs={useRealNow()} />

/** A date with its time; `toSecond` in logs. */
export function Instant({ at, toSecond = false }: { at: string; toSecond?: boolean }) {
  const { moment, exact } = useFormats()
  return <time dateTime={at}>{(toSecond ? exact : moment)(at)}</time>
}

/** A time of a log, to the millisecond; with the day unless it is today. */
export function useLogTime(): (at: string, nowMs: number) => string {
  const { language } = useLanguage()
  const { day } = useFormats()
  return useMemo(() => {
    const time = new Intl.DateTimeFormat(localeOf(language), {
      hour: 'numeric',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
    })
    return (at, nowMs) =>
      day(at) === day(nowMs) ? time.format(new Date(at)) : `${day(at)}, ${time.format(new Date(at))}`
  }, [language, day])
}
