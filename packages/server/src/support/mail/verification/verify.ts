import { ApiError } from '../../../platform/kernel/errors.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { canonicalAddress } from '../../catalogue/mailboxes/addresses.ts'
import { mailboxes } from '../../catalogue/mailboxes/entity.ts'
import type { Mailbox } from '../../catalogue/mailboxes/queries.ts'
import { newMessageId } from '../../desk/messages/outgoing/message-id.ts'
import { settingsOf } from '../sending/settings.ts'
import { composeMail } from '../smtp/composing.ts'
import type { Verification as Result } from '../smtp/relays.ts'
import type { Verification, VerificationRequest } from './schema.ts'

/** The test mails of requests whose handlers run again: each sends one mail for each relay. */
const sent = new WeakMap<Ctx, Map<string, Promise<Result>>>()

/** Sends a test mail by the relay of a mailbox. If the relay takes it, the mailbox may send. */
export async function verifyMailbox(
  change: Change,
  id: string,
  { to }: VerificationRequest,
): Promise<Verification> {
  // The lock of `load` would hold up others for the time of the test.
  const mailbox = await change.rows.peek(mailboxes, id)
  if (mailbox.outbound !== 'smtp' || mailbox.archived)
    throw new ApiError('invalid_transition', {
      from: mailbox.archived ? 'archived' : mailbox.outbound,
      action: 'verify',
      allowed: [],
    })
  const tests = sent.get(change.ctx) ?? new Map<string, Promise<Result>>()
  sent.set(change.ctx, tests)
  const relay = JSON.stringify([mailbox.smtp, mailbox.smtp_password_sealed])
  const test = tests.get(relay) ?? testMail(change.ctx, mailbox, canonicalAddress(to))
  tests.set(relay, test)
  const { ok, ...result } = await test
  const verified = ok ? change.rows.update(mailboxes, mailbox, { verified_at: change.now }) : mailbox
  return { ok, ...result, verified_at: verified.verified_at }
}

async function testMail({ services, now }: Ctx, mailbox: Mailbox, to: string): Promise<Result> {
  const { address } = mailbox
  const mail = composeMail({
    from: { address },
    to: [{ address: to }],
    subject: `Test mail from ${address}`,
    messageId: newMessageId(mailbox),
    date: new Date(now()),
    automatic: 'auto-generated',
    text: `This mail shows that ${address} can send mail. You need not answer it.`,
    html: null,
  })
  return services.mail
    .relays()
    .verify(
      await settingsOf(mailbox, services.secretBox),
      { from: address, to, content: async () => mail.stream() },
      AbortSignal.timeout(25_000),
    )
}
