import {
  begin,
  type Clock,
  type ClockName,
  type Clocks,
  clockNames,
  type Moment,
  pass,
  proceed,
  project,
} from './clocks.ts'
import type { PieceKind } from './wall-time.ts'

/** Why time counted or did not. What comes between an end and a new beginning is `answered`. */
export type Reason = PieceKind | 'on_hold' | 'pending' | 'answered'

export type SpanOfClock = { from: number; to: number; reason: Reason }

export type Explanation = { clocks: Clocks; spans: Record<ClockName, SpanOfClock[]> }

/** Ten years of two spans a day, Monday to Friday. Of more, the latest are told. */
export const maxSpans = 10_000

/** Goes along a trace up to `asOf` and tells, for each clock, when it counted and why not otherwise. What counted adds up to the time used. */
export function explain(trace: [Moment, ...Moment[]], openedByEndUser: boolean, asOf: number): Explanation {
  const spans: Explanation['spans'] = { first_response: [], next_response: [], resolution: [] }
  let was: Moment = trace[0]
  let clocks = begin(was, openedByEndUser)
  const tell = (to: number) => {
    for (const name of clockNames) {
      for (const span of stretch(clocks[name], was, to)) spans[name].push(span) // too many to be arguments
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
  for (const name of clockNames) spans[name] = tidied(spans[name]).slice(-maxSpans)
  return { clocks: project(pass(clocks, was, asOf), was), spans }
}

/** From the last moment of the trace on, until `to`. */
function stretch(clock: Clock | null, was: Moment, to: number): SpanOfClock[] {
  if (!clock || was.at >= to) return []
  const all = (reason: Reason): SpanOfClock[] => [{ from: was.at, to, reason }]
  if (clock.phase === 'met' || clock.phase === 'cancelled') return all('answered')
  if (clock.phase === 'paused') return all(was.status === 'on_hold' ? 'on_hold' : 'pending')
  return was.agreement!.calendar.pieces(was.at, to).map(({ from, to, kind }) => ({ from, to, reason: kind }))
}

/** Neighbours of one reason are one span, and after the end of a clock there is nothing to tell. */
function tidied(spans: SpanOfClock[]): SpanOfClock[] {
  const all: SpanOfClock[] = []
  for (const span of spans) {
    const last = all.at(-1)
    if (last?.reason === span.reason && last.to === span.from) last.to = span.to
    else all.push({ ...span })
  }
  if (all.at(-1)?.reason === 'answered') all.pop()
  return all
}
