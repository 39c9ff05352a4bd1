import {
  begin,
  type ClockName,
  type Clocks,
  clockNames,
  isEnd,
  type Moment,
  type Phase,
  pass,
  proceed,
  project,
} from './clocks.ts'
import { dayMs, type PieceKind } from './wall-time.ts'

/** The reason why time counted or not. The time between an end and a continuation is `answered`. */
export type Reason = PieceKind | 'on_hold' | 'pending' | 'answered'

export type SpanOfClock = { from: number; to: number; reason: Reason }

export type Explanation = { clocks: Clocks; spans: Record<ClockName, SpanOfClock[]> }

/** Ten years of two spans a day, Monday to Friday. Of more, the latest are returned. */
export const maxSpans = 10_000
/** A clock that runs for decades is walked backwards from its end in parts, until the limit is reached. */
const bitMs = 30 * dayMs

/**
 * Walks a trace up to `asOf` and returns the spans of each clock with their reasons. Counted spans add up to the
 * elapsed time.
 */
export function explain(trace: [Moment, ...Moment[]], openedByEndUser: boolean, asOf: number): Explanation {
  const lived: Record<ClockName, Segment[]> = { first_response: [], next_response: [], resolution: [] }
  let was: Moment = trace[0]
  let clocks = begin(was, openedByEndUser)
  const live = (to: number) => {
    if (was.at >= to) return
    for (const name of clockNames) {
      const clock = clocks[name]
      if (clock) lived[name].push({ was, to, phase: clock.phase })
    }
  }
  for (const moment of trace.slice(1)) {
    if (moment.at > asOf) break
    live(moment.at)
    const next = proceed(clocks, was, moment)
    if (next.cycle_since !== clocks.cycle_since) lived.next_response = []
    clocks = next
    was = moment
  }
  live(asOf)
  return {
    clocks: project(pass(clocks, was, asOf), was),
    spans: {
      first_response: latestSpans(lived.first_response),
      next_response: latestSpans(lived.next_response),
      resolution: latestSpans(lived.resolution),
    },
  }
}

/** A clock has one phase between two moments of a trace. */
type Segment = { was: Moment; to: number; phase: Phase }

/** Joins adjacent spans with one reason; a clock has no spans after its end. */
function latestSpans(lived: Segment[]): SpanOfClock[] {
  const told: SpanOfClock[] = [] // latest first
  for (const segment of lived.toReversed()) {
    for (const span of backwards(segment)) {
      const later = told.at(-1)
      if (later?.reason === span.reason && later.from === span.to) later.from = span.from
      else if (told.length === maxSpans) return told.reverse()
      else if (told.length > 0 || span.reason !== 'answered') told.push(span)
    }
  }
  return told.reverse()
}

function* backwards({ was, to, phase }: Segment): Iterable<SpanOfClock> {
  const { at: from, status, agreement } = was
  if (isEnd(phase)) return yield { from, to, reason: 'answered' }
  if (phase === 'paused') return yield { from, to, reason: status === 'on_hold' ? 'on_hold' : 'pending' }
  for (let end = to; end > from; end -= bitMs) {
    const pieces = agreement!.calendar.pieces(Math.max(from, end - bitMs), end)
    for (const { kind, ...piece } of pieces.reverse()) yield { ...piece, reason: kind }
  }
}
