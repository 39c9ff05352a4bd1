import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { withoutToken } from '../../catalogue/mailboxes/addresses.ts'
import { type Mailbox, mailboxesOfAddresses, mailboxTable } from '../../catalogue/mailboxes/queries.ts'

/** More addresses are not looked at. */
const mostAddresses = 200

/** The mailbox whose id is the local part of an address without a token; null for other addresses. */
export const mailboxIdIn = (address: string): string | null =>
  uuidOf('mbx', address.slice(0, address.lastIndexOf('@')))

/** The mailbox of the first of these addresses that is one of a mailbox. */
export async function mailboxAt(db: Db, tenantId: string, addresses: string[]): Promise<Mailbox | null> {
  const parts = addresses.map(withoutToken)
  const asked = [...new Set(parts.map(({ address }) => address))]
  if (asked.length === 0) return null
  const found = await mailboxesOfAddresses(db, tenantId, asked)
  const ids = new Map(found.map(({ address, mailbox_id }) => [address, mailbox_id]))
  for (const { address, token } of parts) {
    const id = ids.get(address)
    const mailbox = id ? await mailboxTable.find(db, tenantId, id) : null
    if (mailbox && !mailbox.archived && (token === null || mailbox.plus_addressing)) return mailbox
  }
  return null
}

type Addressed = {
  deliveredTo: string[]
  xOriginalTo: string[]
  to: { address: string }[]
  cc: { address: string }[]
}

/** The addresses that can name the mailbox of a mail, the best first. */
export const addressesOf = (rcptTo: string[], { deliveredTo, xOriginalTo, to, cc }: Addressed): string[] =>
  [...rcptTo, ...deliveredTo, ...xOriginalTo, ...[...to, ...cc].map(({ address }) => address)].slice(
    0,
    mostAddresses,
  )
