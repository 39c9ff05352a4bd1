import { defineResource, read } from '../../../platform/resource/resource.ts'
import { findContents } from '../../desk/messages/email/queries.ts'
import { messageEmailWire } from './schema.ts'

export default defineResource({
  name: 'message-emails',
  routes: [
    read({
      path: '/messages/{id}/email',
      name: 'getMessageEmail',
      summary: 'Get the mail of a message',
      description:
        'Returns the mail that the message came with, or is sent as, whole: with the history, or the signature, that `body` does not have. 404 for a message without one.',
      documentedUnder: 'messages',
      scope: 'messages:read',
      params: { id: 'msg' },
      reply: messageEmailWire,
      versioned: false,
      handle: ({ db, env }, { params }) => findContents(db, env.tenantId, params.id),
    }),
  ],
  events: [],
})
