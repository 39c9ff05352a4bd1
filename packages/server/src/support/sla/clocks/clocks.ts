import type { Calendar } from './calendar.ts'

/*
 * The clocks of a conversation: a pure function of its trace, the states of the conversation with their times.
 * `begin` and `proceed` walk the trace live (a step per change of a conversation), from storage (an explanation) or
 * made up (a simulation). All times are Unix ms, all durations ms.
 */

export const clockNames = ['first_response', 'next_response', 'resolution'] as const
export type ClockName = (typeof clockNames)[number]

/** The targets of a conversation, by its terms and priority. */
export type Agreement = {
  calendar: Calendar
  targets: Record<ClockName, number | null>
  pausesOnPending: boolean
  /** Null for no warnings. */
  warnAtPercent: number | null
}

/** The state of a conversation that clocks depend on. */
export type Situation = {
  status: 'open' | 'pending' | 'on_hold' | 'resolved' | 'closed' | 'merged'
  /** On hold with a reason that pauses the clocks. */
  paused: boolean
  /** Has an operator answered publicly? */
  answered: boolean
  /** The end user's first unanswered message since then. */
  unanswered_since: number | null
  /** Null if no terms apply. */
  agreement: Agreement | null
}

/** The state from `at` until the next moment of the trace. */
export type Moment = Situation & { at: number }

/** A clock outside its schedule is running as well. */
export type Phase = 'running' | 'paused' | 'met' | 'cancelled'

export type Clock = {
  phase: Phase
  /** Null for a clock that is kept for terms that may apply later. */
  target: number | null
  /** The elapsed time at the last step. */
  used: number
  ended_at: number | null
  /** The due time while it runs; for a met clock, the time at which it would have been due. */
  due_at: number | null
  warn_at: number | null
  warned_at: number | null
  breached_at: number | null
}

/** A warning or breach between two steps. */
export type Alarm = { clock: ClockName; kind: 'warning' | 'breach'; at: number }

/** Stored as JSON. */
export type Clocks = Record<ClockName, Clock | null> & {
  /** The time of the last step. */
  at: number
  opened_by_end_user: boolean
  /** The message that started `next_response`. */
  cycle_since: number | null
}

export function begin(moment: Moment, openedByEndUser: boolean): Clocks {
  const nothing: Clocks = {
    at: moment.at,
    opened_by_end_user: openedByEndUser,
    cycle_since: null,
    first_response: null,
    next_response: null,
    resolution: null,
  }
  return turn(nothing, null, moment)
}

/**
 * Advances the clocks from one moment of a trace to the next: time passes in the old state, then the new state
 * applies.
 * @param alarms receives the alarms in order
 */
export function proceed(clocks: Clocks, was: Situation, next: Moment, alarms?: Alarm[]): Clocks {
  const passed = pass(clocks, was, next.at)
  const turned = turn(passed, was, { ...next, at: passed.at })
  if (alarms) {
    const all = [...alarmsBetween(clocks, passed), ...alarmsBetween(passed, turned)]
    alarms.push(...all.sort((one, other) => one.at - other.at))
  }
  return turned
}

/** Walks a whole trace, up to `asOf`. */
export function follow(trace: [Moment, ...Moment[]], openedByEndUser: boolean, asOf: number): Clocks {
  let was: Moment = trace[0]
  let clocks = begin(was, openedByEndUser)
  for (const moment of trace) {
    if (moment === was) continue
    if (moment.at > asOf) break
    clocks = proceed(clocks, was, moment)
    was = moment
  }
  return project(pass(clocks, was, asOf), was)
}

/** Advances the clocks without a change of state. */
export function pass(clocks: Clocks, { agreement }: Situation, to: number): Clocks {
  if (to <= clocks.at) return clocks // the clock of this process may be behind that of the last writer
  const { at } = clocks
  return {
    ...clocks,
    at: to,
    first_response: run(clocks.first_response, agreement, at, to),
    next_response: run(clocks.next_response, agreement, at, to),
    resolution: run(clocks.resolution, agreement, at, to),
  }
}

function run(clock: Clock | null, agreement: Agreement | null, from: number, to: number): Clock | null {
  if (clock?.phase !== 'running' || !agreement) return clock
  const { calendar } = agreement
  const used = clock.used + calendar.worked(from, to)
  const reached = (goal: number | null) =>
    goal !== null && used >= goal ? calendar.reached(from, goal - clock.used) : null
  return {
    ...clock,
    used,
    warned_at: clock.warned_at ?? reached(warningOf(clock, agreement)),
    breached_at: clock.breached_at ?? reached(clock.target),
  }
}

/** A whole number, because targets are whole seconds. */
const warningOf = ({ target }: Clock, { warnAtPercent }: Agreement): number | null =>
  target === null || warnAtPercent === null ? null : (target * warnAtPercent) / 100

/** Applies a new state of the conversation to the clocks. */
function turn(clocks: Clocks, was: Situation | null, now: Moment): Clocks {
  const begins = beginsCycle(clocks, was, now)
  const cycle = begins ? now.unanswered_since : clocks.cycle_since
  const next = begins ? null : clocks.next_response
  const change = (name: ClockName, clock: Clock | null, phase: Phase | null) =>
    phase === null ? null : changed(clock ?? fresh, phase, now, now.agreement?.targets[name] ?? null)
  return {
    at: now.at,
    opened_by_end_user: clocks.opened_by_end_user,
    cycle_since: cycle,
    first_response: change('first_response', clocks.first_response, firstResponse(clocks, was, now)),
    next_response: change('next_response', next, cycle === null ? null : nextResponse(next, cycle, now)),
    resolution: change('resolution', clocks.resolution, resolution(clocks, was, now)),
  }
}

/** Messages of the end user before the first response belong to it. Two messages may have the same time. */
function beginsCycle(clocks: Clocks, was: Situation | null, now: Situation): boolean {
  const { answered, unanswered_since: since } = now
  if (since === null || (clocks.opened_by_end_user && !answered)) return false
  return since !== clocks.cycle_since || was?.unanswered_since === null
}

const isOver = ({ status }: Situation) => status === 'resolved' || status === 'closed' || status === 'merged'

/** Runs from the creation until an operator answers, if an end user opened the conversation. */
function firstResponse(clocks: Clocks, was: Situation | null, now: Situation): Phase | null {
  if (!clocks.opened_by_end_user) return null
  if (clocks.first_response?.phase === 'met') return 'met'
  if (!now.agreement) return 'cancelled'
  const answeredUnpromised = was !== null && (was.answered || !was.agreement)
  if (now.answered) return answeredUnpromised ? 'cancelled' : 'met'
  if (isOver(now)) return 'cancelled' // until it is reopened
  return now.paused ? 'paused' : 'running'
}

/** Runs from an end user's message until an operator answers. */
function nextResponse(clock: Clock | null, cycle: number, now: Situation): Phase {
  const isOwed = now.unanswered_since === cycle
  if (clock && (clock.phase === 'met' || (clock.phase === 'cancelled' && !isOwed))) return clock.phase
  if (!now.agreement) return 'cancelled'
  if (!isOwed) return 'met'
  if (isOver(now)) return 'cancelled'
  return now.paused ? 'paused' : 'running'
}

/** Runs from the creation until it is resolved or closed. */
function resolution(clocks: Clocks, was: Situation | null, now: Situation): Phase {
  if (was && isOver(was) && isOver(now)) return clocks.resolution!.phase // a target that applies later is not met
  if (!now.agreement || now.status === 'merged') return 'cancelled'
  if (now.status === 'closed') return clocks.opened_by_end_user && !now.answered ? 'cancelled' : 'met'
  if (now.status === 'resolved') return 'met'
  const paused = now.paused || (now.status === 'pending' && now.agreement.pausesOnPending)
  return paused ? 'paused' : 'running'
}

const fresh: Clock = {
  phase: 'paused',
  target: null,
  used: 0,
  ended_at: null,
  due_at: null,
  warn_at: null,
  warned_at: null,
  breached_at: null,
}

export const isEnd = (phase: Phase) => phase === 'met' || phase === 'cancelled'
export const isEnded = ({ phase }: Clock): boolean => isEnd(phase)

function changed(clock: Clock, phase: Phase, { at, agreement }: Moment, wanted: number | null): Clock {
  const ends = isEnd(phase)
  if (isEnded(clock) && ends) {
    return phase === clock.phase ? clock : { ...clock, phase, ended_at: at, due_at: clock.breached_at }
  }
  const target = agreement ? wanted : clock.target
  if (phase === clock.phase && target === clock.target && clock !== fresh) return clock
  const retargeted = target === clock.target ? clock : aimedAt(clock, target, agreement, at)
  if (!ends) return { ...retargeted, phase, ended_at: null, due_at: null, warn_at: null }
  const due_at = phase === 'met' && agreement ? dueAt(retargeted, agreement, at) : retargeted.breached_at
  return { ...retargeted, phase, ended_at: at, due_at, warn_at: null }
}

/**
 * Applies another target and keeps the elapsed time: a clock beyond it is breached now, a clock below it is not.
 */
function aimedAt(clock: Clock, target: number | null, agreement: Agreement | null, at: number): Clock {
  const exceeds = (goal: number | null) => goal !== null && clock.used >= goal
  const aimed = { ...clock, target }
  return {
    ...aimed,
    warned_at: agreement && exceeds(warningOf(aimed, agreement)) ? (clock.warned_at ?? at) : null,
    breached_at: exceeds(target) ? (clock.breached_at ?? at) : null,
  }
}

/** The due time of a clock that runs on from `at`. */
function dueAt(
  { phase, breached_at, target, used }: Clock,
  { calendar }: Agreement,
  at: number,
): number | null {
  if (breached_at !== null || target === null) return breached_at
  return phase === 'running' ? calendar.reached(at, target - used) : null
}

/** Computes the due and warning times of the clocks. */
export function project(clocks: Clocks, { agreement }: Situation): Clocks {
  if (!agreement) return clocks
  const look = (clock: Clock | null): Clock | null => {
    if (!clock || isEnded(clock)) return clock
    const goal = clock.warned_at === null && clock.breached_at === null ? warningOf(clock, agreement) : null
    const runs = clock.phase === 'running'
    const warn_at = runs && goal !== null ? agreement.calendar.reached(clocks.at, goal - clock.used) : null
    return { ...clock, due_at: dueAt(clock, agreement, clocks.at), warn_at }
  }
  return {
    ...clocks,
    first_response: look(clocks.first_response),
    next_response: look(clocks.next_response),
    resolution: look(clocks.resolution),
  }
}

/** The new warnings and breaches between two states. A breached clock has no further warnings. */
function* alarmsBetween(before: Clocks, after: Clocks): Iterable<Alarm> {
  for (const clock of clockNames) {
    const [was, is] = [before[clock], after[clock]]
    const news = (field: 'warned_at' | 'breached_at') => (was?.[field] == null ? (is?.[field] ?? null) : null)
    const [warned, breached] = [news('warned_at'), news('breached_at')]
    const isLate = warned !== null && warned >= (is?.breached_at ?? Number.POSITIVE_INFINITY)
    if (warned !== null && !isLate) yield { clock, kind: 'warning', at: warned }
    if (breached !== null) yield { clock, kind: 'breach', at: breached }
  }
}
