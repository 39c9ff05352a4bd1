import { ApiError, invalidBody } from '../../../platform/kernel/errors.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { canonicalAddress } from '../../catalogue/mailboxes/addresses.ts'
import { type Delivery, reported, statusOfAll } from '../../desk/messages/email/delivery.ts'
import { insertReferences } from '../../desk/messages/email/queries.ts'
import { messages } from '../../desk/messages/entity.ts'
import { sendAgain } from '../../desk/messages/outgoing/queries.ts'
import type { Message } from '../../desk/messages/queries.ts'
import { isSentHere } from './queries.ts'
import type { DeliveryReport } from './schema.ts'

const changed = 'message.delivery_changed'

/** Takes a report of the client, or of its provider, about the mail of a message. */
export async function reportDelivery(
  change: Change,
  id: string,
  { status, recipient, reason, smtp_code, header_message_id }: DeliveryReport,
): Promise<Message> {
  const message = await change.rows.load(messages, id)
  const delivery = requireDelivery(message, 'report')
  if (status === 'sent' && (await isSentHere(change.db, change.tenantId, id)))
    throw invalidBody({
      pointer: '/status',
      code: 'not_allowed',
      detail: 'must not be sent for a mail that this server sends',
    })
  const address = recipient == null ? null : canonicalAddress(recipient)
  if (address !== null && !delivery.recipients.some((each) => each.address === address))
    throw invalidBody({ pointer: '/recipient', code: 'not_found', detail: 'must be a recipient of the mail' })
  if (header_message_id != null)
    change.effects.writeBatched(insertReferences, {
      reference: header_message_id,
      message_id: message.id,
      conversation_id: message.conversation_id,
      is_sent: true,
      created_at: change.now,
    })
  const report = { status, reason: reason ?? null, smtp_code: smtp_code == null ? null : String(smtp_code) }
  const next = reported(delivery, report, change.now, address === null ? undefined : new Set([address]))
  return change.rows.update(messages, message, { delivery: next }, changed)
}

/** Sends the mail of a message once more to those recipients whom it did not reach. */
export async function retryDelivery(change: Change, id: string): Promise<Message> {
  const message = await change.rows.load(messages, id)
  const delivery = requireDelivery(message, 'retry')
  if (!delivery.recipients.some(({ status }) => status === 'failed'))
    throw new ApiError('invalid_transition', { from: delivery.status, action: 'retry', allowed: [] })
  const recipients = delivery.recipients.map((each) =>
    each.status === 'failed'
      ? { ...each, status: 'queued' as const, reason: null, smtp_code: null, at: change.now }
      : each,
  )
  if (await isSentHere(change.db, change.tenantId, id)) {
    change.effects.writeBatched(sendAgain, { message_id: id, due_at: change.now })
    change.effects.afterCommit(change.ctx.services.mail.wakeSender)
  }
  const next = { ...delivery, recipients, status: statusOfAll(recipients) }
  return change.rows.update(messages, message, { delivery: next }, changed)
}

/** @throws ApiError `invalid_transition` for a message without a mail that was to be sent */
function requireDelivery({ delivery }: Message, action: string): Delivery {
  if (delivery) return delivery
  throw new ApiError('invalid_transition', { from: 'none', action, allowed: [] })
}
