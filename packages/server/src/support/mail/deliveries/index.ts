import { defineResource, write } from '../../../platform/resource/resource.ts'
import { messageExample, messageWire } from '../../desk/messages/schema.ts'
import { reportDelivery, retryDelivery } from './actions.ts'
import { DeliveryReport } from './schema.ts'

const params = { id: 'msg' }
const one = '/messages/{id}/delivery'

export default defineResource({
  name: 'deliveries',
  routes: [
    write({
      method: 'POST',
      path: one,
      name: 'reportMessageDelivery',
      summary: 'Report the delivery of a mail',
      description:
        'Says what has become of the mail of a message, for all recipients or one: it was sent by your software, or your provider reports it. Each recipient only moves forward: from `queued` to `sent`, `delivered` and `bounced`, or to `failed`. What is behind its status changes nothing. 409 `invalid_transition` for a message without a mail that was to be sent.',
      documentedUnder: 'messages',
      scope: 'messages:write',
      params,
      errors: ['invalid_transition'],
      body: DeliveryReport,
      bodyExample: { status: 'bounced', reason: 'No such user', smtp_code: '5.1.1' },
      reply: messageWire,
      replyExample: messageExample,
      handle: (change, { params, body }) => reportDelivery(change, params.id, body),
    }),
    write({
      method: 'POST',
      path: `${one}/retry`,
      name: 'retryMessageDelivery',
      summary: 'Send a mail again',
      description:
        'Sends the mail once more to the recipients for which it has failed; those that are suppressed stay failed. A mail that the client sends is `queued` again, and `message.delivery_changed` tells so. 409 `invalid_transition` if none has failed, and once the message is redacted.',
      documentedUnder: 'messages',
      scope: 'messages:write',
      params,
      errors: ['invalid_transition'],
      reply: messageWire,
      replyExample: messageExample,
      handle: (change, { params }) => retryDelivery(change, params.id),
    }),
  ],
  events: [],
})
