import { defineResource, on } from '../../../platform/resource/resource.ts'
import { conversations } from '../../desk/conversations/entity.ts'
import { messages } from '../../desk/messages/entity.ts'
import { endUsers } from '../../people/end-users/entity.ts'
import { inboundEmails } from './entity.ts'
import { followConversation, followMessage, ofConversation, ofMessage } from './erasing.ts'
import { deleteSendersOf } from './queries.ts'
import { routes } from './routes.ts'
import { inboundEmailExample } from './schema.ts'

export default defineResource({
  name: 'inbound-emails',
  title: 'Inbound e-mails',
  group: { title: 'E-mail', place: 40 },
  scopes: { family: 'inbound_emails', roles: { agent: 'read', lead: 'write' } },
  description:
    'Mails that arrived, with what became of each. Nothing is lost: mails that were ignored or have failed are kept, and can be processed again.',
  routes,
  entities: [inboundEmails],
  reactions: [
    on(messages, followMessage),
    on(conversations, followConversation),
    on(endUsers, (change, before, after) => {
      if (!after) change.effects.write(deleteSendersOf(change.tenantId, [before!.id]))
    }),
  ],
  jobs: [ofMessage, ofConversation],
  events: [
    {
      type: 'inbound_email.processed',
      description: 'A mail was processed: `status` tells what became of it.',
      example: inboundEmailExample,
      previous: {
        status: 'received',
        conversation_id: null,
        message_id: null,
        end_user_id: null,
        authentication: null,
      },
    },
  ],
})
