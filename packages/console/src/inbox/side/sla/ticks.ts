import type { Scale } from './scale.ts'
import type { Line } from './segments.ts'

type Tick = {
  atMs: number
  x: number
  time: string
  day: string | null
  anchor: 'start' | 'middle' | 'end'
}

type Labels = { time(ms: number): string; day(ms: number): string }

/** Times that are worth a label, the most important first. */
function candidatesOf(
  { fromMs, toMs, targetMs, segments, nowMs, isOpen, isOpenEnded }: Line,
  scale: Scale,
  labelWidth: number,
): number[] {
  const endMs = isOpenEnded ? nowMs : toMs
  const resumed = segments
    .filter(({ countedMs }, i) => countedMs > 0 && i > 0 && segments[i - 1]!.countedMs === 0)
    .map(({ fromMs: at }) => at)
  const widest = scale.placed
    .filter(({ countedMs, isFuture }) => countedMs > 0 && !(isFuture && isOpenEnded))
    .toSorted((one, other) => other.width - one.width)
  return [
    fromMs,
    ...(targetMs === null || isOpenEnded ? [] : [targetMs]),
    ...(isOpen ? [nowMs] : []),
    endMs,
    ...resumed,
    ...widest.flatMap(({ fromMs: from, toMs: to, width }) => roundTimes(from, to, width, labelWidth)),
  ].filter((ms) => ms <= endMs)
}

const minute = 60_000
const steps = [5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 10_080].map((minutes) => minutes * minute)

/** Round times within a segment, in the reader's time zone, so far apart that labels fit. */
function roundTimes(fromMs: number, toMs: number, width: number, labelWidth: number): number[] {
  const msOfLabel = ((toMs - fromMs) / width) * (labelWidth + 10)
  const step = steps.find((each) => each >= msOfLabel)
  if (!step) return []
  const offset = new Date(fromMs).getTimezoneOffset() * minute
  const times: number[] = []
  for (let at = Math.ceil((fromMs - offset) / step) * step + offset; at < toMs; at += step) times.push(at)
  return times
}

/** Pixels that a label takes with the distance to the next one, by its length: "14:30", "2:30 PM". */
const widthOf = (label: string): number => Math.max(42, label.length * 6.2 + 8)

/** Labels below the line, as many as fit. A label names the day where it differs from that of the label before. */
export function ticksOf(line: Line, scale: Scale, width: number, labels: Labels): Tick[] {
  const labelWidth = widthOf(labels.time(line.fromMs))
  const half = labelWidth / 2
  const chosen: (Omit<Tick, 'day'> & { centre: number })[] = []
  for (const atMs of candidatesOf(line, scale, labelWidth)) {
    const x = scale.xOf(atMs)
    const anchor = x < half ? 'start' : x > width - half ? 'end' : 'middle'
    const centre = anchor === 'start' ? half : anchor === 'end' ? width - half : x
    if (chosen.some((each) => Math.abs(each.centre - centre) < labelWidth)) continue
    chosen.push({ atMs, x, time: labels.time(atMs), anchor, centre })
  }
  let before = ''
  return chosen
    .toSorted((one, other) => one.x - other.x)
    .map((tick) => {
      const day = labels.day(tick.atMs)
      const isNew = day !== before
      before = day
      return { ...tick, day: isNew ? day : null }
    })
}
