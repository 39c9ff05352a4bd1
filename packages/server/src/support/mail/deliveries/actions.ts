import { ApiError, invalidBody } from '../../../platform/kernel/errors.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { suppressed } from '../../catalogue/email-suppressions/queries.ts'
import { canonicalAddress } from '../../catalogue/mailboxes/addresses.ts'
import {
  type Delivery,
  type RecipientDelivery,
  reported,
  withRecipients,
} from '../../desk/messages/email/delivery.ts'
import { insertReferences } from '../../desk/messages/email/queries.ts'
import { messages } from '../../desk/messages/entity.ts'
import { countAutomaticMail, limitedAddresses } from '../../desk/messages/outgoing/automatic.ts'
import { sendAgain } from '../../desk/messages/outgoing/queries.ts'
import type { Message } from '../../desk/messages/queries.ts'
import { loadIfScheduled } from '../../desk/messages/scheduling.ts'
import { isReferenceOf, isSentHere } from './queries.ts'
import type { DeliveryReport } from './schema.ts'

const changed = 'message.delivery_changed'

/** Takes a report of the client, or of its provider, about the mail of a message. */
export async function reportDelivery(
  change: Change,
  id: string,
  { status, recipient, reason, smtp_code, header_message_id }: DeliveryReport,
): Promise<Message> {
  const { message, delivery } = await loadMail(change, id, 'report')
  if (status === 'sent' && (await isSentHere(change.db, change.tenantId, id)))
    throw invalidBody({
      pointer: '/status',
      code: 'not_allowed',
      detail: 'must not be sent for a mail that this server sends',
    })
  const address = recipient == null ? null : canonicalAddress(recipient)
  if (address !== null && !delivery.recipients.some((each) => each.address === address))
    throw invalidBody({ pointer: '/recipient', code: 'not_found', detail: 'must be a recipient of the mail' })
  if (
    header_message_id != null &&
    !(await isReferenceOf(change.db, change.tenantId, header_message_id, message.id))
  )
    change.effects.writeBatched(insertReferences, {
      reference: header_message_id,
      message_id: message.id,
      conversation_id: message.conversation_id,
      is_sent: true,
      created_at: change.now,
    })
  const report = { status, reason: reason ?? null, smtp_code: smtp_code ?? null }
  const next = reported(delivery, report, change.now, address === null ? undefined : new Set([address]))
  return change.rows.update(messages, message, { delivery: next }, changed)
}

/** Sends the mail of a message once more to those recipients for whom it has failed, unless they are suppressed. */
export async function retryDelivery(change: Change, id: string): Promise<Message> {
  const { message, delivery } = await loadMail(change, id, 'retry')
  const failed = delivery.recipients.flatMap(({ address, status }) => (status === 'failed' ? address : []))
  if (failed.length === 0 || message.redacted_at)
    throw new ApiError('invalid_transition', { from: delivery.status, action: 'retry', allowed: [] })
  const refused = new Set(await suppressed(change.db, change.tenantId, failed, change.now))
  const isAutomatic = message.author_side === 'system'
  const limited = isAutomatic ? await limitedAddresses(change, failed) : new Set<string>()
  const isAgain = ({ status, address }: RecipientDelivery) =>
    status === 'failed' && !refused.has(address) && !limited.has(address)
  if (isAutomatic)
    countAutomaticMail(
      change,
      id,
      delivery.recipients.filter(isAgain).map(({ address }) => address),
    )
  const recipients = delivery.recipients.map((each) =>
    isAgain(each)
      ? { ...each, status: 'queued' as const, reason: null, smtp_code: null, at: change.now }
      : each,
  )
  if (await isSentHere(change.db, change.tenantId, id)) {
    change.effects.writeBatched(sendAgain, {
      message_id: id,
      due_at: change.now,
      attempts_before: delivery.attempts,
    })
    change.effects.afterCommit(change.ctx.services.mail.wakeSender)
  }
  const next = withRecipients({ ...delivery, next_attempt_at: null }, recipients)
  return change.rows.update(messages, message, { delivery: next }, changed)
}

/** @throws ApiError `invalid_transition` for a message without a mail that was to be sent */
async function loadMail(
  change: Change,
  id: string,
  action: string,
): Promise<{ message: Message; delivery: Delivery }> {
  const message = (await loadIfScheduled(change, id)) ? null : await change.rows.load(messages, id)
  if (message?.delivery) return { message, delivery: message.delivery }
  throw new ApiError('invalid_transition', { from: 'none', action, allowed: [] })
}
