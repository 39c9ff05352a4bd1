import { plusSeconds } from '../../../platform/kernel/clock.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { suppress } from '../../catalogue/email-suppressions/actions.ts'
import { canonicalAddress } from '../../catalogue/mailboxes/addresses.ts'
import { type Delivery, reported } from '../../desk/messages/email/delivery.ts'
import { messages } from '../../desk/messages/entity.ts'
import type { Message } from '../../desk/messages/queries.ts'
import type { Report, ReportedRecipient } from '../mime/email.ts'

/** Addresses that bounced for good get no mail for this time. */
const suppressedSeconds = 60 * 24 * 3_600

/** Reports in the same format in which nobody complains (RFC 5965 section 7.3, RFC 6591). */
const noComplaints = ['auth-failure', 'not-spam']

const maxReason = 500

/**
 * Applies a report to the message that it is about: it counts only for recipients of its mail. A report of abuse ends
 * all mail to the one who complains.
 */
export async function applyReport(change: Change, message: Message, report: Report): Promise<void> {
  const { delivery } = message
  if (!delivery) return
  if (report.kind === 'abuse') return complain(change, message, delivery, report)
  if (report.kind !== 'delivery') return
  let next = delivery
  for (const recipient of report.recipients) {
    const address = addressAmong(delivery, [recipient.originalAddress, recipient.address])
    const step = stepOf(recipient)
    if (address === null || step === null) continue
    const former = next
    next = reported(next, step, change.now, new Set([address]))
    const hasBounced = statusAt(next, address) === 'bounced' && statusAt(former, address) !== 'bounced'
    if (hasBounced && isForGood(recipient.status))
      await suppress(change, {
        address,
        reason: 'bounce',
        message_id: message.id,
        expires_at: plusSeconds(change.now, suppressedSeconds),
      })
  }
  change.rows.update(messages, message, { delivery: next }, 'message.delivery_changed')
}

async function complain(
  change: Change,
  message: Message,
  { recipients }: Delivery,
  report: Report & { kind: 'abuse' },
): Promise<void> {
  if (report.feedbackType !== null && noComplaints.includes(report.feedbackType)) return
  const named = new Set(report.recipients.map(canonicalAddress))
  // Without a name, the one recipient of the mail complains. Of several, nobody knows which.
  const complaining =
    named.size === 0 && recipients.length === 1
      ? recipients
      : recipients.filter(({ address }) => named.has(address))
  for (const { address } of complaining)
    await suppress(change, { address, reason: 'complaint', message_id: message.id, expires_at: null })
}

function addressAmong({ recipients }: Delivery, given: (string | null)[]): string | null {
  const addresses = given.flatMap((address) => (address === null ? [] : canonicalAddress(address)))
  return addresses.find((address) => recipients.some((each) => each.address === address)) ?? null
}

const statusAt = ({ recipients }: Delivery, address: string) =>
  recipients.find((each) => each.address === address)!.status

/** The step that a report of one recipient is; null for one that says nothing new, such as a delay. */
function stepOf({ action, status, diagnostic }: ReportedRecipient) {
  if (action === 'failed')
    return {
      status: 'bounced' as const,
      smtp_code: status,
      reason: diagnostic?.slice(0, maxReason).toWellFormed() ?? null,
    }
  return action === 'delivered' ? { status: 'delivered' as const } : null
}

/** Permanent failures, without those of full mailboxes, long mails, and policies, which pass. */
const isForGood = (status: string | null): boolean =>
  status !== null && /^5\./.test(status) && !/^5\.(2\.[23]|3\.4|7\.\d+)$/.test(status)
