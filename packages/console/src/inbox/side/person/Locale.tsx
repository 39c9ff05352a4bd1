import { useNow } from '../../../data/now.ts'
import { useFormats } from '../../../texts/formats.ts'
import { useTexts } from '../../../texts/language.tsx'
import { useLocaleName } from '../../../texts/locales.ts'
import { texts } from './texts.ts'

/** The name of a language in the language of the reader; the tag itself if it has none. */
export function LanguageName({ tag }: { tag: string }) {
  const nameOf = useLocaleName()
  return <span title={tag}>{nameOf(tag)}</span>
}

/** The time where the person lives, and how far it is from the reader's. */
export function LocalTime({ timeZone }: { timeZone: string }) {
  const text = useTexts(texts)
  const { duration, timeIn } = useFormats()
  const nowMs = useNow()
  if (!isKnown(timeZone)) return <span>{timeZone}</span>
  const aheadSeconds = (offsetMs(nowMs, timeZone) - offsetMs(nowMs)) / 1_000
  const difference = duration(Math.abs(aheadSeconds))
  const distance =
    aheadSeconds === 0 ? text.same : aheadSeconds > 0 ? text.ahead(difference) : text.behind(difference)
  return (
    <span>
      {timeIn(timeZone, nowMs)} <small>{distance}</small>
      <br />
      <small>{timeZone.replaceAll('_', ' ')}</small>
    </span>
  )
}

function isKnown(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }))
  } catch {
    return false
  }
}

/** The distance of a time zone from UTC at that time; without a name, that of the browser. */
function offsetMs(atMs: number, timeZone?: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...(timeZone && { timeZone }),
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(atMs)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const wallMs = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'))
  return wallMs - Math.floor(atMs / 60_000) * 60_000
}
