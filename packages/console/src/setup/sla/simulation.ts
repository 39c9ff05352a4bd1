import type { Backline, Sla, SlaClock, SlaConfig } from '@backline/sdk'
import { clocks, type priorities } from '../../texts/values.ts'
import type { Clock } from './draft.ts'

export const eventTypes = ['operator_reply', 'end_user_reply', 'hold', 'resume', 'resolve', 'reopen'] as const
export type SimulatedEvent = { type: (typeof eventTypes)[number]; atMs: number }
export type Priority = (typeof priorities)[number]
export type Course = { startMs: number; priority: Priority; events: SimulatedEvent[] }

/** A range of time in which a clock counts or is paused. */
export type TimeRange = { fromMs: number; toMs: number; kind: 'counted' | 'paused' | 'open' }
type Lane = { clock: Clock; state: SlaClock; ranges: TimeRange[] }
type Simulation = { fromMs: number; toMs: number; open: TimeRange[]; lanes: Lane[] }

const dayMs = 86_400_000
const mostDays = 366

const iso = (ms: number): string => new Date(ms).toISOString()

const hasEnded = (state: SlaClock | null | undefined): boolean =>
  !state || state.met_at !== null || state.status === 'met' || state.status === 'cancelled'

const within = (ranges: TimeRange[], fromMs: number, toMs: number, kind: TimeRange['kind']): TimeRange[] =>
  ranges
    .map((each) => ({ fromMs: Math.max(each.fromMs, fromMs), toMs: Math.min(each.toMs, toMs), kind }))
    .filter((each) => each.toMs > each.fromMs)

/**
 * Asks the server for the clocks at each event. Between two events a clock either counts all business hours or none,
 * which its elapsed time at both tells.
 */
export async function simulate(backline: Backline, config: SlaConfig, course: Course): Promise<Simulation> {
  const { startMs, priority } = course
  const events = course.events.toSorted((a, b) => a.atMs - b.atMs)
  const sent = events.map(({ type, atMs }) => ({ type, at: iso(atMs) }))
  const at = (count: number, asOfMs: number): PromiseLike<Sla> =>
    backline.slaConfigs.simulate(config.id, {
      started_at: iso(startMs),
      priority,
      events: sent.slice(0, count),
      as_of: iso(asOfMs),
    })
  const timesMs = [startMs, ...events.map(({ atMs }) => atMs)]
  const lastMs = timesMs.at(-1)!
  const [last, ...before] = await Promise.all([
    at(events.length, lastMs),
    ...events.map(({ atMs }, i) => at(i, atMs)),
  ])
  const dues = clocks.flatMap((clock) => last?.[clock]?.due_at ?? []).map(Date.parse)
  const lengthMs = Math.max(lastMs, ...dues) - startMs
  const toMs = startMs + Math.max(lengthMs * 1.08, 3_600_000)
  const { data } = await backline.slaConfigs.previewSchedule({
    schedule: config.schedule,
    from: iso(startMs),
    days: Math.min(mostDays, Math.ceil((toMs - startMs) / dayMs)),
  })
  const open: TimeRange[] = data
    .map(({ from, to }) => ({ fromMs: Date.parse(from), toMs: Date.parse(to), kind: 'open' as const }))
    .filter(({ fromMs }) => fromMs < toMs)
    .map((each) => ({ ...each, toMs: Math.min(each.toMs, toMs) }))

  const lanes = clocks.flatMap((clock): Lane[] => {
    const state = last?.[clock]
    if (!state) return []
    const states = [null, ...before.map((each) => each[clock])]
    const ranges = timesMs.slice(1).flatMap((nextMs, i) => {
      const was = states[i]
      const is = states[i + 1]
      if (!is) return []
      const isCounted = is.elapsed_seconds !== (was?.elapsed_seconds ?? 0) && is.elapsed_seconds > 0
      if (!isCounted && hasEnded(is)) return []
      return within(open, timesMs[i]!, nextMs, isCounted ? 'counted' : 'paused')
    })
    if (!hasEnded(state)) {
      const dueMs = state.due_at ? Date.parse(state.due_at) : toMs
      ranges.push(...within(open, lastMs, dueMs, state.status === 'paused' ? 'paused' : 'counted'))
    }
    return [{ clock, state, ranges }]
  })
  return { fromMs: startMs, toMs, open, lanes }
}
