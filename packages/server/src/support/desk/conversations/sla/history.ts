import { toUnixMs } from '../../../../platform/kernel/clock.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { holdReasons } from '../../../catalogue/hold-reasons/entity.ts'
import type { Moment } from '../../../sla/clocks/clocks.ts'
import { statusForClocks } from '../lifecycle.ts'
import type { Conversation } from '../queries.ts'
import { situationOf } from '../sla-situation.ts'
import { type Happening, happeningsOf } from './queries.ts'

/**
 * The earlier states of a conversation, from the journal, for clocks that start late. Time before the retention
 * counts as open, except for the first response, which the conversation stores.
 */
export async function historyOf(change: Change, conversation: Conversation): Promise<Moment[]> {
  const { agreement } = situationOf(conversation)
  const created: Moment = {
    at: toUnixMs(conversation.created_at),
    status: 'open',
    paused: false,
    answered: false,
    unanswered_since: null,
    agreement,
  }
  const moments = new Map([[created.at, created]])
  let now = created
  const known = await happeningsOf(change.db, change.tenantId, conversation.id)
  const answeredAt = conversation.first_response_at
  if (answeredAt !== null && (known.length === 0 || answeredAt < known[0]!.at)) {
    now = { ...created, at: toUnixMs(answeredAt), answered: true }
    moments.set(now.at, now)
  }
  for (const happening of known) {
    const next = await after(change, now, happening, conversation.initiated_by_side !== 'operator')
    if (isSame(now, next)) continue // most events of a long conversation
    now = next
    moments.set(now.at, now) // the last event of a change
  }
  return [...moments.values()].filter(({ at }) => at < toUnixMs(change.now))
}

const isSame = (one: Moment, other: Moment): boolean =>
  one.status === other.status &&
  one.paused === other.paused &&
  one.answered === other.answered &&
  one.unanswered_since === other.unanswered_since

async function after(
  change: Change,
  before: Moment,
  happening: Happening,
  isAnswerable: boolean,
): Promise<Moment> {
  const since = toUnixMs(happening.at)
  const at = Math.max(since, before.at) // a writer's clock may be behind that of the previous writer
  if (happening.resource_type === 'message') {
    const { author_side: author, visibility } = happening
    if (visibility === 'internal' || author === 'system') return { ...before, at }
    return author === 'end_user'
      ? { ...before, at, unanswered_since: before.unanswered_since ?? since }
      : { ...before, at, answered: before.answered || isAnswerable, unanswered_since: null }
  }
  const status = statusForClocks(happening.status!, happening.merged_into_id !== null)
  const isReopened = before.status === 'resolved' && status !== 'resolved'
  const isOfThisMoment = before.unanswered_since === since // the message that reopened it
  return {
    ...before,
    at,
    status,
    paused: status === 'on_hold' && (await pauses(change, happening.hold_reason_id)),
    answered: before.answered || happening.first_response_at !== null,
    unanswered_since: isReopened && !isOfThisMoment ? null : before.unanswered_since,
  }
}

async function pauses(change: Change, holdReasonId: string | null): Promise<boolean> {
  const reason = holdReasonId && (await change.rows.find(holdReasons, uuidOf('hold', holdReasonId)!))
  return reason ? reason.pauses_sla : true
}
