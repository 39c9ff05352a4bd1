import { canonicalAddress } from '../catalogue/mailboxes/addresses.ts'
import type { EmailAddress } from '../desk/messages/email/queries.ts'

/** An address of a mail as it is stored and compared. */
export const emailAddress = ({ address, name }: { address: string; name: string | null }): EmailAddress => ({
  address: canonicalAddress(address),
  name: name || null,
})

export const emailAddresses = (given: { address: string; name: string | null }[]): EmailAddress[] =>
  given.map(emailAddress)
