import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { canonicalAddress } from '../../../catalogue/mailboxes/addresses.ts'
import { endUsers } from '../../../people/end-users/entity.ts'
import { type Conversation, participantsOf } from '../../conversations/queries.ts'
import type { NewEmail } from '../email/new-email.ts'
import { type EmailAddress, lastWrittenFrom } from '../email/queries.ts'

export type Recipients = Record<'to' | 'cc' | 'bcc', EmailAddress[]>

/**
 * The recipients of a new mail: those that the request names, or else the end user, and the confirmed participants
 * beside them. No address is twice among them.
 */
export async function recipientsOf(
  change: Change,
  conversation: Conversation,
  { to, cc, bcc = [] }: NewEmail,
): Promise<Recipients> {
  const seen = new Set<string>()
  const each = (addresses: EmailAddress[]): EmailAddress[] =>
    addresses.filter(({ address }) => !seen.has(address) && seen.add(address))
  return {
    to: each(to?.map(named) ?? (await endUserOf(change, conversation))),
    cc: each(cc?.map(named) ?? (to ? [] : await participantsAt(change, conversation))),
    bcc: each(bcc.map(named)),
  }
}

const named = (address: string): EmailAddress => ({ address: canonicalAddress(address), name: null })

/** The address from which the end user wrote last in the conversation; the first one, if there is none. */
async function endUserOf(change: Change, { id, end_user }: Conversation): Promise<EmailAddress[]> {
  const endUser = end_user.id === null ? null : await change.rows.find(endUsers, end_user.id)
  if (!endUser) return []
  const last = await lastWrittenFrom(change.db, change.tenantId, id, endUser.id)
  const [proven] = last?.authentication?.basis === 'dmarc' ? last.reply_to : []
  const address = proven?.address ?? last?.from?.address ?? endUser.emails[0]?.address
  return address === undefined ? [] : [{ address: canonicalAddress(address), name: endUser.name }]
}

async function participantsAt(change: Change, conversation: Conversation): Promise<EmailAddress[]> {
  const found: EmailAddress[] = []
  for (const { id, address, confirmed } of participantsOf(conversation)) {
    const endUser = confirmed ? await change.rows.find(endUsers, id) : null
    const at = address ?? endUser?.emails[0]?.address
    if (endUser && at !== undefined) found.push({ address: canonicalAddress(at), name: endUser.name })
  }
  return found
}
