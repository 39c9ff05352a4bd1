import { randomBytes } from 'node:crypto'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { mailboxes } from '../../../catalogue/mailboxes/entity.ts'
import type { Mailbox } from '../../../catalogue/mailboxes/queries.ts'
import { operators } from '../../../team/operators/entity.ts'
import type { Conversation, Participant } from '../../conversations/queries.ts'
import type { NewEmail } from '../email/new-email.ts'
import { type Automatic, insertReferences, lastMail, type MessageEmail } from '../email/queries.ts'
import { messages } from '../entity.ts'
import type { Message } from '../queries.ts'
import { renderText } from '../rendering.ts'
import { filesOf, storeTexts } from './contents.ts'
import { afterAddressing } from './joining.ts'
import { newMessageId } from './message-id.ts'
import { insertOutgoing } from './queries.ts'
import { queued } from './queued.ts'
import { recipientsOf } from './recipients.ts'

/** True for a message that goes out by mail, because its conversation has a mailbox. */
export const goesByMail = (
  { mailbox_id }: Pick<Conversation, 'mailbox_id'>,
  { visibility, author_side, email }: Message,
): boolean => mailbox_id !== null && visibility === 'public' && author_side !== 'end_user' && email === null

/**
 * Makes the mail of a new message: once, so that later edits change nothing of it. The message has its headers at once;
 * its texts are stored beside it.
 * @param given what the request says of the mail
 */
export async function mailed(
  change: Change,
  conversation: Conversation,
  message: Message,
  given: NewEmail = {},
): Promise<{ message: Message; participants: Participant[] }> {
  const mailbox = await change.rows.find(mailboxes, conversation.mailbox_id!)
  if (!mailbox || mailbox.archived) return { message, participants: conversation.participants }
  const participants = await afterAddressing(change, conversation, given)
  const recipients = await recipientsOf(change, conversation, given)
  const answered = await answeredBy(change, message)
  const token = newToken()
  const replyTo = withToken(mailbox, token)
  const email: MessageEmail = {
    direction: 'outbound',
    mailbox_id: mailbox.id,
    inbound_email_id: null,
    header_message_id: newMessageId(mailbox),
    in_reply_to: answered?.header_message_id ?? null,
    references: referencesOf(answered),
    from: { address: mailbox.address, name: await nameOf(change, conversation, message, mailbox) },
    ...recipients,
    reply_to: [{ address: replyTo, name: null }],
    subject: given.subject ?? subjectOf(conversation),
    quoted: null,
    automatic: message.author_side === 'system' ? kindOf(message, answered) : null,
    authentication: null,
    warnings: [],
  }
  for (const reference of [email.header_message_id!, `+${token}`])
    change.effects.writeBatched(insertReferences, {
      reference,
      message_id: message.id,
      conversation_id: conversation.id,
      is_sent: true,
      created_at: change.now,
    })
  const files = filesOf(change, message, mailbox)
  await storeTexts(change, conversation, { ...message, email }, mailbox, files)
  if (given.send === false) return { message: { ...message, email }, participants }
  const delivery = await queued(change, mailbox, message, recipients)
  if (mailbox.outbound === 'smtp' && delivery.recipients.length > 0) {
    const isQueued = delivery.recipients.some(({ status }) => status === 'queued')
    change.effects.writeBatched(insertOutgoing, {
      message_id: message.id,
      mailbox_id: mailbox.id,
      mail_from: replyTo,
      files,
      due_at: isQueued ? change.now : null,
    })
    change.effects.afterCommit(change.ctx.services.mail.wakeSender)
  }
  return { message: { ...message, email, delivery }, participants }
}

/** The mail that a message answers: that of the message which it names, or else the last one of the conversation. */
async function answeredBy(
  { db, tenantId, rows }: Change,
  { in_reply_to_id, conversation_id }: Message,
): Promise<MessageEmail | null> {
  const named = in_reply_to_id === null ? null : await rows.find(messages, in_reply_to_id)
  return named?.email?.header_message_id ? named.email : lastMail(db, tenantId, conversation_id)
}

/** A mail of the system answers a mail, or comes by itself (RFC 3834 section 5). */
const kindOf = ({ in_reply_to_id }: Message, answered: MessageEmail | null): Automatic =>
  in_reply_to_id !== null && answered?.direction === 'inbound' ? 'reply' : 'generated'

const tokenCharacters = '0123456789abcdefghjkmnpqrstvwxyz'

/** 100 bits that nobody can guess, in characters without regard to case. */
const newToken = (): string => Array.from(randomBytes(20), (byte) => tokenCharacters[byte % 32]).join('')

/** RFC 5321 section 4.5.3.1.1. */
const maxLocalPart = 64

/** The address of a mailbox by which an answer finds its conversation; without a token if there is no room for one. */
function withToken({ address, plus_addressing }: Mailbox, token: string): string {
  const at = address.lastIndexOf('@')
  const local = `${address.slice(0, at)}+${token}`
  return plus_addressing && local.length <= maxLocalPart ? local + address.slice(at) : address
}

/** The first and the last 20 (RFC 5322 section 3.6.4 asks for all, and servers cut long headers). */
function referencesOf(answered: MessageEmail | null): string[] {
  if (!answered) return []
  const all = [...new Set([...answered.references, answered.header_message_id!])]
  return all.length <= 40 ? all : [...all.slice(0, 20), ...all.slice(-20)]
}

const subjectOf = ({ subject }: Conversation): string =>
  subject === null ? '' : /^re:/i.test(subject) ? subject : `Re: ${subject}`

async function nameOf(
  change: Change,
  conversation: Conversation,
  { operator_id }: Message,
  { from_name }: Mailbox,
): Promise<string | null> {
  if (from_name === null) return null
  const operator = operator_id === null ? null : await change.rows.find(operators, operator_id)
  const name = await renderText(change, from_name, conversation, operator)
  return name.replace(/\s+/g, ' ').trim().slice(0, 200) || null
}
