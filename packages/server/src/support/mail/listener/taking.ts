import type { Readable } from 'node:stream'
import type { Environment } from '../../../platform/kernel/environment.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { transact } from '../../../platform/unit-of-work/transact.ts'
import { actingFor } from '../acting.ts'
import { takeEmail } from '../inbound-emails/actions.ts'
import { type ReceivedEmail, receiveEmail } from '../inbound-emails/receiving.ts'
import type { MailEnvelope } from '../smtp/listening.ts'
import { TakenInPart } from '../smtp/taking.ts'
import { environmentsOf, type FoundMailbox } from './queries.ts'

type Envelope = MailEnvelope<FoundMailbox>

/**
 * Stores a mail as a request does: once in each environment that has recipients, one transaction each. An environment
 * learns nothing of the recipients in others.
 * @throws TakenInPart if some of these transactions failed
 */
export async function takeMail(
  { db, context }: { db: Db; context(env: Environment): Ctx },
  { protocol, mailFrom, rcpt }: Envelope,
  bytes: Readable,
): Promise<'stored'> {
  const received = await receiveEmail(bytes)
  try {
    const byEnvironment = Map.groupBy(rcpt, ({ mailbox }) => mailbox.tenantId)
    // Read now, because a clock may have been moved while the mail arrived.
    const environments = await environmentsOf(db, [...byEnvironment.keys()])
    const failures = new Map<Envelope['rcpt'][number], unknown>()
    for (const [tenantId, recipients] of byEnvironment) {
      try {
        const env = environments.find((each) => each.tenantId === tenantId)
        if (!env) throw new Error('The environment of a mailbox is gone')
        await store(context(env), received, protocol, mailFrom, recipients)
      } catch (error) {
        for (const recipient of recipients) failures.set(recipient, error)
      }
    }
    if (failures.size > 0) throw new TakenInPart(failures)
    return 'stored'
  } finally {
    await received.discard()
  }
}

async function store(
  ctx: Ctx,
  received: ReceivedEmail,
  source: Envelope['protocol'],
  mailFrom: string,
  recipients: Envelope['rcpt'],
): Promise<void> {
  const { mailboxId } = recipients[0]!.mailbox
  const ofThis = { ...received } // each environment has bytes of its own
  const rcptTo = recipients.map(({ address }) => address)
  await transact(actingFor(ctx, mailboxId), (change) =>
    takeEmail(change, ofThis, { source, mailboxId, mailFrom, rcptTo }),
  )
}
