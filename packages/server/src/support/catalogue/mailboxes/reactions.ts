import { on } from '../../../platform/resource/resource.ts'
import { mailboxes } from './entity.ts'
import { deleteAddresses, insertAddresses, type Mailbox } from './queries.ts'

const addressesOf = (mailbox: Mailbox | null): Set<string> =>
  new Set(mailbox ? [mailbox.address, ...mailbox.aliases] : [])

/** Writes the rows that make addresses unique and find mailboxes by them. */
export const mailboxReactions = [
  on(mailboxes, (change, before, after) => {
    const mailbox_id = (after ?? before)!.id
    const [former, present] = [addressesOf(before), addressesOf(after)]
    for (const address of former.difference(present))
      change.effects.writeBatched(deleteAddresses, { address, mailbox_id })
    for (const address of present.difference(former))
      change.effects.writeBatched(insertAddresses, { address, mailbox_id })
  }),
]
