import { crud } from '../../../platform/resource/crud.ts'
import { createMailbox, deleteMailbox, updateMailbox } from './actions.ts'
import { mailboxOrders, mailboxTable } from './queries.ts'
import { MailboxPatch, mailboxExample, mailboxWire, NewMailbox } from './schema.ts'

export const routes = crud({
  path: '/mailboxes',
  family: 'mailboxes',
  prefix: 'mbx',
  noun: 'mailbox',
  plural: 'mailboxes',
  wire: mailboxWire,
  table: mailboxTable,
  orders: mailboxOrders,
  create: {
    description:
      'Creates a mailbox for mail to its address and aliases. Each of these leads to one mailbox of the environment: 409 names the mailbox that has it, also an archived one.',
    body: NewMailbox,
    example: {
      address: mailboxExample.address,
      aliases: mailboxExample.aliases,
      from_name: mailboxExample.from_name,
      outbound: 'smtp',
      smtp: {
        host: 'smtp.example.com',
        port: 465,
        security: 'tls',
        username: 'support',
        password: 'k3-Rt0nq',
      },
      trusted_authserv_ids: mailboxExample.trusted_authserv_ids,
      auto_reply: { template_id: mailboxExample.auto_reply.template_id },
    },
    handle: createMailbox,
  },
  list: { description: 'Lists the mailboxes of the environment, without their passwords.' },
  read: { description: 'Returns a mailbox without its password.' },
  update: {
    description:
      'Lists are replaced as a whole; `smtp`, `auto_reply` and `metadata` are merged. A change of `smtp` clears `verified_at`, also one of the password alone. An archived mailbox takes and sends nothing, and keeps its addresses.',
    body: MailboxPatch,
    example: { smtp: { port: 587, security: 'starttls' } },
    replyExample: {
      ...mailboxExample,
      smtp: { ...mailboxExample.smtp, port: 587, security: 'starttls' },
      version: 2,
    },
    handle: (change, patch, id) => updateMailbox(change, id, patch),
  },
  remove: {
    description: 'Deletes the mailbox with its password. Its addresses can then be those of another one.',
    handle: deleteMailbox,
  },
})
