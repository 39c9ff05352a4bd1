import { typeId } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Mailbox } from '../../catalogue/mailboxes/queries.ts'
import { beginConversation, newConversation } from '../../desk/conversations/actions.ts'
import { setCause } from '../../desk/conversations/change-facts.ts'
import { followUpWith } from '../../desk/conversations/follow-up.ts'
import { personOf } from '../../desk/conversations/person.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { saveConversation } from '../../desk/conversations/save.ts'
import {
  checkMessage,
  deliverMessage,
  draftMessage,
  received,
  writeMessage,
} from '../../desk/messages/actions.ts'
import type { Attached } from '../../desk/messages/attachments/attach.ts'
import type { EmailAddress, MessageEmail } from '../../desk/messages/email/queries.ts'
import { insertContents, insertReferences } from '../../desk/messages/email/queries.ts'
import { maxQuoted } from '../../desk/messages/email/schema.ts'
import type { Message } from '../../desk/messages/queries.ts'
import type { WrittenMessage } from '../../desk/messages/schema.ts'
import type { EndUser } from '../../people/end-users/queries.ts'
import { People } from '../../people/senders/people.ts'
import { departments } from '../../team/departments/entity.ts'
import { emailAddress } from '../addresses.ts'
import { applyReport } from '../deliveries/bounces.ts'
import { inboundEmails } from '../inbound-emails/entity.ts'
import type { InboundEmail } from '../inbound-emails/queries.ts'
import { filesOf, type StoredFile } from './attaching.ts'
import { replyAutomatically } from './auto-reply.ts'
import { type Author, authorOf, Ended, type Judged, judge } from './deciding.ts'
import type { Digest, Text } from './digest.ts'
import { addressesIn, afterMail, isUsable } from './participants.ts'
import { presentConversation } from './threading.ts'

export type Prepared = {
  digest: Digest
  stored: StoredFile[]
  dropped: InboundEmail['dropped_attachments']
}

const maxBody = 65_536
const maxSubject = 255

/**
 * Makes the message of a mail, with all that follows from it.
 * @throws Ended if it makes none; Awaited if it must wait for an earlier mail
 */
export async function writeEmail(
  change: Change,
  mailbox: Mailbox,
  email: InboundEmail,
  prepared: Prepared,
): Promise<void> {
  const { digest } = prepared
  const judged = await judge(change, mailbox, email, digest)
  const people = new People(change)
  if (judged.thread && (judged.automatic === 'reply' || judged.automatic === 'generated')) {
    if (await people.isBlocked(judged.from.address)) throw new Ended('ignored', 'blocked', judged)
    return noteAutomatic(change, mailbox, email, prepared, judged)
  }
  const { author, warnings } = await authorOf(people, judged)
  const work = {
    change,
    mailbox,
    email,
    prepared,
    people,
    judged,
    warnings: [...judged.warnings, ...warnings],
  }
  if (judged.thread) return answer(work, author, judged.thread.conversation)
  if (author.kind === 'operator') return forward(work, author.operatorId)
  return begin(work, author.endUser, author.isVerified, digest.message)
}

type Work = {
  change: Change
  mailbox: Mailbox
  email: InboundEmail
  prepared: Prepared
  people: People
  judged: Judged
  warnings: string[]
}

/** A mail that no person wrote moves nothing: it is a note in its conversation, a closed one as well. */
async function noteAutomatic(
  change: Change,
  mailbox: Mailbox,
  email: InboundEmail,
  prepared: Prepared,
  judged: Judged,
): Promise<void> {
  const work = {
    change,
    mailbox,
    email,
    prepared,
    people: new People(change),
    judged,
    warnings: judged.warnings,
  }
  const { conversation } = judged.thread!
  change.startAfter(conversation)
  const input = textOfMail(work, prepared.digest.message)
  const { message } = await deliver(work, conversation, {
    ...input,
    author_side: 'system',
    visibility: 'internal',
  })
  end(work, 'threaded', message, null)
}

async function answer(work: Work, author: Author, conversation: Conversation): Promise<void> {
  const { change, prepared, people, judged, warnings } = work
  const { to, cc } = prepared.digest
  change.startAfter(conversation)
  setCause(change, 'reply')
  const isEndUser = author.kind === 'end_user'
  const { participants, isFull } = await afterMail(change, people, conversation, {
    sender: isEndUser ? { id: author.endUser.id, address: judged.from.address } : null,
    recipients: [...to, ...cc],
    isVouched: isEndUser && vouches(judged, conversation, author.endUser.id),
  })
  if (isFull) warnings.push('participants_dropped')
  const side = isEndUser
    ? { author_side: 'end_user' as const, author_end_user_id: typeId('eu', author.endUser.id) }
    : {
        author_side: 'operator' as const,
        operator_id: typeId('op', author.operatorId),
        visibility: (await isForThem(change, conversation, to, cc))
          ? ('public' as const)
          : ('internal' as const),
      }
  const input = { ...textOfMail(work, prepared.digest.message), ...side }
  const joined = JSON.stringify(participants) !== JSON.stringify(conversation.participants)
  if (conversation.status === 'closed' && input.visibility !== 'internal') {
    // Nothing follows up the conversation of somebody who was erased.
    if (isEndUser && conversation.end_user.is_erased) {
      const alone = { ...work, judged: { ...judged, thread: null } }
      return begin(alone, author.endUser, author.isVerified, prepared.digest.message)
    }
    // Two answers at once begin one conversation: one process works on an environment, and the second waits here.
    await change.lock(`mail_follow_up/${conversation.id}`)
    const known = await presentConversation(change, conversation.id)
    if (known && known.id !== conversation.id) return answer(work, author, known)
    const begun = await followUpWith(
      change,
      { ...conversation, participants },
      { ...input, attached: attachedOf(work) },
    )
    return end(work, 'threaded', begun.message, isEndUser ? author.endUser.id : null)
  }
  const present = joined
    ? await saveConversation(change, conversation, { participants }, 'conversation.updated')
    : conversation
  const { message } = await deliver(work, present, input)
  end(work, 'threaded', message, isEndUser ? author.endUser.id : null)
}

/** A proven mail of somebody who takes part vouches for those whom it names. */
const vouches = ({ authentication }: Judged, conversation: Conversation, senderId: string): boolean =>
  authentication.basis === 'dmarc' &&
  (conversation.end_user.id === senderId ||
    conversation.participants.some(({ id, confirmed }) => id === senderId && confirmed))

/** True if an operator wrote to those in the conversation, and not to other operators alone. */
async function isForThem(
  change: Change,
  conversation: Conversation,
  ...recipients: EmailAddress[][]
): Promise<boolean> {
  const known = await addressesIn(change, conversation)
  return recipients.flat().some(({ address }) => known.has(address))
}

/** An operator who forwards a mail begins a conversation of its sender, with the operator's own words as a note. */
async function forward(work: Work, operatorId: string): Promise<void> {
  const { prepared, people, judged, warnings } = work
  const { forward: found, message } = prepared.digest
  const sender = found?.from.address ? emailAddress({ ...found.from, address: found.from.address }) : null
  if (!found || !sender || !isUsable(sender.address)) {
    warnings.push('forward_unresolved')
    return begin(work, await people.claimedAt(judged.from), false, message)
  }
  const endUser = await people.claimedAt(sender)
  const original = { ...message, body: found.original, quoted: null }
  return begin(work, endUser, false, original, {
    operatorId,
    before: found.before.trim(),
    subject: found.subject,
  })
}

type Forwarded = { operatorId: string; before: string; subject: string | null }

/** Begins a conversation. */
async function begin(
  work: Work,
  endUser: EndUser,
  isVerified: boolean,
  text: Text,
  forwarded: Forwarded | null = null,
): Promise<void> {
  const { change, mailbox, prepared, people, judged, warnings } = work
  const { digest } = prepared
  const department = mailbox.department_id && (await change.rows.find(departments, mailbox.department_id))
  const subject = (forwarded ? (forwarded.subject ?? digest.subject) : digest.subject)?.trim() || null
  const fresh: Conversation = {
    ...newConversation(change),
    end_user: personOf(endUser),
    participants: [],
    custom_fields: [],
    company_id: null,
    mailbox_id: mailbox.id,
    subject: subject && firstCharacters(subject, maxSubject),
    initiated_by_side: 'end_user',
    channel: 'email',
    priority: 'normal',
    language: null,
    external_id: null,
    metadata: {},
    follow_up_of_id: null,
    department_id: department && !department.archived ? department.id : null,
    category_id: null,
    tags: [],
  }
  const joining = forwarded
    ? { participants: [], isFull: false }
    : await afterMail(change, people, fresh, {
        sender: null,
        recipients: [...digest.to, ...digest.cc],
        isVouched: isVerified && judged.authentication.basis === 'dmarc',
      })
  if (joining.isFull) warnings.push('participants_dropped')
  let conversation: Conversation = { ...fresh, participants: joining.participants }
  let note: Message | null = null
  if (forwarded && forwarded.before !== '') {
    note = draftMessage(change, conversation, {
      author_side: 'operator',
      operator_id: forwarded.operatorId,
      visibility: 'internal',
      body: firstCharacters(forwarded.before, maxBody),
      body_format: 'text',
      body_html: null,
      template_id: null,
    })
    conversation = { ...conversation, ...received(conversation, note) }
  }
  const input = { ...textOfMail(work, text), author_side: 'end_user' as const }
  const checked = await checkMessage(
    change,
    conversation,
    { ...input, attached: attachedOf(work) },
    null,
    true,
  )
  const message = draftMessage(change, conversation, checked)
  const begun = await beginConversation(change, { ...conversation, ...received(conversation, message) })
  if (note) writeMessage(change, note)
  const written = writeMessage(change, message)
  const reply = forwarded
    ? null
    : await replyAutomatically(change, mailbox, begun, written, judged, digest, warnings)
  end(work, 'created', written, endUser.id, reply)
}

async function deliver(
  work: Work,
  conversation: Conversation,
  input: WrittenMessage,
): Promise<{ conversation: Conversation; message: Message }> {
  const { change } = work
  const checked = await checkMessage(change, conversation, { ...input, attached: attachedOf(work) })
  return deliverMessage(change, conversation, draftMessage(change, conversation, checked))
}

const attachedOf = ({ change, prepared }: Work): Attached[] => filesOf(change, prepared.stored)

/** The text and the mail of the message. */
function textOfMail(work: Work, { body, body_format, quoted }: Text) {
  const { mailbox, email, prepared, judged, warnings } = work
  const { digest } = prepared
  const short = firstCharacters(body, maxBody)
  if (short !== body) warnings.push('body_truncated')
  const mail: MessageEmail = {
    direction: 'inbound',
    mailbox_id: mailbox.id,
    inbound_email_id: email.id,
    header_message_id: digest.messageId,
    in_reply_to: digest.inReplyTo[0] ?? null,
    references: digest.references,
    from: digest.from[0] ?? null,
    to: digest.to.slice(0, mostAddresses),
    cc: digest.cc.slice(0, mostAddresses),
    bcc: [],
    reply_to: digest.replyTo.slice(0, mostAddresses),
    subject: digest.subject && firstCharacters(digest.subject, mostSubject),
    quoted: quoted && firstCharacters(quoted, maxQuoted),
    automatic: judged.automatic,
    authentication: judged.authentication,
    warnings,
  }
  const answered = judged.thread?.message
  return {
    body: short,
    body_format,
    mail,
    in_reply_to_id:
      answered && answered.conversation_id === judged.thread!.conversation.id
        ? typeId('msg', answered.id)
        : null,
  }
}

const mostAddresses = 1_000
const mostSubject = 998

/** Cuts between characters, not within one. */
const firstCharacters = (text: string, most: number): string =>
  text.length <= most ? text : [...text.slice(0, most + 1)].slice(0, -1).join('').slice(0, most)

/** Records what became of the mail. */
function end(
  { change, email, prepared, judged, warnings }: Work,
  status: 'created' | 'threaded',
  message: Message,
  endUserId: string | null,
  autoReply: InboundEmail['auto_reply'] = null,
): void {
  const { digest, dropped } = prepared
  const { headers, text, html } = digest
  change.effects.writeBatched(insertContents, { message_id: message.id, headers, text, html })
  if (digest.messageId !== null)
    change.effects.writeBatched(insertReferences, {
      reference: digest.messageId,
      message_id: message.id,
      conversation_id: message.conversation_id,
      is_sent: false,
      created_at: change.now,
    })
  change.rows.update(
    inboundEmails,
    email,
    {
      ...headOf(digest),
      status,
      reason: null,
      conversation_id: message.conversation_id,
      message_id: message.id,
      end_user_id: endUserId,
      threaded_by: judged.thread?.by ?? null,
      authentication: judged.authentication,
      automatic: judged.automatic,
      auto_reply: autoReply,
      warnings,
      dropped_attachments: dropped,
    },
    'inbound_email.processed',
  )
}

/** The columns that come from the mail, as it was read whole. */
export const headOf = (digest: Digest): Partial<InboundEmail> => ({
  sender: digest.from[0] ?? null,
  to_addresses: digest.to.slice(0, mostAddresses),
  cc_addresses: digest.cc.slice(0, mostAddresses),
  reply_to: digest.replyTo.slice(0, mostAddresses),
  subject: digest.subject && firstCharacters(digest.subject, mostSubject),
})

/** Records a mail that makes no message, and applies a report. */
export async function endWithout(
  change: Change,
  email: InboundEmail,
  digest: Digest | null,
  { status, reason, judged }: Ended,
): Promise<void> {
  if (status === 'bounce' && judged.thread && digest?.report)
    await applyReport(change, judged.thread.message, digest.report)
  change.rows.update(
    inboundEmails,
    email,
    {
      ...(digest ? headOf(digest) : {}),
      status,
      reason,
      authentication: judged.authentication ?? null,
      automatic: judged.automatic ?? null,
      threaded_by: status === 'bounce' ? null : (judged.thread?.by ?? null),
      conversation_id: judged.thread?.conversation.id ?? null,
      message_id: status === 'bounce' ? (judged.thread?.message.id ?? null) : null,
      warnings: judged.warnings ?? digest?.warnings ?? [],
    },
    'inbound_email.processed',
  )
}
