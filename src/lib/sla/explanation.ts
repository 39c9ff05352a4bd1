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

/** Ten years of two spans a day, Monday to Friday. Of more, the latest are told. */
export const maxSpans = 10_000
/** A clock that runs for decades is gone along year by year, and what will not be told is let go on the way. */
const chunkMs = 366 * dayMs

/** Goes along a trace up to `asOf` and tells, for each clock, when it counted and why not otherwise. What counted adds up to the time used. */
export function explain(trace: [Moment, ...Moment[]], openedByEndUser: boolean, asOf: number): Explanation {
  const spans: Explanation['spans'] = { first_response: [], next_response: [], resolution: [] }
  let was: Moment = trace[0]
  let clocks = begin(was, openedByEndUser)
  const tell = (to: number) => {
    for (const name of clockNames) {
      for (const span of stretch(clocks[name], was, to)) {
        spans[name].push(span)
        if (spans[name].length > 4 * maxSpans) spans[name] = spans[name].slice(-2 * maxSpans)
      }
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
function* stretch(clock: Clock | null, was: Moment, to: number): Iterable<SpanOfClock> {
  if (!clock || was.at >= to) return
  if (isEnded(clock)) return yield { from: was.at, to, reason: 'answered' }
  if (clock.phase === 'paused')
    return yield { from: was.at, to, reason: was.status === 'on_hold' ? 'on_hold' : 'pending' }
  for (let at = was.at; at < to; at += chunkMs)
    for (const { kind, ...piece } of was.agreement!.calendar.pieces(at, Math.min(at + chunkMs, to)))
      yield { ...piece, reason: kind }
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
  return all.slice(-maxSpans)
}
