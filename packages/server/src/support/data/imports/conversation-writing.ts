import { type Instant, toUnixMs } from '../../../platform/kernel/clock.ts'
import { newUuid } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { EventToInsert } from '../../../platform/unit-of-work/events.ts'
import { formerValues } from '../../../platform/unit-of-work/tracked-row.ts'
import { conversations } from '../../desk/conversations/entity.ts'
import {
  beginHolds,
  type Conversation,
  conversationTable,
  correctHolds,
} from '../../desk/conversations/queries.ts'
import { endHold, recordParticipants, recordTags } from '../../desk/conversations/reactions.ts'
import { countLoad } from '../../desk/conversations/routing/reactions.ts'
import { conversationWire } from '../../desk/conversations/schema.ts'
import { recordValues } from '../../properties/custom-fields/values/values.ts'

/*
 * Conversations of the past are written without the reactions to conversations. Of these, an import needs those that
 * keep other tables as the conversation is:
 *
 * - recordTags, recordParticipants, recordValues: the inverse tables and the index of values
 * - countLoad: the counters of operators, by which routing decides about the present
 * - recordHold: its row of the period, written here; neither the end nor the follow-ups of a new hold fall due
 *
 * It leaves out those that start something:
 *
 * - scheduleClosing: nothing of the past closes by itself
 * - scheduleRouting: no operator has less to do than before; and `awaits_routing` is false
 * - followClocks, and `updateClocks` before it: what was due in the past was kept or missed elsewhere
 * - followConversation of messages: a new conversation has no scheduled messages
 */

/** Writes a new conversation. */
export function writeConversation(change: Change, row: Conversation): void {
  change.effects.writeBatched(conversationTable.insert, row)
  recordTags(change, null, row)
  recordParticipants(change, null, row)
  recordValues(change, null, row)
  countLoad(change, null, row)
  recordHoldOf(change, row)
}

/** Writes a conversation that was read before, with the next version. It fails if somebody has changed it. */
export function rewriteConversation(change: Change, before: Conversation, after: Conversation): void {
  change.effects.writeExpecting(conversationTable.update, after)
  recordTags(change, before, after)
  recordParticipants(change, before, after)
  recordValues(change, before, after)
  countLoad(change, before, after)
  if (before.hold_since === null) recordHoldOf(change, after)
  else if (after.hold_since === null) endHold(change, before, endOfHold(before.hold_since, after, change.now))
  else if (holdColumns.some((name) => before[name] !== after[name]))
    change.effects.writeBatched(correctHolds, {
      conversation_id: after.id,
      was: before.hold_since,
      hold_reason_id: after.hold_reason_id!,
      note: after.hold_note,
      since: after.hold_since,
    })
}

const holdColumns = ['hold_reason_id', 'hold_note', 'hold_since'] as const

/** The source does not tell when a hold has ended: at the latest when the conversation was resolved or closed. */
const endOfHold = (since: Instant, { resolved_at, closed_at }: Conversation, now: Instant): Instant =>
  [resolved_at, closed_at].find((at) => at !== null && at >= since) ?? now

function recordHoldOf(change: Change, { id, hold_reason_id, hold_note, hold_since }: Conversation): void {
  if (hold_since === null) return
  change.effects.writeBatched(beginHolds, {
    conversation_id: id,
    hold_reason_id: hold_reason_id!,
    note: hold_note,
    since: hold_since,
    until: null,
  })
}

const auditedFields = `created ${(conversations.audited ?? []).join()}`

/** The event of a conversation that was imported, or to which an import has added something. */
export function importedEvent(
  change: Change,
  before: Conversation | null,
  after: Conversation,
): EventToInsert {
  const { ctx, now } = change
  const shown = (row: Conversation) => conversationWire.present(row, now)
  return {
    id: newUuid(toUnixMs(now)),
    type: 'conversation.imported',
    streamId: after.id,
    resourceType: conversations.type,
    resourceId: after.id,
    resourceVersion: after.version,
    object: conversationWire.json(after, now),
    previous: before === null ? '{}' : JSON.stringify(formerValues(shown(before), shown(after))),
    related: null,
    audited: before === null ? auditedFields : null,
    origin: { now, actor: ctx.principal.actor, request: ctx.request },
  }
}
