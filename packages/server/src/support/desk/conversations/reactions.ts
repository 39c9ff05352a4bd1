import { type Instant, plusSeconds } from '../../../platform/kernel/clock.ts'
import { on } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { workspaces } from '../../admin/workspace/entity.ts'
import { holdReasons } from '../../catalogue/hold-reasons/entity.ts'
import { deleteUses, insertUses } from '../../catalogue/tags/queries.ts'
import { recordValues } from '../../properties/custom-fields/values/values.ts'
import { causeOf } from './change-facts.ts'
import { conversations } from './entity.ts'
import { jobs } from './lifecycle.ts'
import {
  beginHolds,
  type Conversation,
  deleteParticipants,
  endHolds,
  insertFormerParticipants,
  insertParticipants,
  participantsOf,
} from './queries.ts'

/** `conversation_tags` is the inverse of `tag_ids`: an alias is stored as its tag in both. */
export function recordTags(change: Change, before: Conversation | null, after: Conversation | null): void {
  const { id: conversation_id } = (after ?? before)!
  const former = new Set(before?.tags.map(({ id, stored_id }) => stored_id ?? id))
  const present = new Set(after?.tags.map(({ id }) => id))
  for (const tag_id of former.difference(present))
    change.effects.writeBatched(deleteUses, { tag_id, conversation_id })
  for (const tag_id of present.difference(former))
    change.effects.writeBatched(insertUses, { tag_id, conversation_id })
}

/** `conversation_participants` is the inverse of `participant_ids`; both store the target of a merged end user. */
export function recordParticipants(
  change: Change,
  before: Conversation | null,
  after: Conversation | null,
): void {
  const { id: conversation_id } = (after ?? before)!
  const former = new Map(before?.participants.map((each) => [each.stored_id ?? each.id, each]))
  const present = new Map(after && participantsOf(after).map((each) => [each.id, each]))
  for (const end_user_id of former.keys()) {
    if (present.has(end_user_id)) continue
    change.effects.writeBatched(deleteParticipants, { end_user_id, conversation_id })
    if (after) change.effects.writeBatched(insertFormerParticipants, { end_user_id, conversation_id })
  }
  for (const [end_user_id, { address, source, confirmed, since }] of present)
    if (former.get(end_user_id)?.confirmed !== confirmed)
      change.effects.writeBatched(insertParticipants, {
        end_user_id,
        conversation_id,
        address,
        source,
        confirmed,
        since,
      })
}

/** Ends the period of a conversation on hold, and what would fall due. */
export function endHold(
  change: Change,
  { id, hold_since: since, hold_until }: Conversation,
  ended_at: Instant,
): void {
  if (since === null) return
  change.effects.writeBatched(endHolds, { conversation_id: id, since, ended_at, ended_by: causeOf(change) })
  if (hold_until) change.jobs.cancel(jobs.holdExpiry, id)
  change.jobs.cancel(jobs.holdFollowUp, id)
}

/** Stores each hold as a period, and schedules its end and its follow-ups. */
async function recordHold(
  change: Change,
  before: Conversation | null,
  after: Conversation | null,
): Promise<void> {
  if (!after) {
    change.jobs.cancel(jobs.holdExpiry, before!.id)
    change.jobs.cancel(jobs.holdFollowUp, before!.id)
    return // its periods go with its other rows
  }
  const { id, hold_since: since } = after
  if ((before?.hold_since ?? null) === since) return
  if (before) endHold(change, before, change.now)
  if (!since) return
  const { hold_reason_id, hold_note: note, hold_until: until } = after
  change.effects.writeBatched(beginHolds, {
    conversation_id: id,
    hold_reason_id: hold_reason_id!,
    note,
    since,
    until,
  })
  if (until) change.jobs.schedule(jobs.holdExpiry, id, until)
  const reason = await change.rows.find(holdReasons, hold_reason_id!)
  if (reason?.follow_up)
    change.jobs.schedule(jobs.holdFollowUp, id, plusSeconds(since, reason.follow_up.every_seconds))
}

/** Schedules the closing of resolved conversations. */
async function scheduleClosing(
  change: Change,
  before: Conversation | null,
  after: Conversation | null,
): Promise<void> {
  if (!after) return change.jobs.cancel(jobs.autoClose, before!.id)
  const since = ({ status, resolved_at }: Conversation) => (status === 'resolved' ? resolved_at : null)
  if ((before ? since(before) : null) === since(after)) return
  if (after.status === 'resolved')
    change.jobs.schedule(jobs.autoClose, after.id, await closesAt(change, after))
  else change.jobs.cancel(jobs.autoClose, after.id)
}

/** The time at which a resolved conversation closes, by the workspace's current setting. */
export async function closesAt(change: Change, { resolved_at }: Conversation): Promise<Instant> {
  const workspace = await change.rows.find(workspaces, change.ctx.env.workspaceId)
  return plusSeconds(resolved_at!, workspace!.auto_close_after_seconds)
}

export const conversationReactions = [
  recordTags,
  recordParticipants,
  recordHold,
  scheduleClosing,
  recordValues,
].map((react) => on(conversations, react))
