import { agreementOf } from '@backline/server/support/sla/clocks/agreement.ts'
import {
  type ClockName,
  clockNames,
  follow,
  type Moment,
} from '@backline/server/support/sla/clocks/clocks.ts'
import { explain, type Reason } from '@backline/server/support/sla/clocks/explanation.ts'
import { type ClockReport, reportOf } from '@backline/server/support/sla/clocks/report.ts'
import type { Schedule, TargetRow } from '@backline/server/support/sla/clocks/terms.ts'
import { wallClock } from './counter.ts'
import { Desk, type Happening, type Promised } from './desk.ts'

/*
 * The pictures of docs/sla.md, generated from the computed clocks.
 */

/** Targets in minutes. */
type Targets = Partial<Record<ClockName, number>>

export type Picture = {
  targets: Targets
  schedule?: Schedule
  /** The start by the wall clock. */
  from: string
  hours: number
  /** Events of that day: `09:00 U, 09:40 O`. The first one is the creation. */
  events: string
  /** An operator has sent a public message before. */
  answered?: true
  /** The changes of a new version. */
  newVersion?: { targets?: Targets; schedule?: Schedule }
  minutesPerCharacter: 10 | 60
}

const happenings = {
  U: { type: 'end_user_message' },
  O: { type: 'operator_reply', setStatus: null },
  H: { type: 'hold', pauses: true, resumesOnReply: true },
  C: { type: 'resume' },
  R: { type: 'resolve' },
  A: { type: 'reopen' },
  X: { type: 'close' },
} satisfies Record<string, Happening>

/** `V`: a new version; `N`: no config matches. */
type Letter = keyof typeof happenings | 'V' | 'N'

const marks: Record<Reason, string> = {
  in_schedule: '=',
  outside_schedule: '.',
  holiday: '*',
  on_hold: '-',
  pending: '-',
  answered: ' ',
}

const indent = 16

export function draw(picture: Picture): string {
  const zone = picture.schedule?.timezone ?? 'UTC'
  const momentOf = (local: string) =>
    Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds
  const from = momentOf(picture.from)
  const to = from + picture.hours * 3_600_000
  const charMs = picture.minutesPerCharacter * 60_000
  const withDays = picture.minutesPerCharacter === 60
  const width = (to - from) / charMs
  const columnOf = (moment: number) => Math.floor((moment - from) / charMs)

  const events = picture.events.split(', ').map((event) => {
    const [time, letter] = event.split(' ') as [string, Letter]
    return { at: momentOf(`${picture.from.slice(0, 10)}T${time}`), letter }
  })
  const line = Array<string>(width).fill(' ')
  for (const { at, letter } of events) line[columnOf(at)] = letter
  const rows = [axis(zone, from, charMs, width, withDays), ' '.repeat(indent) + line.join('')]

  const trace = traceOf(picture, events)
  const { spans } = explain(trace, true, to)
  const reports = reportOf(follow(trace, true, to))
  for (const name of clockNames) {
    const report = reports[name]
    if (!report) continue
    const row = Array<string>(width).fill(' ')
    for (const span of spans[name]) row.fill(marks[span.reason], columnOf(span.from), columnOf(span.to))
    if (report.warned_at) row[columnOf(Date.parse(report.warned_at))] = '!'
    if (report.breached_at) row[columnOf(Date.parse(report.breached_at))] = '#'
    rows.push(`${name.padEnd(indent)}${row.join('')}  ${inWords(report, zone, withDays)}`)
  }
  return rows.map((row) => row.trimEnd()).join('\n')
}

function traceOf(picture: Picture, events: { at: number; letter: Letter }[]): [Moment, ...Moment[]] {
  const { targets, schedule = null, newVersion } = picture
  const desk = new Desk(promised(targets, schedule))
  if (picture.answered) desk.happen(happenings.O, events[0]!.at)
  const trace = events.map(({ at, letter }) => {
    if (letter === 'N') desk.happen({ type: 'choose', promised: null }, at)
    else if (letter !== 'V') desk.happen(happenings[letter], at)
    else {
      const next = promised(newVersion?.targets ?? targets, newVersion?.schedule ?? schedule)
      desk.happen({ type: 'choose', promised: next }, at)
    }
    return desk.momentAt(at)
  })
  return trace as [Moment, ...Moment[]]
}

const promised = (targets: Targets, schedule: Schedule | null): Promised => ({
  agreement: agreementOf(
    { targets: [rowOf(targets)], schedule, pauses_on_pending: true, warn_at_percent: 80 },
    'normal',
  ),
  ticks: { start: 0, tickMs: 0, kinds: [] }, // ticks are not counted here
})

const rowOf = (targets: Targets): TargetRow => ({
  priority: null,
  first_response_seconds: seconds(targets.first_response),
  next_response_seconds: seconds(targets.next_response),
  resolution_seconds: seconds(targets.resolution),
})

const seconds = (minutes?: number) => (minutes === undefined ? null : minutes * 60)

/** The wall clock, every hour or twice a day. */
function axis(zone: string, from: number, charMs: number, width: number, withDays: boolean): string {
  const step = withDays ? 12 : 6
  const labels = Array.from({ length: Math.floor(width / step) + 1 }, (_, i) => {
    const { day, time } = wallClock(zone, from + i * step * charMs)
    return (withDays ? `${day} ${time}` : time).padEnd(step)
  })
  return ' '.repeat(indent) + labels.join('')
}

function inWords(report: ClockReport, zone: string, withDays: boolean): string {
  const when = (instant: string) => {
    const { day, time } = wallClock(zone, Date.parse(instant))
    return withDays ? `${day} ${time}` : time
  }
  const used = `${length(report.elapsed_seconds)} of ${length(report.target_seconds)}`
  const met = report.met_at ? `, met ${when(report.met_at)}` : ''
  if (report.status === 'breached') return `breached ${when(report.breached_at!)}${met}, ${used}`
  if (report.status === 'running') return `due ${when(report.due_at!)}, ${used}`
  return `${report.status}${report.met_at ? ` ${when(report.met_at)}` : ''}, ${used}`
}

function length(inSeconds: number): string {
  const [hours, minutes] = [Math.floor(inSeconds / 3600), (inSeconds % 3600) / 60]
  return [hours && `${hours} h`, minutes && `${minutes} min`].filter(Boolean).join(' ') || '0 min'
}
