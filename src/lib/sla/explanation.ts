import {
  begin,
  type Clock,
  type ClockName,
  type Clocks,
  clockNames,
  isEnded,
  type Moment,
  pass,
  proceed,
  project,
} from './clocks.ts'
import { dayMs, type PieceKind } from './wall-time.ts'

/** Why time counted or did not. What comes between an end and a new beginning is `answered`. */
export type Reason = PieceKind | 'on_hold' | 'pending' | 'answered'

export type SpanOfClock = { from: number; to: number; reason: Reason }

export type Explanation = { clocks: Clocks; spans: Record<ClockName, SpanOfClock[]> }

/** How far an explanation reaches back from the end of a clock: two years have fifteen thousand spans at most. */
const longestMs = 2 * 366 * dayMs
/** What is too long ago is dropped when so many have come together. */
const manySpans = 50_000

/**
 * Goes along a trace up to `asOf` and tells, for each clock, when it counted and why not otherwise. What counted adds
 * up to the time used, unless the clock ran for more than two years.
 */
export function explain(trace: [Moment, ...Moment[]], openedByEndUser: boolean, asOf: number): Explanation {
  const spans: Explanation['spans'] = { first_response: [], next_response: [], resolution: [] }
  let was: Moment = trace[0]
  let clocks = begin(was, openedByEndUser)
  const tell = (to: number) => {
    for (const name of clockNames) {
      for (const span of stretch(clocks[name], was, to)) spans[name].push(span)
      if (spans[name].length > manySpans) spans[name] = since(to - longestMs, spans[name])
    }
  }
  for (const moment of trace.slice(1)) {
    if (moment.at > asOf) break
    tell(moment.at)
    const next = proceed(clocks, was, moment)
    if (next.cycle_since !== clocks.cycle_since) spans.next_response = []
    clocks = next
    was = moment
  }
  tell(asOf)
  for (const name of clockNames) spans[name] = tidied(spans[name])
  return { clocks: project(pass(clocks, was, asOf), was), spans }
}

/** From the last moment of the trace on, until `to`. */
function stretch(clock: Clock | null, was: Moment, to: number): SpanOfClock[] {
  if (!clock || was.at >= to) return []
  const all = (reason: Reason): SpanOfClock[] => [{ from: was.at, to, reason }]
  if (isEnded(clock)) return all('answered')
  if (clock.phase === 'paused') return all(was.status === 'on_hold' ? 'on_hold' : 'pending')
  const from = Math.max(was.at, to - longestMs)
  return was.agreement!.calendar.pieces(from, to).map(({ from, to, kind }) => ({ from, to, reason: kind }))
}

/** Neighbours of one reason are one span; after the end of a clock there is nothing to tell, and not too long before. */
function tidied(spans: SpanOfClock[]): SpanOfClock[] {
  const all: SpanOfClock[] = []
  for (const span of spans) {
    const last = all.at(-1)
    if (last?.reason === span.reason && last.to === span.from) last.to = span.to
    else all.push({ ...span })
  }
  if (all.at(-1)?.reason === 'answered') all.pop()
  return since((all.at(-1)?.to ?? 0) - longestMs, all)
}

const since = (moment: number, spans: SpanOfClock[]) => spans.filter(({ to }) => to > moment)
