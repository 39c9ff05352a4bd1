import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { canonicalAddress, withoutToken } from '../../../catalogue/mailboxes/addresses.ts'
import { mailboxesOfAddresses } from '../../../catalogue/mailboxes/queries.ts'
import { People } from '../../../people/senders/people.ts'
import { type Conversation, type Participant, participantsOf } from '../../conversations/queries.ts'
import { maxParticipants } from '../../conversations/schema.ts'
import type { NewEmail } from '../email/new-email.ts'

/**
 * The participants of a conversation after a mail that a request addresses: its recipients are confirmed, except hidden
 * ones, operators and mailboxes.
 */
export async function afterAddressing(
  change: Change,
  conversation: Conversation,
  { to = [], cc = [] }: NewEmail,
): Promise<Participant[]> {
  const present = new Map(participantsOf(conversation).map((each) => [each.id, each]))
  const addresses = [...new Set([...to, ...cc].map(canonicalAddress))]
  if (addresses.length === 0) return [...present.values()]
  const people = new People(change)
  await people.know(addresses)
  const own = await people.endUserWithId(conversation.end_user.id)
  const ownAddresses = new Set(own?.emails.map(({ address }) => canonicalAddress(address)))
  const plain = [...new Set(addresses.map((address) => withoutToken(address).address))]
  const boxes = await mailboxesOfAddresses(change.db, change.tenantId, plain)
  const boxAddresses = new Set(boxes.map(({ address }) => address))
  for (const address of addresses) {
    if (boxAddresses.has(withoutToken(address).address) || ownAddresses.has(address)) continue
    if ((await people.operatorIdAt(address)) !== null) continue
    const known = [...present.values()].find((each) => each.address === address)
    const endUser = known
      ? null
      : ((await people.holderOf(address)) ?? (await people.claimedAt({ address, name: null })))
    const id = known?.id ?? endUser!.id
    if (id === conversation.end_user.id) continue
    const former = present.get(id)
    if (!former && present.size >= maxParticipants) break
    present.set(id, {
      ...(former ?? { id, address, source: 'recipient', since: change.now }),
      confirmed: true,
    })
  }
  return [...present.values()]
}
