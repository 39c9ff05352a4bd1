import { parseInstant } from '../../../platform/kernel/clock.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import { mergeMetadata } from '../../../platform/kernel/merge-patch.ts'
import { type Job, on } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { releaseFilesOf } from '../../files/using.ts'
import { setCause } from '../conversations/change-facts.ts'
import { conversations } from '../conversations/entity.ts'
import type { Conversation } from '../conversations/queries.ts'
import { type CheckedMessage, deliverMessage, requireContent } from './actions.ts'
import { attach, fileIdsOf } from './attachments/attach.ts'
import { messages } from './entity.ts'
import { textOf } from './html.ts'
import { remention } from './mentions.ts'
import { findMessageByExternalId } from './queries.ts'
import {
  claimExternalIds,
  insertUnsent,
  nextScheduled,
  releaseExternalIds,
  type ScheduledMessage,
} from './scheduled/queries.ts'
import { scheduledMessages } from './scheduled-entity.ts'
import type { MessagePatch } from './schema.ts'

export const send = 'send_message'

/** Stores a message that is sent later, with the text that its template has now. */
export async function scheduleMessage(
  change: Change,
  conversation: Conversation,
  checked: CheckedMessage,
): Promise<ScheduledMessage> {
  const { author_side, operator_id, template_id, in_reply_to_id, mentions, body, body_format, body_html } =
    checked
  const place = { ...change.stamp(), conversation_id: conversation.id }
  const row: ScheduledMessage = {
    ...place,
    ...attach(change, place, checked.attached),
    send_at: parseInstant(checked.send_at!)!,
    author_side,
    operator_id,
    body,
    body_format,
    body_html,
    visibility: checked.visibility ?? 'public',
    template_id,
    in_reply_to_id,
    mentions,
    external_id: checked.external_id ?? null,
    set_status: checked.set_status ?? null,
    email: checked.email ?? null,
    metadata: checked.metadata ?? {},
  }
  await claim(change, row)
  change.rows.guard(conversations, conversation) // it must not be closed or merged meanwhile
  change.jobs.schedule(send, row.id, row.send_at)
  return change.rows.create(scheduledMessages, row, 'message.scheduled')
}

/** Messages that are older than the table of claims have none. */
async function claim(change: Change, { id, external_id }: ScheduledMessage): Promise<void> {
  if (external_id === null) return
  const owner = await findMessageByExternalId(change.db, change.tenantId, external_id)
  if (owner) throw new ApiError('already_exists', { id: typeId('msg', owner.id), field: 'external_id' })
  change.effects.writeBatched(claimExternalIds, { external_id, message_id: id })
}

/** Sends a message at its time, unless its conversation was closed. */
export const sendScheduled: Job = {
  name: send,
  subjects: scheduledMessages,
  async perform(change, id) {
    const row = await change.rows.find(scheduledMessages, id)
    if (!row) return
    const conversation = await presentConversation(change, row.conversation_id)
    if (!conversation) return // it was deleted meanwhile
    if (isClosedFor(row, conversation)) return drop(change, row)
    setCause(change, 'reply')
    change.startAfter(conversation)
    change.rows.remove(scheduledMessages, row, null)
    const { send_at, set_status, email, ...message } = row
    await deliverMessage(
      change,
      conversation,
      {
        ...message,
        conversation_id: conversation.id,
        sequence: conversation.message_count + 1,
        author_end_user_id: null,
        email: null,
        delivery: null,
        edited_at: null,
        redacted_at: null,
        created_at: change.now,
        updated_at: change.now,
        version: row.version + 1,
      },
      set_status,
      email,
    )
  },
}

/** Follows merges to the conversation that continues this one. */
async function presentConversation(change: Change, id: string): Promise<Conversation | null> {
  for (let next = id; ; ) {
    const conversation = await change.rows.find(conversations, next)
    if (conversation === null || conversation.merged_into_id === null) return conversation
    next = conversation.merged_into_id
  }
}

const isClosedFor = ({ visibility }: ScheduledMessage, { status }: Conversation): boolean =>
  status === 'closed' && visibility === 'public'

export async function editScheduled(
  change: Change,
  row: ScheduledMessage,
  patch: MessagePatch,
): Promise<ScheduledMessage> {
  if (patch.body !== undefined) requireContent(row, patch.body)
  return change.rows.update(scheduledMessages, row, {
    ...(await remention(change, row, patch)),
    ...(patch.body === undefined || patch.body === row.body
      ? {}
      : await textOf(change.ctx, { ...row, body: patch.body })),
    metadata: mergeMetadata(row.metadata, patch.metadata),
  })
}

/** Cancels a scheduled message. @throws ApiError `invalid_transition` if it was sent */
export async function cancelMessage(change: Change, id: string): Promise<void> {
  const row = await loadIfScheduled(change, id)
  if (row) return unschedule(change, row, 'message.schedule_cancelled')
  await change.rows.load(messages, id)
  throw new ApiError('invalid_transition', { from: 'sent', action: 'cancel', allowed: [] })
}

/** A message that was sent between the reads of both tables is found by the second read of `messages`. */
export async function loadIfScheduled(change: Change, id: string): Promise<ScheduledMessage | null> {
  await change.lock(id)
  if (await change.rows.find(messages, id)) return null
  return (await change.rows.find(scheduledMessages, id)) ? change.rows.load(scheduledMessages, id) : null
}

/**
 * Removes a message that is not to be sent.
 * @param keepsFiles true if its files can be attached to others
 */
export async function unschedule(
  change: Change,
  row: ScheduledMessage,
  event: 'message.schedule_cancelled' | null,
  keepsFiles = true,
): Promise<void> {
  change.jobs.cancel(send, row.id)
  await removeRow(change, row, event, keepsFiles)
}

const drop = (change: Change, row: ScheduledMessage): Promise<void> =>
  removeRow(change, row, 'message.schedule_dropped', true)

async function removeRow(
  change: Change,
  row: ScheduledMessage,
  event: 'message.schedule_cancelled' | 'message.schedule_dropped' | null,
  keepsFiles: boolean,
): Promise<void> {
  await releaseFilesOf(change, row.id, fileIdsOf(row), keepsFiles)
  change.rows.remove(scheduledMessages, row, null)
  const ended = { ...row, updated_at: change.now, version: row.version + 1 }
  if (event !== null) change.rows.addEvent(scheduledMessages, row, event, row, ended)
  change.effects.writeBatched(insertUnsent, { id: row.id, conversation_id: row.conversation_id })
  if (row.external_id !== null) change.effects.writeBatched(releaseExternalIds, row.external_id)
}

/** More scheduled messages than these are dropped or moved when they are due. */
const maxAtOnce = 100

/** Drops the scheduled messages of a conversation that is closed, and moves those of one that is merged. */
async function followConversation(
  change: Change,
  before: Conversation | null,
  after: Conversation | null,
): Promise<void> {
  if (after?.status !== 'closed' || before?.status === 'closed') return
  const rows = await nextScheduled(change.db, change.tenantId, after.id, maxAtOnce)
  for (const row of rows) {
    if (after.merged_into_id !== null) {
      const moved = { conversation_id: after.merged_into_id }
      change.rows.update(scheduledMessages, row, moved, 'message.updated')
    } else if (isClosedFor(row, after)) {
      change.jobs.cancel(send, row.id)
      await drop(change, row)
    }
  }
}

export const onConversation = on(conversations, followConversation)
