import { defineResource, on, write } from '../../../platform/resource/resource.ts'
import { mailboxes } from '../../catalogue/mailboxes/entity.ts'
import { VerificationRequest, verificationExample, verificationWire } from './schema.ts'
import { verifyMailbox } from './verify.ts'

export default defineResource({
  name: 'verification',
  routes: [
    write({
      method: 'POST',
      path: '/mailboxes/{id}/verify',
      name: 'verifyMailbox',
      summary: 'Verify a mailbox',
      description:
        'Sends a test mail by the relay of the mailbox, within 20 seconds. If the relay takes it, `verified_at` is set, and mail that waits is sent. A failure is a response with `ok: false` and the step that failed. 409 `invalid_transition` for a mailbox whose mail the client sends.',
      documentedUnder: 'mailboxes',
      scope: 'mailboxes:write',
      params: { id: 'mbx' },
      errors: ['invalid_transition'],
      body: VerificationRequest,
      bodyExample: { to: 'ada@example.com' },
      reply: verificationWire,
      replyExample: verificationExample,
      versionOf: null,
      handle: (change, { params, body }) => verifyMailbox(change, params.id, body),
    }),
  ],
  // A mailbox that is verified or enabled may have mail that waits.
  reactions: [on(mailboxes, ({ ctx, effects }) => effects.afterCommit(ctx.services.mail.wakeSender))],
  events: [],
})
