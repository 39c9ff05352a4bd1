import type { ExplainedSlaClock, SlaSpan } from '@backline/sdk'

/** The kinds of pieces of a time line: a span of the clock, or time that the clock has not reached. */
export type Kind = SlaSpan['reason'] | 'ahead' | 'after' | 'mixed'

/** How far the target is used up during a piece that counts. */
export type Level = 'calm' | 'warned' | 'over'

export type Piece = {
  fromMs: number
  toMs: number
  kind: Kind
  /** Counted milliseconds: all of the piece, none of it, or a part of a `mixed` one. */
  countedMs: number
  level: Level
  isFuture: boolean
  /** Milliseconds that the piece stands for on the line, if they are not its length: counted time within it. */
  weightMs?: number
  /** The number of spans that a `mixed` piece stands for. */
  count: number
}

export type Line = {
  pieces: Piece[]
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

const piece = (fromMs: number, toMs: number, kind: Kind, isCounted: boolean, isFuture = false): Piece => ({
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
    piece(Date.parse(from), Date.parse(to), reason, counted),
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
  const pieces = [warningMs, targetMs].reduce((cut, at) => (at === null ? cut : cutAt(cut, at)), all)
  for (const each of pieces) each.level = levelAt(each.fromMs, warningMs, targetMs)
  return {
    pieces,
    fromMs: pieces[0]?.fromMs ?? reachedMs,
    toMs: pieces.at(-1)?.toMs ?? reachedMs,
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
const grown = (last: Piece, span: SlaSpan): number =>
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
function aheadOf({ isOpen, reachedMs, dueMs, remainingMs, isOpenEnded, working }: Ahead): Piece[] {
  if (isOpenEnded) return [piece(reachedMs, reachedMs + remainingMs, 'ahead', true, true)]
  if (dueMs === null || dueMs <= reachedMs) return []
  const weightMs = Math.max(remainingMs, 0)
  if (!isOpen) return [{ ...piece(reachedMs, dueMs, 'after', false, true), weightMs }]
  const isUnbroken = dueMs - reachedMs <= remainingMs + 2_000
  if (isUnbroken) return [piece(reachedMs, dueMs, 'ahead', true, true)]
  if (!working) return [{ ...piece(reachedMs, dueMs, 'ahead', true, true), weightMs }]
  const pieces: Piece[] = []
  let at = reachedMs
  for (const { fromMs, toMs } of working) {
    const from = Math.max(fromMs, at)
    const to = Math.min(toMs, dueMs)
    if (to <= from) continue
    if (from > at) pieces.push(piece(at, from, 'outside_schedule', false, true))
    pieces.push(piece(from, to, 'ahead', true, true))
    at = to
  }
  if (at < dueMs) pieces.push(piece(at, dueMs, 'outside_schedule', false, true))
  return pieces
}

/** The time at which so much has been counted; null if it is never reached. */
function timeAt(pieces: Piece[], beforeMs: number, wantedMs: number): number | null {
  let countedMs = beforeMs
  for (const { fromMs, countedMs: own } of pieces) {
    if (own > 0 && countedMs + own >= wantedMs) return fromMs + Math.max(wantedMs - countedMs, 0)
    countedMs += own
  }
  return null
}

/** Cuts the counted piece that contains the time into two. */
const cutAt = (pieces: Piece[], atMs: number): Piece[] =>
  pieces.flatMap((each) => {
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

/** At most so many pieces: neighbours are joined to `mixed` ones where there are more. */
export function condense(pieces: Piece[], most: number): Piece[] {
  if (pieces.length <= most) return pieces
  const size = Math.ceil(pieces.length / most)
  return Array.from({ length: Math.ceil(pieces.length / size) }, (_, i) => {
    const group = pieces.slice(i * size, (i + 1) * size)
    const [first] = group as [Piece, ...Piece[]]
    return group.length === 1
      ? first
      : {
          fromMs: first.fromMs,
          toMs: group.at(-1)!.toMs,
          kind: 'mixed' as const,
          countedMs: group.reduce((sum, { countedMs }) => sum + countedMs, 0),
          level: levels[Math.max(...group.map(({ level }) => levels.indexOf(level)))]!,
          isFuture: group.every(({ isFuture }) => isFuture),
          count: group.length,
        }
  })
}
