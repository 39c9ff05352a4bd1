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
import { conversations } from '../entity.ts'
import { pastMoments } from '../notes.ts'
import type { Conversation, Sla, UntoldAlarm } from '../queries.ts'
import { firstDueAt, isSameSituation, momentOf, situationOf } from '../sla-situation.ts'
import { historyOf } from './history.ts'

/*
 * A conversation's clocks are kept in its row, as of their last step (lib/sla/clocks.ts). Each change of what they
 * depend on is a step, and a row of `conversation_moments`, so that they can be explained from the beginning.
 */

/**
 * Takes the clocks along with what has become of a conversation. Every change of one comes by here, with each of its
 * steps, and it is one step to the clocks: from the conversation as the change found it. What it was in between, for
 * no time at all, would otherwise be warned of, or be missing from the explanation.
 */
export async function updateClocks(change: Change, conversation: Conversation): Promise<Conversation> {
  const before = change.rows.original(conversations, conversation)
  if (!before?.sla) pastMoments.erase(change, conversation.id)
  const former = before?.sla ? columnsOf(before, before.sla) : noSla
  const after = { ...conversation, ...former }
  const config = mayChoose(before, after) ? await chooseSlaConfig(change, after) : undefined
  const patch = before?.sla
    ? proceeded(change, before, config === undefined ? after : under(after, config))
    : config && (await attached(change, after, config, before === null))
  const { sla } = patch ?? former
  return sla === conversation.sla
    ? conversation
    : change.rows.update(conversations, conversation, patch ?? former, null)
}

/** Null where nothing is different to the clocks. */
const proceeded = (change: Change, before: Conversation, now: Conversation): Partial<Conversation> | null =>
  isSameSituation(before, now) ? null : columnsOf(now, stepped(before, now, change.now))

/** A conversation comes under another version of its config. */
export function applyConfig(change: Change, conversation: Conversation, config: SlaConfig): void {
  const now = under(conversation, config)
  change.rows.update(conversations, conversation, columnsOf(now, stepped(conversation, now, change.now)))
}

/** What a conversation begins with. */
export const noSla = {
  sla: null,
  sla_config_id: null,
  sla_config_version: null,
  sla_terms: null,
  sla_follows: null,
  sla_due_at: null,
}

/** Does it matter which config is for it, and has anything changed by which one is chosen? */
function mayChoose(before: Conversation | null, after: Conversation): boolean {
  if (before?.status === 'closed') return false
  const tags = (conversation: Conversation) => conversation.tags.map(({ id }) => id).join()
  return (
    before === null ||
    before.priority !== after.priority ||
    before.category_id !== after.category_id ||
    before.department_id !== after.department_id ||
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

/** The conversation under a config; with none that is for it, its clocks stop. */
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

/** Time passes for the clocks as it was before, and goes on as it is now. */
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

/** Is a clock still the one that was breached, or is to be warned of, then? */
const isShown = ({ clock, kind, at }: Alarm, clocks: Clocks): boolean =>
  clocks[clock]?.[kind === 'breach' ? 'breached_at' : 'warned_at'] === at

/**
 * A conversation comes under a config for the first time: as it begins, or later, and then as if it had been so from
 * the beginning.
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

/** Of clocks that ended before anyone looked at them nobody wants to be told, nor be warned of what was breached since. */
const stillOfUse = (alarms: Alarm[], clocks: Clocks): Alarm[] =>
  alarms.filter((alarm) => {
    const clock = clocks[alarm.clock]!
    return (
      isShown(alarm, clocks) && !isEnded(clock) && (alarm.kind === 'breach' || clock.breached_at === null)
    )
  })

/** What is written of a conversation and its clocks. */
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
