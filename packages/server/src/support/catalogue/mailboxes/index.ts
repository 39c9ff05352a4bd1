import { defineResource } from '../../../platform/resource/resource.ts'
import { mailboxes } from './entity.ts'
import { mailboxReactions } from './reactions.ts'
import { routes } from './routes.ts'
import { mailboxExample } from './schema.ts'

const event = (verb: string, description: string) => ({
  type: `mailbox.${verb}`,
  description,
  example: mailboxExample,
})

export default defineResource({
  name: 'mailboxes',
  title: 'Mailboxes',
  group: { title: 'E-mail', place: 38 },
  // A relay's password goes to the host in `smtp`, and a trusted authserv-id decides whose mail is believed.
  scopes: { family: 'mailboxes', roles: { agent: 'read', lead: 'read' } },
  description: 'The e-mail addresses of your team, and how their mail is received and sent.',
  routes,
  sealed: [{ table: 'mailboxes', columns: ['smtp_password_sealed'] }],
  entities: [mailboxes],
  reactions: mailboxReactions,
  events: [
    event('created', 'A mailbox was created.'),
    event('updated', 'A mailbox was updated, paused or archived. No event has its password.'),
    event('deleted', 'A mailbox was deleted.'),
  ],
})
