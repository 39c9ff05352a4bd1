import { toUnixMs } from '../../../platform/kernel/clock.ts'
import { firstUuidAt } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Mailbox } from '../../catalogue/mailboxes/queries.ts'
import type { Authentication, Automatic, EmailAddress } from '../../desk/messages/email/queries.ts'
import type { EndUser } from '../../people/end-users/queries.ts'
import type { People } from '../../people/senders/people.ts'
import { authenticationOf } from '../inbound/authentication.ts'
import { automaticOf } from '../inbound/automatic.ts'
import { type InboundEmail, isReused } from '../inbound-emails/queries.ts'
import type { Reason } from '../inbound-emails/schema.ts'
import type { Digest } from './digest.ts'
import { isUsable } from './participants.ts'
import { countMessagesFrom, findReferences } from './queries.ts'
import { sentMessageOf, type Thread, threadOf } from './threading.ts'

/** The sender of a mail, and what it continues. */
export type Judged = {
  /** The address of the sender, canonical. */
  from: EmailAddress
  authentication: Authentication
  automatic: Automatic | null
  thread: Thread | null
  warnings: string[]
}

export type Author =
  | { kind: 'operator'; operatorId: string }
  | { kind: 'end_user'; endUser: EndUser; isVerified: boolean }

/** A mail that makes no message; `reason` is null for a report about a mail that was sent. */
export class Ended extends Error {
  override name = 'Ended'
  readonly status: 'ignored' | 'failed' | 'bounce'
  readonly reason: Reason | null
  readonly judged: Partial<Judged>
  constructor(status: Ended['status'], reason: Reason | null, judged: Partial<Judged> = {}) {
    super(reason ?? status)
    this.status = status
    this.reason = reason
    this.judged = judged
  }
}

const mostHops = 100
const hourMs = 3_600_000

/**
 * Judges a mail: whose it is, whether a person wrote it, and what it continues.
 * @throws Ended if it makes no message; Awaited
 */
export async function judge(
  change: Change,
  mailbox: Mailbox,
  email: InboundEmail,
  digest: Digest,
): Promise<Judged> {
  if (digest.receivedCount > mostHops) throw new Ended('ignored', 'too_many_hops')
  if (await isOwn(change, digest)) throw new Ended('ignored', 'own_message')
  const { report } = digest
  if (report?.kind === 'delivery' || report?.kind === 'abuse') {
    const thread = await sentMessageOf(change, email, digest, report.originalMessageIds)
    throw new Ended('bounce', null, { thread, warnings: digest.warnings })
  }
  const [shown] = digest.from
  if (!shown || !isUsable(shown.address)) throw new Ended('failed', 'no_sender')
  const automatic = automaticOf({ ...digest, returnPath: email.mail_from ?? digest.returnPath })
  const from = senderOf(mailbox, digest, shown)
  const { thread, hasWrongToken } = await threadOf(change, email, digest)
  const authentication = authenticationOf(digest, mailbox.trusted_authserv_ids)
  const judged = {
    from,
    automatic,
    thread,
    authentication: from === shown ? proven(authentication, thread, from) : unproven(authentication),
    warnings: [
      ...digest.warnings,
      ...(hasWrongToken ? ['token_invalid'] : []),
      ...(email.header_message_id !== null && (await isReused(change.db, change.tenantId, email))
        ? ['message_id_reused']
        : []),
    ],
  }
  if (automatic === 'reply' && !thread) throw new Ended('ignored', 'automatic_reply', judged)
  const { db, tenantId, ctx } = change
  const most = ctx.services.mail.perAddressPerHour
  const sinceId = firstUuidAt(toUnixMs(change.now) - hourMs)
  if (
    most > 0 &&
    (await countMessagesFrom(db, tenantId, { address: from.address, sinceId, atMost: most })) >= most
  )
    throw new Ended('ignored', 'loop_limit', judged)
  return judged
}

/** A mail that this server or the client sent has come back. */
async function isOwn({ db, tenantId }: Change, { messageId }: Digest): Promise<boolean> {
  if (messageId === null) return false
  return (await findReferences(db, tenantId, [messageId])).some(({ is_sent }) => is_sent)
}

/** Form mailers write in their own name, and put the sender into `Reply-To`. */
function senderOf({ reply_to_senders }: Mailbox, { replyTo }: Digest, shown: EmailAddress): EmailAddress {
  const [named] = replyTo
  return named && reply_to_senders.includes(shown.address) && isUsable(named.address) ? named : shown
}

/** A mail that answers one that was sent to its very sender is from whoever reads that address. */
function proven(
  authentication: Authentication,
  thread: Thread | null,
  { address }: EmailAddress,
): Authentication {
  if (authentication.verified || !thread?.isAnswer) return authentication
  const sent = thread.message.email
  const isRecipient = [...(sent?.to ?? []), ...(sent?.cc ?? []), ...(sent?.bcc ?? [])].some(
    (each) => each.address === address,
  )
  return isRecipient ? { ...authentication, verified: true, basis: 'reply' } : authentication
}

const unproven = (authentication: Authentication): Authentication => ({
  ...authentication,
  verified: false,
  basis: null,
})

/**
 * The operator or end user who wrote a mail.
 * @throws Ended for a blocked end user
 */
export async function authorOf(
  people: People,
  judged: Judged,
): Promise<{ author: Author; warnings: string[] }> {
  const { from, authentication, thread } = judged
  const operatorId = await people.operatorIdAt(from.address)
  if (operatorId !== null && authentication.basis === 'dmarc')
    return { author: { kind: 'operator', operatorId }, warnings: [] }
  const warnings = operatorId === null ? [] : ['operator_unverified']
  const holder = await people.holderOf(from.address)
  if (holder?.blocked_at) throw new Ended('ignored', 'blocked', judged)
  const endUser = !authentication.verified
    ? await people.claimedAt(from)
    : ((await personOf(people, thread, from.address)) ?? (await people.verifiedAt(from)))
  if (endUser.blocked_at) throw new Ended('ignored', 'blocked', judged)
  return { author: { kind: 'end_user', endUser, isVerified: authentication.verified }, warnings }
}

/**
 * The end user of the conversation that a proven mail continues, if the address is one of theirs that nobody else
 * holds: mail that was sent to them there is answered by them.
 */
async function personOf(people: People, thread: Thread | null, address: string): Promise<EndUser | null> {
  if (!thread?.isAnswer || (await people.holderOf(address)) !== null) return null
  const endUser = await people.endUserWithId(thread.conversation.end_user.id)
  return endUser?.emails.some((each) => each.address.toLowerCase() === address) ? endUser : null
}
