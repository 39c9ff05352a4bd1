import { toInstant } from '../../../platform/kernel/clock.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { mailboxes } from '../../catalogue/mailboxes/entity.ts'
import type { Mailbox } from '../../catalogue/mailboxes/queries.ts'
import { emailAddress, emailAddresses } from '../addresses.ts'
import { inboundEmails } from './entity.ts'
import { addressesOf, mailboxAt } from './mailbox-at.ts'
import { findByContent, type InboundEmail } from './queries.ts'
import { keepRaw } from './raw.ts'
import type { ReceivedEmail } from './receiving.ts'
import type { EnvelopeQuery } from './schema.ts'

export type Envelope = {
  source: InboundEmail['source']
  /** The mailbox that whoever delivers it has named; null for the one that it is addressed to. */
  mailboxId: string | null
  /** The return path; empty for the null one, null if it is not known. */
  mailFrom: string | null
  rcptTo: string[]
}

/** Takes a mail that a request delivers. */
export async function deliverEmail(
  change: Change,
  received: ReceivedEmail,
  { mailbox_id, mail_from, rcpt_to = [] }: EnvelopeQuery,
): Promise<InboundEmail> {
  const mailbox = mailbox_id === undefined ? null : await mailboxNamed(change, mailbox_id)
  return takeEmail(change, received, {
    source: 'api',
    mailboxId: mailbox?.id ?? null,
    mailFrom: mail_from === undefined ? null : pathOf(mail_from),
    rcptTo: rcpt_to.map(pathOf),
  })
}

/** The address of a path as SMTP writes it (RFC 5321 section 4.1.2): `<>` is empty. */
const pathOf = (path: string): string => /^<(.*)>$/.exec(path)?.[1] ?? path

async function mailboxNamed(change: Change, id: string): Promise<Mailbox> {
  const mailbox = await change.rows.find(mailboxes, uuidOf('mbx', id)!)
  if (mailbox && !mailbox.archived) return mailbox
  const detail = 'must be the id of a mailbox that is not archived'
  throw new ApiError(
    'invalid_query',
    {},
    { errors: [{ parameter: 'mailbox_id', code: 'not_found', detail }] },
  )
}

/**
 * Takes a mail, which is processed in the background. One of the same content, which arrived before, is counted
 * instead.
 */
export async function takeEmail(
  change: Change,
  received: ReceivedEmail,
  { source, mailboxId, mailFrom, rcptTo }: Envelope,
): Promise<InboundEmail> {
  const { head, contentHash, sizeBytes } = received
  const known = await findByContent(change.db, change.tenantId, contentHash)
  if (known) {
    const email = await change.rows.load(inboundEmails, known.id)
    return change.rows.update(inboundEmails, email, { duplicate_count: email.duplicate_count + 1 }, null)
  }
  const place = change.stamp()
  const row: InboundEmail = {
    ...place,
    mailbox_id:
      mailboxId ?? (await mailboxAt(change.db, change.tenantId, addressesOf(rcptTo, head)))?.id ?? null,
    source,
    status: 'received',
    reason: null,
    conversation_id: null,
    message_id: null,
    end_user_id: null,
    header_message_id: head.messageId,
    threaded_by: null,
    sender: head.from && emailAddress(head.from),
    to_addresses: emailAddresses(head.to),
    cc_addresses: emailAddresses(head.cc),
    reply_to: [], // known once it is processed
    subject: head.subject,
    date: head.date === null ? null : toInstant(Date.parse(head.date)),
    mail_from: mailFrom,
    rcpt_to: rcptTo,
    authentication: null,
    automatic: null,
    auto_reply: null,
    warnings: [],
    dropped_attachments: [],
    size_bytes: sizeBytes,
    duplicate_count: 0,
    content_hash: contentHash,
    raw_file_id: await keepRaw(change, place.id, received),
    kept: 'all',
    attempts: 0,
  }
  const created = change.rows.create(inboundEmails, row, null)
  change.repeatIfTaken(created, 'content_hash')
  change.effects.afterCommit(() => change.ctx.services.mail.wake())
  return created
}

/** Lets a mail that was ignored or has failed be processed once more. */
export async function reprocessEmail(
  change: Change,
  id: string,
  mailboxId: string | undefined,
): Promise<InboundEmail> {
  const email = await change.rows.load(inboundEmails, id)
  const references = new References(change)
  const mailbox = await references.to(mailboxes, '/mailbox_id', mailboxId)
  references.check()
  if ((email.status !== 'failed' && email.status !== 'ignored') || email.kept !== 'all')
    throw new ApiError('invalid_transition', { from: email.status, action: 'reprocess', allowed: [] })
  change.effects.afterCommit(() => change.ctx.services.mail.wake())
  const waiting = {
    status: 'received' as const,
    reason: null,
    attempts: 0,
    ...(mailbox ? { mailbox_id: mailbox.id } : {}),
  }
  return change.rows.update(inboundEmails, email, waiting, null)
}
