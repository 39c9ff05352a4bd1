import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { suppressed } from '../../../catalogue/email-suppressions/queries.ts'
import type { Mailbox } from '../../../catalogue/mailboxes/queries.ts'
import { files } from '../../../files/entity.ts'
import { type Delivery, type RecipientDelivery, recipientKinds, statusOfAll } from '../email/delivery.ts'
import type { Message } from '../queries.ts'
import { countAutomaticMail, limitedAddresses } from './automatic.ts'
import type { Recipients } from './recipients.ts'

/** The delivery of a new mail. Suppressed recipients, and those of too many automatic mails, have failed already. */
export async function queued(
  change: Change,
  mailbox: Mailbox,
  message: Message,
  recipients: Recipients,
): Promise<Delivery> {
  const all = recipientKinds.flatMap((kind) => recipients[kind].map(({ address }) => ({ kind, address })))
  const addresses = all.map(({ address }) => address)
  const refused = new Set(await suppressed(change.db, change.tenantId, addresses, change.now))
  const isAutomatic = message.author_side === 'system'
  const limited = isAutomatic ? await limitedAddresses(change, addresses) : new Set<string>()
  const held = await reasonToWait(change, mailbox, message)
  const each = all.map(({ kind, address }): RecipientDelivery => {
    const reason = refused.has(address) ? 'suppressed' : limited.has(address) ? 'limit' : null
    const status = reason === null ? 'queued' : 'failed'
    return { address, kind, status, reason: reason ?? held, smtp_code: null, at: change.now }
  })
  const sent = each.flatMap(({ address, status }) => (status === 'queued' ? address : []))
  if (isAutomatic) countAutomaticMail(change, message.id, sent)
  return { status: statusOfAll(each), recipients: each, attempts: 0, next_attempt_at: null }
}

/** Why a mail that this server sends waits; null if it does not. */
async function reasonToWait(
  change: Change,
  { outbound, status, verified_at }: Mailbox,
  { attachments }: Message,
): Promise<string | null> {
  if (outbound === 'client') return null
  if (verified_at === null) return 'mailbox_unverified'
  if (status === 'paused') return 'mailbox_paused'
  for (const { file_id } of attachments ?? [])
    if ((await change.rows.find(files, file_id))?.status === 'scanning') return 'file_scanning'
  return null
}
