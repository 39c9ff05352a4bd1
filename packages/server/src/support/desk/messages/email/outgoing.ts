import { randomBytes } from 'node:crypto'
import { filesIn } from '../../../../platform/kernel/html-images.ts'
import { typeId } from '../../../../platform/kernel/ids.ts'
import { renderedOrNull } from '../../../../platform/kernel/markdown.ts'
import { publicUrl } from '../../../../platform/kernel/public-url.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { suppressed } from '../../../catalogue/email-suppressions/queries.ts'
import { mailboxes } from '../../../catalogue/mailboxes/entity.ts'
import type { Mailbox } from '../../../catalogue/mailboxes/queries.ts'
import { emailedFileToken } from '../../../files/emailed-tokens.ts'
import { operators } from '../../../team/operators/entity.ts'
import type { Conversation, Participant } from '../../conversations/queries.ts'
import type { Attachment } from '../attachments/queries.ts'
import { messages } from '../entity.ts'
import { htmlOf } from '../html.ts'
import type { Message } from '../queries.ts'
import { renderText } from '../rendering.ts'
import { type Delivery, type RecipientDelivery, recipientKinds, statusOfAll } from './delivery.ts'
import { afterAddressing } from './joining.ts'
import type { NewEmail } from './new-email.ts'
import {
  insertContents,
  insertOutgoing,
  insertReferences,
  lastMail,
  type MessageEmail,
  type OutgoingFile,
} from './queries.ts'
import { type Recipients, recipientsOf } from './recipients.ts'
import { type FileLink, mailHtml, mailText } from './texts.ts'

/** True for a message that goes out by mail, because its conversation has a mailbox. */
export const goesByMail = (
  { mailbox_id }: Pick<Conversation, 'mailbox_id'>,
  { visibility, author_side, email }: Message,
): boolean => mailbox_id !== null && visibility === 'public' && author_side !== 'end_user' && email === null

/** The due job that sends the mail of a message. */
export const sendEmail = 'send_email'

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
  const participants = await afterAddressing(change, conversation, given)
  const mailbox = await change.rows.find(mailboxes, conversation.mailbox_id!)
  if (!mailbox || mailbox.archived) return { message, participants }
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
    automatic: message.author_side === 'system' ? 'generated' : null,
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
  const delivery = await deliveryOf(change, recipients)
  if (mailbox.outbound === 'smtp' && delivery.recipients.length > 0) {
    change.effects.writeBatched(insertOutgoing, {
      message_id: message.id,
      mailbox_id: mailbox.id,
      mail_from: replyTo,
      files,
    })
    change.jobs.schedule(sendEmail, message.id, change.now)
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

/** 128 bits that nobody can guess, at the domain of the mailbox. */
const newMessageId = ({ address }: Mailbox): string =>
  `<${randomBytes(16).toString('hex')}@${address.slice(address.lastIndexOf('@') + 1)}>`

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

/** Files go with the mail while there is room, and as links otherwise. */
function filesOf(
  change: Change,
  { attachments, body_html }: Message,
  { attach_max_bytes }: Mailbox,
): OutgoingFile[] {
  const shown = new Set(body_html === null ? [] : filesIn(body_html))
  let room = attach_max_bytes
  return (attachments ?? []).map(({ file_id, filename, content_type, size_bytes }: Attachment) => {
    const fits = size_bytes <= room
    if (fits) room -= size_bytes
    const url = fits ? null : linkTo(change, file_id)
    return {
      file_id,
      filename,
      content_type,
      size_bytes,
      url,
      inline: fits && shown.has(typeId('file', file_id)),
    }
  })
}

const linkTo = ({ ctx, tenantId, now }: Change, fileId: string): string =>
  publicUrl(`/v1/emailed_files/${emailedFileToken(ctx.services.secretBox, tenantId, fileId, now)}`)

/** The identifier of a file that the HTML of a mail shows. */
export const contentIdOf = (fileId: string): string => `${typeId('file', fileId)}@backline`

async function storeTexts(
  change: Change,
  conversation: Conversation,
  message: Message & { email: MessageEmail },
  mailbox: Mailbox,
  files: OutgoingFile[],
): Promise<void> {
  const operator =
    message.operator_id === null ? null : await change.rows.find(operators, message.operator_id)
  const signature =
    mailbox.signature === null ? null : await renderText(change, mailbox.signature, conversation, operator)
  const signatureHtml =
    signature === null ? null : await renderedOrNull(change.ctx, signature, (src) => !src.startsWith('file:'))
  const links = files.flatMap(({ filename, size_bytes, url }): FileLink[] =>
    url === null ? [] : [{ name: filename, url, sizeBytes: size_bytes }],
  )
  const linked = new Map(files.map(({ file_id, url }) => [typeId('file', file_id), url]))
  const bodyHtml = htmlOf(message, (id) => linked.get(id) ?? `cid:${id}@backline`) ?? ''
  const quotation = { quoted: null, attribution: null }
  change.effects.writeBatched(insertContents, {
    message_id: message.id,
    headers: headersOf(message.email),
    text: mailText({ body: message.body, signature, ...quotation, links }),
    html: mailHtml({ bodyHtml, signatureHtml, quotedHtml: null, attribution: null, links }),
  })
}

/** The headers for readers; the mail itself is made of the same members when it is sent. */
function headersOf(email: MessageEmail): { name: string; value: string }[] {
  const list = (addresses: MessageEmail['to']) =>
    addresses.map(({ address, name }) => (name ? `${name} <${address}>` : address)).join(', ')
  const all: [string, string | null][] = [
    ['From', list(email.from ? [email.from] : [])],
    ['To', list(email.to)],
    ['Cc', list(email.cc)],
    ['Reply-To', list(email.reply_to)],
    ['Subject', email.subject],
    ['Message-ID', email.header_message_id],
    ['In-Reply-To', email.in_reply_to],
    ['References', email.references.join(' ')],
    ['Auto-Submitted', email.automatic === 'generated' ? 'auto-generated' : null],
  ]
  return all.flatMap(([name, value]) => (value ? [{ name, value }] : []))
}

/** The delivery of a new mail: suppressed recipients have failed already. */
async function deliveryOf(change: Change, recipients: Recipients): Promise<Delivery> {
  const addresses = recipientKinds.flatMap((kind) =>
    recipients[kind].map(({ address }) => ({ kind, address })),
  )
  const refused = new Set(
    await suppressed(
      change.db,
      change.tenantId,
      addresses.map(({ address }) => address),
      change.now,
    ),
  )
  const each = addresses.map(
    ({ kind, address }): RecipientDelivery => ({
      address,
      kind,
      status: refused.has(address) ? 'failed' : 'queued',
      reason: refused.has(address) ? 'suppressed' : null,
      smtp_code: null,
      at: change.now,
    }),
  )
  return { status: statusOfAll(each), recipients: each, attempts: 0, next_attempt_at: null }
}
