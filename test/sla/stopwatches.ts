import type { Alarm, ClockName } from '@backline/server/support/sla/clocks/clocks.ts'
import type { Reason, SpanOfClock } from '@backline/server/support/sla/clocks/explanation.ts'
import type { ClockReport, Reports } from '@backline/server/support/sla/clocks/report.ts'
import { momentOf, reachedBy } from './counter.ts'
import type { Desk, Happening, Promised } from './desk.ts'

/*
 * The clocks of a conversation as three stopwatches, which are read with every tick and set by events. They are
 * independent of the functions that they verify.
 */

type State = 'running' | 'paused' | 'met' | 'cancelled'

const at = (moment: number | null) => (moment === null ? null : new Date(moment).toISOString())

class Stopwatch {
  state: State = 'running'
  target: number | null = null
  usedMs = 0
  warnedAt: number | null = null
  breachedAt: number | null = null
  spans: SpanOfClock[] = []
  #metAt: number | null = null
  #wouldBeDue: number | null = null

  readonly name: ClockName
  readonly alarms: Alarm[]

  constructor(name: ClockName, alarms: Alarm[]) {
    this.name = name
    this.alarms = alarms
  }

  get isOn(): boolean {
    return this.state === 'running' || this.state === 'paused'
  }

  /** Advances by one tick. */
  tick({ agreement, ticks }: Promised, tick: number): void {
    if (this.state !== 'running') return
    const [begins, before] = [momentOf(ticks, tick), this.usedMs]
    this.#look(agreement.warnAtPercent, (goal) => (before >= goal ? begins : null))
    if (ticks.kinds[tick] !== 'in_schedule') return
    this.usedMs += ticks.tickMs
    this.#look(agreement.warnAtPercent, (goal) => (this.usedMs >= goal ? begins + goal - before : null))
  }

  /** Sets another target; a clock beyond it is breached now. */
  aim({ agreement }: Promised, now: number): void {
    const target = agreement.targets[this.name]
    if (target === this.target) return
    this.target = target
    const [warned, breached] = [this.warnedAt, this.breachedAt]
    this.warnedAt = this.breachedAt = null
    this.#look(
      agreement.warnAtPercent,
      (goal, kind) => (this.usedMs >= goal ? ((kind === 'warning' ? warned : breached) ?? now) : null),
      { warned, breached },
    )
  }

  #look(
    percent: number | null,
    passed: (goal: number, kind: Alarm['kind']) => number | null,
    former = { warned: this.warnedAt, breached: this.breachedAt },
  ): void {
    if (this.target === null) return
    this.breachedAt ??= passed(this.target, 'breach')
    if (percent !== null) this.warnedAt ??= passed((this.target * percent) / 100, 'warning')
    const isLate = this.breachedAt !== null && this.warnedAt !== null && this.breachedAt <= this.warnedAt
    if (former.warned === null && this.warnedAt !== null && !isLate)
      this.alarms.push({ clock: this.name, kind: 'warning', at: this.warnedAt })
    if (former.breached === null && this.breachedAt !== null)
      this.alarms.push({ clock: this.name, kind: 'breach', at: this.breachedAt })
  }

  meet(promised: Promised, tick: number): void {
    this.#wouldBeDue = this.#due(promised, tick)
    this.#metAt = momentOf(promised.ticks, tick)
    this.state = 'met'
  }

  #due({ ticks }: Promised, tick: number): number | null {
    if (this.breachedAt !== null || this.target === null) return this.breachedAt
    return this.state === 'running' ? reachedBy(ticks, tick, this.target - this.usedMs) : null
  }

  /** The reason why time does or does not count. */
  reason(tick: number, { promised, status }: Desk): Reason {
    if (this.state === 'running') return promised!.ticks.kinds[tick]!
    if (this.state === 'paused') return status === 'on_hold' ? 'on_hold' : 'pending'
    return 'answered'
  }

  tell(reason: Reason, from: number, to: number): void {
    const last = this.spans.at(-1)
    if (last?.reason === reason && last.to === from) last.to = to
    else this.spans.push({ from, to, reason })
  }

  report(promised: Promised | null, tick: number): ClockReport | null {
    if (this.target === null) return null
    const elapsed = Math.floor(this.usedMs / 1000)
    const due = this.isOn && promised ? this.#due(promised, tick) : this.breachedAt
    return {
      status: this.breachedAt === null ? this.state : 'breached',
      target_seconds: this.target / 1000,
      elapsed_seconds: elapsed,
      remaining_seconds: this.target / 1000 - elapsed,
      due_at: at(this.state === 'met' ? this.#wouldBeDue : due),
      met_at: at(this.state === 'met' ? this.#metAt : null),
      warned_at: at(this.warnedAt),
      breached_at: at(this.breachedAt),
    }
  }
}

export class Stopwatches {
  readonly alarms: Alarm[] = []
  readonly desk: Desk
  readonly #openedByEndUser: boolean
  readonly #first: Stopwatch | null
  #next: Stopwatch | null = null
  #owesReply = false
  readonly #resolution = new Stopwatch('resolution', this.alarms)
  #tick = 0

  constructor(desk: Desk, openedByEndUser: boolean, now: number) {
    this.desk = desk
    this.#openedByEndUser = openedByEndUser
    this.#first = openedByEndUser ? new Stopwatch('first_response', this.alarms) : null
    if (desk.unansweredSince !== null && !openedByEndUser) this.#beginNext()
    if (desk.answered && desk.promised) this.#first?.meet(desk.promised, 0)
    this.#set(now)
  }

  get #all(): Stopwatch[] {
    return [this.#first, this.#next, this.#resolution].filter((each) => each !== null)
  }

  /** Advances to this tick without events. */
  wait(until: number, moment: (tick: number) => number): void {
    for (; this.#tick < until; this.#tick++) {
      for (const each of this.#all) {
        if (this.desk.promised) each.tick(this.desk.promised, this.#tick)
        each.tell(each.reason(this.#tick, this.desk), moment(this.#tick), moment(this.#tick + 1))
      }
    }
  }

  happen(what: Happening, now: number): void {
    const before = { answered: this.desk.answered, isOver: this.desk.isOver }
    this.desk.happen(what, now)
    const { promised, status } = this.desk
    if (what.type === 'end_user_message' && !this.#owesReply && (before.answered || !this.#openedByEndUser))
      this.#beginNext()
    if (what.type === 'operator_reply') {
      if (!before.answered && promised) this.#first?.meet(promised, this.#tick)
      if (this.#next?.isOn && promised) this.#next.meet(promised, this.#tick)
      this.#owesReply = false
    }
    if (!before.isOver && this.desk.isOver) this.#finish(promised, status)
    this.#set(now)
  }

  #beginNext(): void {
    this.#next = new Stopwatch('next_response', this.alarms)
    this.#owesReply = true
  }

  #finish(promised: Promised | null, status: string): void {
    const isUnanswered = this.#openedByEndUser && !this.desk.answered
    const isInVain = status === 'merged' || (status === 'closed' && isUnanswered)
    if (promised && !isInVain) this.#resolution.meet(promised, this.#tick)
    else this.#resolution.state = 'cancelled'
  }

  /** Sets all clocks that have not ended permanently to the current state of the conversation. */
  #set(now: number): void {
    const { promised, paused, status, isOver, answered } = this.desk
    const runs = (watch: Stopwatch, stops: boolean) => {
      watch.state = !promised || isOver ? 'cancelled' : stops ? 'paused' : 'running'
    }
    if (this.#first && !answered) runs(this.#first, paused)
    else if (this.#first?.isOn) this.#first.state = 'cancelled' // answered without an agreement
    if (this.#next && this.#owesReply) runs(this.#next, paused)
    else if (this.#next?.isOn) this.#next.state = 'cancelled'
    const waits = status === 'pending' && promised?.agreement.pausesOnPending === true
    if (!isOver) runs(this.#resolution, paused || waits)
    if (promised) for (const each of this.#all) if (each.isOn) each.aim(promised, now)
  }

  reports(): Reports {
    const report = (watch: Stopwatch | null) => watch?.report(this.desk.promised, this.#tick) ?? null
    return {
      first_response: report(this.#first),
      next_response: report(this.#next),
      resolution: report(this.#resolution),
    }
  }

  /** Time after an end is not reported. */
  spans(): Record<ClockName, SpanOfClock[]> {
    const told = (watch: Stopwatch | null) =>
      (watch?.spans ?? []).filter((span, i, all) => i < all.length - 1 || span.reason !== 'answered')
    return {
      first_response: told(this.#first),
      next_response: told(this.#next),
      resolution: told(this.#resolution),
    }
  }
}
