import type { Change } from '../../../platform/unit-of-work/change.ts'
import { canonicalAddress, withoutToken } from '../../catalogue/mailboxes/addresses.ts'
import { mailboxesOfAddresses } from '../../catalogue/mailboxes/queries.ts'
import {
  type Conversation,
  confirmedIds,
  type Participant,
  participantsOf,
} from '../../desk/conversations/queries.ts'
import { maxParticipants } from '../../desk/conversations/schema.ts'
import type { EmailAddress } from '../../desk/messages/email/queries.ts'
import { endUsers } from '../../people/end-users/entity.ts'
import type { People } from '../../people/senders/people.ts'

type Joining = {
  /** The end user who sent the mail, and the address; null for an operator. */
  sender: { id: string; address: string } | null
  recipients: EmailAddress[]
  /** True if those whom the mail names are confirmed: its sender is proven, and takes part himself. */
  isVouched: boolean
}

/**
 * The participants of a conversation after a mail: its sender and its recipients join. Mailboxes, operators, and those
 * whom the conversation has anyway do not.
 * @returns the participants, and whether some found no room
 */
export async function afterMail(
  change: Change,
  people: People,
  conversation: Conversation,
  { sender, recipients, isVouched }: Joining,
): Promise<{ participants: Participant[]; isFull: boolean }> {
  const present = new Map(participantsOf(conversation).map((each) => [each.id, each]))
  let isFull = false
  const join = (id: string, address: string, source: Participant['source'], confirmed: boolean) => {
    if (id === conversation.end_user.id) return
    const known = present.get(id)
    if (known && (known.confirmed || !confirmed)) return
    if (!known && present.size >= maxParticipants) isFull = true
    else
      present.set(id, known ? { ...known, confirmed } : { id, address, source, confirmed, since: change.now })
  }
  if (sender) join(sender.id, sender.address, 'sender', false)
  const known = await addressesIn(change, conversation)
  const strangers = (await others(change, people, recipients)).filter(
    ({ address }) => address !== sender?.address,
  )
  for (const { address, name } of strangers) {
    const id = (await people.holderOf(address))?.id ?? known.get(address)
    if (id !== undefined) join(id, address, 'recipient', isVouched)
    else if (present.size >= maxParticipants) isFull = true
    else join((await people.claimedAt({ address, name })).id, address, 'recipient', isVouched)
  }
  return { participants: [...present.values()], isFull }
}

/**
 * The addresses of those who are in the conversation. What somebody says of himself whom nobody vouches for does not
 * count: he would be confirmed in place of the person with this address.
 */
export async function addressesIn(change: Change, conversation: Conversation): Promise<Map<string, string>> {
  const addresses = new Map<string, string>()
  const ids = [...confirmedIds(conversation), conversation.end_user.id]
  for (const { id, address } of participantsOf(conversation)) if (address !== null) addresses.set(address, id)
  for (const id of ids) {
    const endUser = id === null ? null : await change.rows.find(endUsers, id)
    for (const { address } of endUser?.emails ?? []) addresses.set(canonicalAddress(address), endUser!.id)
  }
  return addresses
}

/** The recipients who are neither mailboxes nor operators. */
async function others(change: Change, people: People, recipients: EmailAddress[]): Promise<EmailAddress[]> {
  const usable = recipients.filter(({ address }) => isUsable(address)).slice(0, mostRecipients)
  if (usable.length === 0) return []
  const plain = usable.map(({ address }) => withoutToken(address).address)
  const own = new Set(
    (await mailboxesOfAddresses(change.db, change.tenantId, [...new Set(plain)])).map(
      ({ address }) => address,
    ),
  )
  await people.know(usable.map(({ address }) => address))
  const left: EmailAddress[] = []
  for (const [i, each] of usable.entries())
    if (!own.has(plain[i]!) && (await people.operatorIdAt(each.address)) === null) left.push(each)
  return left
}

/** More recipients of a mail are not looked at: a conversation has room for fewer. */
const mostRecipients = 4 * maxParticipants

/** True for an address that a person can have: one `@`, and no longer than RFC 5321 section 4.5.3.1.3 allows. */
export const isUsable = (address: string): boolean =>
  address.length <= 254 && /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]+$/u.test(address)
