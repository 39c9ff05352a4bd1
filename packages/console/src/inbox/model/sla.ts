import type { Conversation, SlaClock } from '@backline/sdk'
import { clocks } from '../../texts/values.ts'

const dueSoonMs = 60 * 60_000

export type Due = {
  at: string
  state: 'overdue' | 'soon' | 'later'
  clock: (typeof clocks)[number]
}

const isRunning = (clock: SlaClock | null): clock is SlaClock & { due_at: string } =>
  clock !== null &&
  clock.met_at === null &&
  clock.due_at !== null &&
  ['running', 'breached'].includes(clock.status)

/** The next deadline of a conversation; null if no clock runs. */
export function dueOf({ sla, status }: Conversation, nowMs: number): Due | null {
  if (!sla || status === 'resolved' || status === 'closed') return null
  const running = clocks
    .flatMap((clock) => (isRunning(sla[clock]) ? [{ clock, at: sla[clock].due_at! }] : []))
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const [next] = running
  if (!next) return null
  const leftMs = Date.parse(next.at) - nowMs
  return { ...next, state: leftMs < 0 ? 'overdue' : leftMs < dueSoonMs ? 'soon' : 'later' }
}
