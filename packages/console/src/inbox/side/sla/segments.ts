import type { ExplainedSlaClock, SlaSpan } from '@backline/sdk'

/** The kinds of segments of a time line: a span of the clock, or time that the clock has not reached. */
export type Kind = SlaSpan['reason'] | 'ahead' | 'after' | 'mixed'

/** How far the target is used up during a segment that counts. */
export type Level = 'calm' | 'warned' | 'over'

export type Segment = {
  fromMs: number
  toMs: number
  kind: Kind
  /** Counted milliseconds: all of the segment, none of it, or a part of a `mixed` one. */
  countedMs: number
  level: Level
  isFuture: boolean
  /** Milliseconds that the segment stands for on the line, if they are not its length: counted time within it. */
  weightMs?: number
  /** The number of spans that a `mixed` segment stands for. */
  count: number
}

export type Line = {
  segments: Segment[]
  fromMs: number
  toMs: number
  nowMs: number
  isOpen: boolean
  /** The time at which the target is used up, if that is known. */
  targetMs: number | null
  warningMs: number | null
  metMs: number | null
  isBreached: boolean
  /** The clock is paused: what is left of the target has no times, and stands at the end. */
  isOpenEnded: boolean
}

export type Interval = { fromMs: number; toMs: number }

/** A clock runs until it is met or cancelled; a breached one goes on until it is met. */
const isOpenClock = ({ status, met_at, spans }: ExplainedSlaClock, asOfMs: number): boolean => {
  if (status === 'running' || status === 'paused') return true
  const last = spans.at(-1)
  return status === 'breached' && met_at === null && last !== undefined && Date.parse(last.to) >= asOfMs - 1
}

const segment = (
  fromMs: number,
  toMs: number,
  kind: Kind,
  isCounted: boolean,
  isFuture = false,
): Segment => ({
  fromMs,
  toMs,
  kind,
  countedMs: isCounted ? toMs - fromMs : 0,
  level: 'calm',
  isFuture,
  count: 1,
})

export const atOf = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant))

type Situation = {
  /** The time of the server, to which the last span of an open clock is continued. */
  nowMs: number
  /** The time of the server at which the clock was explained. */
  asOfMs: number
  warnAtPercent: number | null
  /** The spans of the schedule that follow; null if they are not known. */
  working: Interval[] | null
}

/** The past of a clock as spans, its future until the target, and the points that matter. */
export function lineOf(clock: ExplainedSlaClock, situation: Situation): Line {
  const { nowMs, asOfMs, warnAtPercent, working } = situation
  const isOpen = isOpenClock(clock, asOfMs)
  const past = clock.spans.map(({ from, to, counted, reason }) =>
    segment(Date.parse(from), Date.parse(to), reason, counted),
  )
  const last = past.at(-1)
  if (isOpen && last) {
    if (last.countedMs > 0) last.countedMs += Math.max(nowMs - last.toMs, 0)
    last.toMs = Math.max(nowMs, last.toMs)
  }
  const reachedMs = last?.toMs ?? nowMs
  const elapsedMs = clock.elapsed_seconds * 1_000 + (isOpen && last ? grown(last, clock.spans.at(-1)!) : 0)
  const dueMs = atOf(clock.breached_at) ?? atOf(clock.due_at)
  const remainingMs = clock.target_seconds * 1_000 - elapsedMs
  const isOpenEnded = isOpen && dueMs === null && remainingMs > 0
  const ahead = aheadOf({ isOpen, reachedMs, dueMs, remainingMs, isOpenEnded, working })
  const targetMs = isOpenEnded ? reachedMs + remainingMs : dueMs
  const all = [...past, ...ahead]
  const beforeMs = Math.max(elapsedMs - past.reduce((sum, { countedMs }) => sum + countedMs, 0), 0)
  const warnMs = warnAtPercent === null ? null : clock.target_seconds * 10 * warnAtPercent
  const warningMs = atOf(clock.warned_at) ?? (warnMs === null ? null : timeAt(all, beforeMs, warnMs))
  const segments = [warningMs, targetMs].reduce((cut, at) => (at === null ? cut : cutAt(cut, at)), all)
  for (const each of segments) each.level = levelAt(each.fromMs, warningMs, targetMs)
  return {
    segments,
    fromMs: segments[0]?.fromMs ?? reachedMs,
    toMs: segments.at(-1)?.toMs ?? reachedMs,
    nowMs: reachedMs,
    isOpen,
    targetMs: clock.status === 'cancelled' && clock.breached_at === null ? null : targetMs,
    warningMs: clock.status === 'cancelled' ? atOf(clock.warned_at) : warningMs,
    metMs: atOf(clock.met_at),
    isBreached: clock.breached_at !== null,
    isOpenEnded,
  }
}

/** Counted time since the explanation, during which its last span went on. */
const grown = (last: Segment, span: SlaSpan): number =>
  span.counted ? Math.max(last.toMs - Date.parse(span.to), 0) : 0

type Ahead = {
  isOpen: boolean
  reachedMs: number
  dueMs: number | null
  remainingMs: number
  isOpenEnded: boolean
  working: Interval[] | null
}

/** The time between the end of the spans and the target. */
function aheadOf({ isOpen, reachedMs, dueMs, remainingMs, isOpenEnded, working }: Ahead): Segment[] {
  if (isOpenEnded) return [segment(reachedMs, reachedMs + remainingMs, 'ahead', true, true)]
  if (dueMs === null || dueMs <= reachedMs) return []
  const weightMs = Math.max(remainingMs, 0)
  if (!isOpen) return [{ ...segment(reachedMs, dueMs, 'after', false, true), weightMs }]
  const isUnbroken = dueMs - reachedMs <= remainingMs + 2_000
  if (isUnbroken) return [segment(reachedMs, dueMs, 'ahead', true, true)]
  if (!working) return [{ ...segment(reachedMs, dueMs, 'ahead', true, true), weightMs }]
  const segments: Segment[] = []
  let at = reachedMs
  for (const { fromMs, toMs } of working) {
    const from = Math.max(fromMs, at)
    const to = Math.min(toMs, dueMs)
    if (to <= from) continue
    if (from > at) segments.push(segment(at, from, 'outside_schedule', false, true))
    segments.push(segment(from, to, 'ahead', true, true))
    at = to
  }
  if (at < dueMs) segments.push(segment(at, dueMs, 'outside_schedule', false, true))
  return segments
}

/** The time at which so much has been counted; null if it is never reached. */
function timeAt(segments: Segment[], beforeMs: number, wantedMs: number): number | null {
  let countedMs = beforeMs
  for (const { fromMs, countedMs: own } of segments) {
    if (own > 0 && countedMs + own >= wantedMs) return fromMs + Math.max(wantedMs - countedMs, 0)
    countedMs += own
  }
  return null
}

/** Cuts the counted segment that contains the time into two. */
const cutAt = (segments: Segment[], atMs: number): Segment[] =>
  segments.flatMap((each) => {
    if (each.countedMs === 0 || atMs <= each.fromMs || atMs >= each.toMs) return [each]
    return [
      { ...each, toMs: atMs, countedMs: atMs - each.fromMs },
      { ...each, fromMs: atMs, countedMs: each.toMs - atMs },
    ]
  })

function levelAt(fromMs: number, warningMs: number | null, targetMs: number | null): Level {
  if (targetMs !== null && fromMs >= targetMs) return 'over'
  return warningMs !== null && fromMs >= warningMs ? 'warned' : 'calm'
}

const levels: Level[] = ['calm', 'warned', 'over']

/** At most so many segments: neighbours are joined to `mixed` ones where there are more. */
export function condense(segments: Segment[], most: number): Segment[] {
  if (segments.length <= most) return segments
  const size = Math.ceil(segments.length / most)
  return Array.from({ length: Math.ceil(segments.length / size) }, (_, i) => {
    const group = segments.slice(i * size, (i + 1) * size)
    const [first] = group as [Segment, ...Segment[]]
    return group.length === 1
      ? first
      : {
          fromMs: first.fromMs,
          toMs: Math.max(...group.map(({ toMs }) => toMs)),
          kind: 'mixed' as const,
          countedMs: group.reduce((sum, { countedMs }) => sum + countedMs, 0),
          level: levels[Math.max(...group.map(({ level }) => levels.indexOf(level)))]!,
          isFuture: group.every(({ isFuture }) => isFuture),
          count: group.length,
        }
  })
}
