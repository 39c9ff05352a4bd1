import type { Instant } from '../../../../platform/kernel/clock.ts'

/*
 * The way of a mail. A recipient only moves forward, and the mail as a whole is as far as its last
 * recipient, unless one of them has failed.
 */

/** In the order in which a recipient passes them; failed and bounced ends are after all others. */
export const deliveryStatuses = ['queued', 'sent', 'delivered', 'failed', 'bounced'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const recipientKinds = ['to', 'cc', 'bcc'] as const

export type RecipientDelivery = {
  address: string
  kind: (typeof recipientKinds)[number]
  status: DeliveryStatus
  reason: string | null
  /** One of three digits, or an enhanced one such as `5.1.1`. */
  smtp_code: string | number | null
  at: Instant
}

export type Delivery = {
  status: DeliveryStatus
  recipients: RecipientDelivery[]
  attempts: number
  next_attempt_at: Instant | null
}

/** The status of several recipients: the worst end if there is one, or else the least that all have reached. */
export function statusOfAll(recipients: Pick<RecipientDelivery, 'status'>[]): DeliveryStatus {
  const statuses = recipients.map(({ status }) => status)
  if (statuses.includes('bounced')) return 'bounced'
  if (statuses.includes('failed') || statuses.length === 0) return 'failed'
  return deliveryStatuses.find((status) => statuses.includes(status))!
}

const rank = (status: DeliveryStatus): number => deliveryStatuses.indexOf(status)

/** From `delivered` a mail can bounce and not fail; a failed recipient stays so until somebody has it tried again. */
const follows = (from: DeliveryStatus, to: DeliveryStatus): boolean =>
  rank(to) > rank(from) && !(from === 'delivered' && to === 'failed') && from !== 'failed'

export type Report = Partial<Pick<RecipientDelivery, 'reason' | 'smtp_code'>> & { status: DeliveryStatus }

/** The delivery after a report about some recipients, by their addresses; about all by default. */
export function reported(
  delivery: Delivery,
  { status, reason = null, smtp_code = null }: Report,
  at: Instant,
  addresses?: ReadonlySet<string>,
): Delivery {
  const recipients = delivery.recipients.map((each) =>
    (!addresses || addresses.has(each.address)) && follows(each.status, status)
      ? { ...each, status, reason, smtp_code, at }
      : each,
  )
  return withRecipients(delivery, recipients)
}

/** A delivery with other states of its recipients; once nobody is queued, no attempt is next. */
export const withRecipients = (delivery: Delivery, recipients: RecipientDelivery[]): Delivery => ({
  ...delivery,
  recipients,
  status: statusOfAll(recipients),
  next_attempt_at: recipients.some(({ status }) => status === 'queued') ? delivery.next_attempt_at : null,
})

/** The delivery of a mail that is not sent to some who still wait for it, all by default. */
export const withFailed = (
  delivery: Delivery,
  reason: string,
  at: Instant,
  addresses?: ReadonlySet<string>,
): Delivery =>
  withRecipients(
    delivery,
    delivery.recipients.map((each) =>
      each.status === 'queued' && (!addresses || addresses.has(each.address))
        ? { ...each, status: 'failed', reason, smtp_code: null, at }
        : each,
    ),
  )
