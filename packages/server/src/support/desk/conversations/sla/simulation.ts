import { type Instant, parseInstant, toUnixMs } from '../../../../platform/kernel/clock.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { agreementOf } from '../../../sla/clocks/agreement.ts'
import { follow, type Moment } from '../../../sla/clocks/clocks.ts'
import { type Reports, reportOf } from '../../../sla/clocks/report.ts'
import { slaConfigs } from '../../../sla/sla-configs/entity.ts'
import type { SlaConfig } from '../../../sla/sla-configs/queries.ts'
import { refuseImpossibleTimes } from '../../../sla/sla-configs/times.ts'
import { afterMessage, type Status, statusForClocks, targetOf } from '../lifecycle.ts'
import type { Simulated, SimulatedEvent, Simulation } from './simulation-schema.ts'

/** The clocks of a conversation with these events. @throws ApiError 422 for impossible times */
export function simulate(
  config: SlaConfig,
  { started_at, priority, events, as_of }: Simulation,
  now: Instant,
): Reports {
  const start = parseInstant(started_at)!
  const asOf = as_of === undefined ? null : parseInstant(as_of)!
  refuseImpossibleTimes(start, asOf, now, events ?? [])
  const agreement = agreementOf(config, priority ?? 'normal')
  let moment: Lived = {
    at: toUnixMs(start),
    conversationStatus: 'new',
    status: 'open',
    paused: false,
    answered: false,
    unanswered_since: null,
    agreement,
  }
  const trace: [Moment, ...Moment[]] = [moment]
  for (const event of events ?? []) {
    moment = after(moment, event)
    trace.push(moment)
  }
  return reportOf(follow(trace, true, toUnixMs(asOf ?? now)))
}

type Lived = Moment & { conversationStatus: Status }

/** An action that the conversation would reject changes nothing. */
function after(before: Lived, event: SimulatedEvent): Lived {
  const at = toUnixMs(parseInstant(event.at)!)
  switch (event.type) {
    case 'operator_reply': {
      const moved = inStatus(before, afterMessage.operator[before.conversationStatus], at)
      return { ...moved, answered: true, unanswered_since: null }
    }
    case 'end_user_reply': {
      const moved = inStatus(before, afterMessage.end_user[before.conversationStatus], at)
      return { ...moved, unanswered_since: moved.unanswered_since ?? at }
    }
    case 'hold': {
      const held = inStatus(before, targetOf(before.conversationStatus, 'hold'), at)
      return held.status === 'on_hold' ? { ...held, paused: event.pauses_sla ?? true } : held
    }
    default:
      return inStatus(before, targetOf(before.conversationStatus, event.type), at)
  }
}

function inStatus(before: Lived, to: Status | undefined, at: number): Lived {
  const from = before.conversationStatus
  if (to === undefined || to === from) return { ...before, at }
  return {
    ...before,
    at,
    conversationStatus: to,
    status: statusForClocks(to, false),
    paused: false,
    unanswered_since: from === 'resolved' ? null : before.unanswered_since,
  }
}

/** Simulates the clocks of a conversation under a config. It writes only the response, for replays. */
export async function simulateSlaConfig(change: Change, id: string, input: Simulation): Promise<Simulated> {
  const config = await change.rows.peek(slaConfigs, id)
  const reports = simulate(config, input, change.now)
  change.discard()
  return { config, reports }
}
