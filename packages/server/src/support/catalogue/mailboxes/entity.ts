import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { findOwnerOfAddresses, type Mailbox, mailboxTable } from './queries.ts'
import { mailboxWire } from './schema.ts'

const events = ['mailbox.created', 'mailbox.updated', 'mailbox.deleted'] as const

export const mailboxes: Entity<Mailbox, (typeof events)[number]> = {
  type: 'mailbox',
  prefix: declareIds('mailbox', 'mbx'),
  events,
  table: mailboxTable,
  wire: mailboxWire,
  unshown: ['smtp_password_sealed'],
  unique: {
    address: (mailbox, db, tenantId) => findOwnerOfAddresses(db, tenantId, mailbox, [mailbox.address]),
    aliases: (mailbox, db, tenantId) =>
      mailbox.aliases.length === 0 ? null : findOwnerOfAddresses(db, tenantId, mailbox, mailbox.aliases),
  },
}
