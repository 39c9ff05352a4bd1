import { randomBytes } from 'node:crypto'
import type { Mailbox } from '../../../catalogue/mailboxes/queries.ts'

/** 128 bits that nobody can guess, at the domain of the mailbox. */
export const newMessageId = ({ address }: Pick<Mailbox, 'address'>): string =>
  `<${randomBytes(16).toString('hex')}@${address.slice(address.lastIndexOf('@') + 1)}>`
