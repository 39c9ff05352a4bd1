import { typeId } from '../../../platform/kernel/ids.ts'
import { mapYielding } from '../../../platform/kernel/pause.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { rewriteStoredBodies, storedBodies } from '../../../platform/unit-of-work/idempotency-keys.ts'
import { releaseFilesOf } from '../../files/using.ts'
import { withoutAnswers } from '../../integration/erasing/streams.ts'
import { eraseFrom } from '../../integration/events/actions.ts'
import { eventsOfResource } from '../../integration/events/queries.ts'
import { eraseDeliveries, idsOfDeliveries } from '../../integration/webhook-endpoints/deliveries/queries.ts'
import { refuseAgents } from '../../team/operators/actions.ts'
import { conversationOf } from './actions.ts'
import { fileIdsOf } from './attachments/attach.ts'
import { withFailed } from './email/delivery.ts'
import { messages } from './entity.ts'
import { conversationsMergedInto, deleteRevisions, type Message } from './queries.ts'
import type { ScheduledMessage } from './scheduled/queries.ts'
import { scheduledMessages } from './scheduled-entity.ts'
import { loadIfScheduled, unschedule } from './scheduling.ts'

/**
 * Erases a message permanently: its body, its mail, its revisions, and its text in the journal, in stored responses,
 * and in receiver responses of webhooks. Closed conversations allow it too, because personal data must be erasable. A
 * scheduled message is not sent, and neither is a mail to recipients who still wait for it. What has become of the mail
 * stays known, since later reports are about its recipients.
 */
export async function redactMessage(change: Change, id: string): Promise<Message | ScheduledMessage> {
  const scheduled = await loadIfScheduled(change, id)
  if (scheduled) return redactScheduled(change, scheduled)
  const message = await change.rows.load(messages, id)
  if (message.author_side === 'end_user') await refuseAgents(change, forLeads)
  if (message.redacted_at) return message
  await conversationOf(change, message)
  await eraseText(change, message)
  change.effects.write(deleteRevisions(change.tenantId, [message.id]))
  await releaseFilesOf(change, message.id, fileIdsOf(message))
  const delivery = message.delivery && withFailed(message.delivery, 'cancelled', change.now)
  const emptied = {
    body: '',
    body_html: null,
    email: null,
    mentions: null,
    file_states: null,
    redacted_at: change.now,
  }
  const redacted = change.rows.update(messages, message, { ...emptied, delivery }, 'message.redacted')
  if (message.delivery?.recipients.some(({ status }) => status === 'queued'))
    change.rows.addEvent(messages, redacted, 'message.delivery_changed', { ...message, ...emptied })
  return redacted
}

const forLeads = 'Only operators with the role lead or admin may redact a message of an end user.'

/** Erases a message that is not sent yet, and never will be. */
export async function redactScheduled(change: Change, row: ScheduledMessage): Promise<ScheduledMessage> {
  await conversationOf(change, row)
  await eraseText(change, row)
  const erased = {
    ...row,
    body: '',
    file_states: null,
    body_html: null,
    mentions: null,
    redacted_at: change.now,
    updated_at: change.now,
    version: row.version + 1,
  }
  await unschedule(change, row, null, false)
  change.rows.addEvent(scheduledMessages, row, 'message.redacted', row, erased)
  change.rows.addEvent(scheduledMessages, row, 'message.schedule_cancelled', row, erased)
  return erased
}

/** Erases the text of a message from everything but its own row. */
async function eraseText(change: Change, { id, conversation_id }: Message | ScheduledMessage): Promise<void> {
  // A message that was scheduled has events in the conversations that were merged meanwhile.
  const streams = await conversationsMergedInto(change.db, change.tenantId, conversation_id)
  const events = await eventsOfResource(change.db, change.tenantId, streams, id)
  const requests = events.flatMap(({ idempotency_key: key, request_id: requestId }) =>
    key !== null && requestId !== null ? [{ key, requestId }] : [],
  )
  // Responses with the conversation may show the message as its last one.
  const responses = await storedBodies(change.db, change.tenantId, [id, conversation_id], requests)
  const eventIds = events.map((event) => event.id)
  const deliveryIds = await idsOfDeliveries(change.db, change.tenantId, eventIds)
  const shownDeliveries = await storedBodies(change.db, change.tenantId, deliveryIds, [])
  await eraseFrom(change, events, emptied)
  change.effects.write(
    rewriteStoredBodies(change.tenantId, [
      ...(await mapYielding(responses, ({ key, body }) => ({ key, body: emptiedOf(id, body) }))),
      ...(await mapYielding(shownDeliveries, ({ key, body }) => ({ key, body: withoutAnswers(body) }))),
    ]),
  )
  change.effects.write(eraseDeliveries(change.tenantId, eventIds, change.now))
}

/**
 * A stored response without the text of this message: the message itself, one of its `messages`, or the `last_message`
 * of a conversation.
 */
function emptiedOf(id: string, text: string): string {
  const value = JSON.parse(text)
  if (value.last_message?.id === typeId('msg', id))
    return JSON.stringify({ ...value, last_message: withoutText(value.last_message) })
  if (!Array.isArray(value.messages)) return emptied(text)
  const messages = value.messages.map((each: { id: string }) =>
    each.id === typeId('msg', id) ? withoutText(each) : each,
  )
  return JSON.stringify({ ...value, messages })
}

/** A JSON text with an empty text, if it has one. */
function emptied(text: string): string {
  const value = JSON.parse(text)
  return ['body', 'body_html', 'email'].some((name) => name in value)
    ? JSON.stringify(withoutText(value))
    : text
}

/** The previous values of an event can be one of both; responses and events of earlier releases have no HTML. */
const withoutText = (message: object): object => ({
  ...message,
  ...('body' in message ? { body: '' } : {}),
  ...('body_html' in message ? { body_html: null } : {}),
  ...('email' in message ? { email: null } : {}),
})
