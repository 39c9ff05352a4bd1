import type { Db } from '../../../platform/postgres/database.ts'
import { withoutToken } from '../../catalogue/mailboxes/addresses.ts'
import { mailboxIdIn } from '../inbound-emails/mailbox-at.ts'
import { type FoundMailbox, mailboxesAtAddress, mailboxesWithId } from './queries.ts'

/**
 * Finds the mailbox of a recipient among those of all environments: by its id in front of the @, else by its address.
 * A local part with the form of an id is never looked up as an address, so that nobody takes the mail of another
 * environment by an address that looks like the id of its mailbox.
 */
export async function mailboxOfRecipient(
  db: Db,
  recipient: string,
): Promise<{ ok: FoundMailbox } | 'unknown' | 'ambiguous'> {
  const { address, token } = withoutToken(recipient)
  const id = mailboxIdIn(address)
  const found =
    id === null ? await mailboxesAtAddress(db, address, token !== null) : await mailboxesWithId(db, id)
  const [mailbox, another] = found
  if (!mailbox) return 'unknown'
  return another ? 'ambiguous' : { ok: mailbox }
}
