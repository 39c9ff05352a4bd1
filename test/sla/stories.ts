import { agreementOf } from '@backline/server/support/sla/clocks/agreement.ts'
import type { Moment } from '@backline/server/support/sla/clocks/clocks.ts'
import type { TargetRow, Terms } from '@backline/server/support/sla/clocks/terms.ts'
import type { Random } from '../random.ts'
import { ticksOf } from './counter.ts'
import { Desk, type Happening, type HappeningType, type Promised } from './desk.ts'
import { anySchedule } from './schedules.ts'
import { Stopwatches } from './stopwatches.ts'
import { changes, quiet } from './windows.ts'

/** A random history of a conversation in two forms: as a trace, and on stopwatches. */
export type Story = {
  trace: [Moment, ...Moment[]]
  openedByEndUser: boolean
  asOf: number
  /** The end of the counted ticks. */
  end: number
  watches: Stopwatches
  text: string
}

export function anyStory(random: Random): Story {
  const { zone, at } = random.pick(random.chance(0.85) ? changes : quiet)
  const [tickMs, count] = random.chance(0.75) ? [60_000, random.between(300, 3 * 1440)] : [1000, 2 * 3600]
  const start = Date.parse(at) - random.below(count) * tickMs
  const texts: string[] = []
  const choose = (): Promised | null => {
    const terms = random.chance(0.12) ? null : anyTerms(random, zone, Date.parse(at), (count * tickMs) / 1000)
    const priority = random.pick(['low', 'urgent'])
    texts.push(`${priority} ${JSON.stringify(terms)}`)
    return (
      terms && {
        agreement: agreementOf(terms, priority),
        ticks: ticksOf(terms.schedule, start, count, tickMs),
      }
    )
  }
  const moment = (tick: number) => start + tick * tickMs

  texts.push(`from ${new Date(start).toISOString()}`)
  const desk = new Desk(choose())
  const openedByEndUser = random.chance(0.8)
  if (random.chance(0.7)) desk.happen(openedByEndUser ? { type: 'end_user_message' } : reply, start)
  const trace: [Moment, ...Moment[]] = [desk.momentAt(start)]
  const watches = new Stopwatches(desk, openedByEndUser, start)
  texts.push(openedByEndUser ? 'by the end user' : 'by another', desk.status)

  const pace = (2 * count) / random.between(3, 20)
  const last = Math.floor(count * 0.8)
  for (let tick = anyPause(random, pace); tick <= last; tick += anyPause(random, pace)) {
    watches.wait(tick, moment)
    for (const what of anyHappenings(random, desk, choose)) {
      const { promised: _, ...plain } = { promised: null, ...what }
      texts.push(`${new Date(moment(tick)).toISOString()} ${JSON.stringify(plain)}`)
      watches.happen(what, moment(tick))
    }
    trace.push(desk.momentAt(moment(tick)))
  }
  watches.wait(last, moment)
  return { trace, openedByEndUser, asOf: moment(last), end: moment(count), watches, text: texts.join('\n') }
}

const anyPause = (random: Random, longest: number) => (random.chance(0.05) ? 0 : random.between(1, longest))

const reply: Happening = { type: 'operator_reply', setStatus: null }

/** An event, none, or, as one change, another agreement and then an event. */
function* anyHappenings(random: Random, desk: Desk, choose: () => Promised | null): Iterable<Happening> {
  if (random.chance(desk.isOver ? 0.4 : 0.05)) return
  const chooses = random.chance(0.15)
  // A clock that starts and ends in one change would not be recorded.
  const isAlone = desk.promised === null || desk.status === 'pending' || random.chance(0.7)
  if (chooses) yield { type: 'choose', promised: choose() }
  const possible = often.filter((each) => desk.allows(each) && !(chooses && each === 'choose'))
  if ((chooses && isAlone) || possible.length === 0) return
  const type = random.pick(possible)
  if (type === 'choose') yield { type, promised: choose() }
  else if (type === 'operator_reply')
    yield { type, setStatus: random.pick([null, null, 'open', 'pending', 'resolved']) }
  else if (type === 'hold') yield { type, pauses: random.chance(0.7), resumesOnReply: random.chance(0.6) }
  else yield { type }
}

const often: HappeningType[] = [
  ...Array<HappeningType>(6).fill('end_user_message'),
  ...Array<HappeningType>(5).fill('operator_reply'),
  ...Array<HappeningType>(3).fill('hold'),
  ...Array<HappeningType>(3).fill('resume'),
  ...Array<HappeningType>(2).fill('resolve'),
  ...Array<HappeningType>(3).fill('reopen'),
  'choose',
  'close',
  'merge',
]

function anyTerms(random: Random, zone: string, near: number, seconds: number): Terms {
  return {
    targets: random
      .pick([[null], ['urgent', null], [null, 'low'], ['urgent']])
      .map((priority) => anyTarget(random, priority, seconds)),
    schedule: random.chance(0.15) ? null : anySchedule(random, zone, near),
    pauses_on_pending: random.chance(0.6),
    warn_at_percent: random.pick([null, 1, 33, 50, 80, 80, 99, 100]),
  }
}

function anyTarget(random: Random, priority: string | null, seconds: number): TargetRow {
  const target = (most: number) =>
    random.chance(0.15)
      ? null
      : random.chance(0.5)
        ? 60 * random.between(1, most / 60)
        : random.between(1, most)
  return {
    priority,
    first_response_seconds: target(seconds / 6),
    next_response_seconds: target(seconds / 12),
    resolution_seconds: target(seconds / 3),
  }
}
