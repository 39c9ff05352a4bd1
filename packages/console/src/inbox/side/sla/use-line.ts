import type { Conversation, ExplainedSla, ExplainedSlaClock, SlaConfig } from '@backline/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../../data/environment.tsx'
import { useRealNow } from '../../../data/now.ts'
import { atOf, type Interval, type Line, lineOf } from './segments.ts'

const clockNames = ['first_response', 'next_response', 'resolution'] as const
export type ClockName = (typeof clockNames)[number]

export type Explained = {
  sla: ExplainedSla
  config: SlaConfig | null
  /** The time of the server, which a test clock may have advanced. */
  nowMs: number
  asOfMs: number
}

export type ClockLine = {
  name: ClockName
  clock: ExplainedSlaClock
  line: Line
  elapsed: number
  remaining: number
}

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs
/** A schedule is asked for at most so far ahead. */
const mostDays = 60

/** The explained SLA of a conversation, read again each minute while a clock runs. */
export function useExplained(conversation: Conversation) {
  const { backline, can } = useEnvironment()
  const realNowMs = useRealNow()
  const isOpen = isRunning(conversation)
  const explained = useQuery({
    queryKey: ['conversations', conversation.id, 'sla'],
    queryFn: ({ signal }) => backline.conversations.sla.explain(conversation.id, { signal }),
    refetchInterval: isOpen ? minuteMs : false,
  })
  const configId = explained.data?.sla_config_id
  const config = useQuery({
    queryKey: ['sla_configs', configId],
    queryFn:
      configId != null && can('sla_configs:read') ? () => backline.slaConfigs.retrieve(configId) : skipToken,
  })
  if (!explained.data) return { ...explained, explained: null }
  const asOfMs = asOf(explained.data)
  const sinceMs = isOpen ? Math.max(realNowMs - explained.dataUpdatedAt, 0) : 0
  const { data: sla } = explained
  return { ...explained, explained: { sla, config: config.data ?? null, nowMs: asOfMs + sinceMs, asOfMs } }
}

const isRunning = ({ sla, status }: Conversation): boolean =>
  sla !== null && status !== 'resolved' && status !== 'closed'

/** The time of the response, which is where the last span of a running clock ends. */
const asOf = (sla: ExplainedSla): number =>
  Math.max(...clockNames.flatMap((name) => sla[name]?.spans.slice(-1).map(({ to }) => Date.parse(to)) ?? []))

/** The clocks as lines, with what has been counted until now. */
export function useLines(conversation: Conversation, explained: Explained): ClockLine[] {
  const { sla, config, nowMs, asOfMs } = explained
  const working = useWorking(conversation, explained)
  return clockNames.flatMap((name) => {
    const clock = sla[name]
    if (!clock || clock.spans.length === 0) return []
    const line = lineOf(clock, {
      nowMs,
      asOfMs: isRunning(conversation) ? asOfMs : Infinity,
      warnAtPercent: config?.warn_at_percent ?? null,
      working,
    })
    const isCounting = line.isOpen && clock.spans.at(-1)?.counted
    const elapsed = Math.floor((countedMsOf(clock) + (isCounting ? nowMs - asOfMs : 0)) / 1_000)
    return [{ name, clock, line, elapsed, remaining: clock.target_seconds - elapsed }]
  })
}

/** Counted milliseconds: those of the spans, unless there are so many that not all of them are listed. */
function countedMsOf({ spans, elapsed_seconds }: ExplainedSlaClock): number {
  const listedMs = spans
    .filter(({ counted }) => counted)
    .reduce((sum, { from, to }) => sum + Date.parse(to) - Date.parse(from), 0)
  return Math.floor(listedMs / 1_000) === elapsed_seconds ? listedMs : elapsed_seconds * 1_000
}

/** The working hours from now until the last clock is due; null if they are not needed or not known. */
function useWorking(conversation: Conversation, { sla, config, asOfMs }: Explained): Interval[] | null {
  const { backline } = useEnvironment()
  const schedule = config?.schedule
  const dueMs = clockNames.map((name) => atOf(sla[name]?.due_at ?? null) ?? 0)
  const days = Math.ceil((Math.max(...dueMs) - asOfMs) / dayMs)
  const fromMs = Math.floor(asOfMs / (60 * minuteMs)) * 60 * minuteMs
  const { data } = useQuery({
    queryKey: ['sla_configs', config?.id, 'working', config?.version, fromMs, days],
    queryFn:
      schedule && isRunning(conversation) && days > 0 && days <= mostDays
        ? () =>
            backline.slaConfigs.previewSchedule({
              schedule,
              from: new Date(fromMs).toISOString(),
              days: days + 1,
            })
        : skipToken,
    staleTime: Infinity,
    placeholderData: (before) => before,
  })
  return data?.data.map(({ from, to }) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) })) ?? null
}
