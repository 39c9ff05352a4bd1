import { LRUCache } from 'lru-cache'
import { type Instant, toInstant, toUnixMs } from '../../../platform/kernel/clock.ts'
import { agreementOf } from '../../sla/clocks/agreement.ts'
import {
  type Agreement,
  type Clock,
  type Clocks,
  clockNames,
  isEnded,
  type Moment,
  type Situation,
} from '../../sla/clocks/clocks.ts'
import type { Terms } from '../../sla/clocks/terms.ts'
import { statusForClocks } from './lifecycle.ts'
import type { Conversation } from './queries.ts'

/** Cached by the terms: after a failover, a version of a config may be assigned again with other terms. */
const agreements = new LRUCache<string, Agreement>({ max: 1_000 })

/** The terms of a config for conversations of a priority. */
export function agreementUnder(priority: string, terms: Terms): Agreement {
  const key = `${priority}/${JSON.stringify(terms)}`
  const known = agreements.get(key)
  if (known) return known
  const agreement = agreementOf(terms, priority)
  agreements.set(key, agreement)
  return agreement
}

/** The state of a conversation that clocks depend on. */
export const situationOf = (conversation: Conversation): Situation => ({
  status: statusForClocks(conversation.status, conversation.merged_into_id !== null),
  paused: conversation.status === 'on_hold' && conversation.hold_pauses_sla,
  answered: conversation.first_response_at !== null,
  unanswered_since: conversation.unanswered_since === null ? null : toUnixMs(conversation.unanswered_since),
  agreement: agreementFor(conversation),
})

const agreementFor = ({ sla, sla_terms, priority }: Conversation) =>
  sla?.applies ? agreementUnder(priority, sla_terms!) : null

export const momentOf = (conversation: Conversation, at: number): Moment => ({
  ...situationOf(conversation),
  at,
})

/** Are two versions of a conversation equal for its clocks? */
export const isSameSituation = (one: Conversation, other: Conversation): boolean =>
  statusForClocks(one.status, one.merged_into_id !== null) ===
    statusForClocks(other.status, other.merged_into_id !== null) &&
  one.hold_pauses_sla === other.hold_pauses_sla &&
  (one.first_response_at === null) === (other.first_response_at === null) &&
  one.unanswered_since === other.unanswered_since &&
  one.sla?.applies === other.sla?.applies &&
  one.sla_config_id === other.sla_config_id &&
  one.sla_config_version === other.sla_config_version &&
  one.priority === other.priority

const liveClocks = (clocks: Clocks): Clock[] =>
  clockNames.flatMap((name) => {
    const clock = clocks[name]
    return clock && !isEnded(clock) && clock.target !== null ? [clock] : []
  })

export const firstDueAt = (clocks: Clocks): Instant | null =>
  earliest(liveClocks(clocks).map(({ due_at }) => due_at))

/** The time of the next warning or breach without an event. */
export function nextAlarmAt({ sla }: Conversation): Instant | null {
  if (!sla) return null
  return earliest([
    ...sla.alarms.map(({ at }) => at),
    ...liveClocks(sla).flatMap((clock) => (clock.breached_at === null ? [clock.warn_at, clock.due_at] : [])),
  ])
}

function earliest(times: (number | null)[]): Instant | null {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : toInstant(Math.min(...known))
}
