import { type Instant, toUnixMs } from '../../../../platform/kernel/clock.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import {
  type Alarm,
  begin,
  type Clocks,
  isEnded,
  pass,
  proceed,
  project,
} from '../../../sla/clocks/clocks.ts'
import { chooseSlaConfig } from '../../../sla/sla-configs/actions.ts'
import { type SlaConfig, termsOf } from '../../../sla/sla-configs/queries.ts'
import { pastMoments } from '../change-facts.ts'
import { conversations } from '../entity.ts'
import type { Conversation, Sla, UntoldAlarm } from '../queries.ts'
import { firstDueAt, isSameSituation, momentOf, situationOf } from '../sla-situation.ts'
import { historyOf } from './history.ts'

/*
 * A conversation's row stores its clocks as of their last step (support/sla/clocks/clocks.ts). Each change of a state
 * that they depend on is a step and a row of `conversation_moments`, so that clocks can be explained from the
 * beginning.
 */

/**
 * Updates the clocks after a change of a conversation. All changes use it for each of their steps, but the clocks see
 * one step, from the state that the change found. Intermediate states last no time; they must cause no warnings and
 * not appear in the explanation.
 */
export async function updateClocks(change: Change, conversation: Conversation): Promise<Conversation> {
  const before = change.rows.original(conversations, conversation)
  if (!before?.sla) pastMoments.erase(change, conversation.id)
  const former = before?.sla ? columnsOf(before, before.sla) : noSla
  const after = conversation.sla === former.sla ? conversation : { ...conversation, ...former }
  const config = mayChoose(before, after) ? await chooseSlaConfig(change, after) : undefined
  const patch = before?.sla
    ? proceeded(change, before, config === undefined ? after : under(after, config))
    : config && (await attached(change, after, config, before === null))
  const { sla } = patch ?? former
  return sla === conversation.sla
    ? conversation
    : change.rows.update(conversations, conversation, patch ?? former, null)
}

/** Null if nothing changed for the clocks. */
const proceeded = (change: Change, before: Conversation, now: Conversation): Partial<Conversation> | null =>
  isSameSituation(before, now) ? null : columnsOf(now, stepped(before, now, change.now))

/** Applies another version of its config to a conversation. */
export function applyConfig(change: Change, conversation: Conversation, config: SlaConfig): void {
  const now = under(conversation, config)
  change.rows.update(conversations, conversation, columnsOf(now, stepped(conversation, now, change.now)))
}

/** The initial state of a conversation. */
export const noSla = {
  sla: null,
  sla_config_id: null,
  sla_config_version: null,
  sla_terms: null,
  sla_follows: null,
  sla_due_at: null,
}

/** Does the choice of the config depend on this change? */
function mayChoose(before: Conversation | null, after: Conversation): boolean {
  if (before?.status === 'closed') return false
  const tags = (conversation: Conversation) => conversation.tags.map(({ id }) => id).join()
  return (
    before === null ||
    before.priority !== after.priority ||
    before.category_id !== after.category_id ||
    before.department_id !== after.department_id ||
    before.company_id !== after.company_id ||
    tags(before) !== tags(after)
  )
}

/** Before they begin. */
const noClocks: Sla = {
  at: 0,
  opened_by_end_user: false,
  cycle_since: null,
  first_response: null,
  next_response: null,
  resolution: null,
  applies: true,
  alarms: [],
}

/** The conversation under a config; without one, its clocks stop. */
function under(conversation: Conversation, config: SlaConfig | null): Conversation {
  const sla = { ...(conversation.sla ?? noClocks), applies: config !== null }
  if (!config) return { ...conversation, sla }
  return {
    ...conversation,
    sla,
    sla_config_id: config.id,
    sla_config_version: config.version,
    sla_terms: termsOf(config),
  }
}

/** Advances the clocks in the earlier state, then continues in the new one. */
export function stepped(before: Conversation, now: Conversation, at: Instant): Sla {
  const [was, moment] = [situationOf(before), momentOf(now, toUnixMs(at))]
  const alarms: UntoldAlarm[] = [...before.sla!.alarms]
  const clocks = proceed(before.sla!, was, moment, alarms)
  const tellable = (alarm: UntoldAlarm): UntoldAlarm =>
    alarm.then || isShown(alarm, clocks)
      ? alarm
      : { ...alarm, then: pass(before.sla!, was, moment.at)[alarm.clock]! }
  return { ...project(clocks, moment), applies: now.sla!.applies, alarms: alarms.map(tellable) }
}

/** Does the clock still show this breach or pending warning? */
const isShown = ({ clock, kind, at }: Alarm, clocks: Clocks): boolean =>
  clocks[clock]?.[kind === 'breach' ? 'breached_at' : 'warned_at'] === at

/**
 * Applies a config to a conversation for the first time: at its creation, or later as if it had applied since then.
 */
async function attached(
  change: Change,
  conversation: Conversation,
  config: SlaConfig,
  isNew: boolean,
): Promise<Partial<Conversation>> {
  const now = under(conversation, config)
  const present = momentOf(now, toUnixMs(change.now))
  const past = isNew ? [] : await historyOf(change, now)
  const [first = present, ...rest] = [...past, present]
  const alarms: Alarm[] = []
  let was = first
  let clocks = begin(first, now.initiated_by_side === 'end_user')
  for (const moment of rest) {
    clocks = proceed(clocks, was, moment, alarms)
    was = moment
  }
  const sla = { ...project(clocks, present), applies: true, alarms: stillOfUse(alarms, clocks) }
  pastMoments.write(change, past, conversation.id)
  return columnsOf(now, sla)
}

/** Drops alarms of clocks that had ended before, and warnings of clocks that are breached since. */
const stillOfUse = (alarms: Alarm[], clocks: Clocks): Alarm[] =>
  alarms.filter((alarm) => {
    const clock = clocks[alarm.clock]!
    return (
      isShown(alarm, clocks) && !isEnded(clock) && (alarm.kind === 'breach' || clock.breached_at === null)
    )
  })

/** The columns of a conversation with these clocks. */
function columnsOf(conversation: Conversation, sla: Sla): Partial<Conversation> {
  const { sla_config_id, sla_config_version, sla_terms, status } = conversation
  const isFollowing = sla.applies && status !== 'closed'
  return {
    sla,
    sla_config_id,
    sla_config_version,
    sla_terms,
    sla_follows: isFollowing ? sla_config_version : null,
    sla_due_at: firstDueAt(sla),
  }
}
