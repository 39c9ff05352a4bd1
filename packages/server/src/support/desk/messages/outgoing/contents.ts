import { filesIn } from '../../../../platform/kernel/html-images.ts'
import { typeId } from '../../../../platform/kernel/ids.ts'
import { renderedOrNull } from '../../../../platform/kernel/markdown.ts'
import { publicUrl } from '../../../../platform/kernel/public-url.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import type { Mailbox } from '../../../catalogue/mailboxes/queries.ts'
import { emailedFileToken } from '../../../files/emailed-tokens.ts'
import { endUsers } from '../../../people/end-users/entity.ts'
import { operators } from '../../../team/operators/entity.ts'
import type { Conversation } from '../../conversations/queries.ts'
import type { Attachment } from '../attachments/queries.ts'
import { insertContents, type MessageEmail } from '../email/queries.ts'
import { htmlOf } from '../html.ts'
import type { Message } from '../queries.ts'
import { renderText } from '../rendering.ts'
import { lastPublicMessage, type OutgoingFile } from './queries.ts'
import { type FileLink, mailHtml, mailText } from './texts.ts'

/* The contents of the mail of a message, made when the message is written. */

/** Files go with the mail while there is room, and as links otherwise. */
export function filesOf(
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

/** Stores the texts of a mail beside its message. */
export async function storeTexts(
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
  const quoted = mailbox.quote === 'last' ? await quotationOf(change, conversation) : noQuotation
  change.effects.writeBatched(insertContents, {
    message_id: message.id,
    headers: headersOf(message.email),
    text: mailText({ body: message.body, signature, ...quoted, links }),
    html: mailHtml({ bodyHtml, signatureHtml, ...quoted, links }),
  })
}

type Quotation = { quoted: string | null; quotedHtml: string | null; attribution: string | null }

const noQuotation: Quotation = { quoted: null, quotedHtml: null, attribution: null }

/** The last public message before this one, without its images. */
async function quotationOf(change: Change, { id }: Conversation): Promise<Quotation> {
  const last = await lastPublicMessage(change.db, change.tenantId, id)
  if (!last || last.body === '') return noQuotation
  const { author_end_user_id: endUserId, operator_id: operatorId, created_at } = last
  const author =
    endUserId !== null
      ? await change.rows.find(endUsers, endUserId)
      : operatorId !== null
        ? await change.rows.find(operators, operatorId)
        : null
  const time = `On ${created_at.slice(0, 10)} at ${created_at.slice(11, 16)} UTC`
  return {
    quoted: last.body,
    quotedHtml: htmlOf(last, () => ''),
    attribution: author?.name ? `${time}, ${author.name} wrote:` : `${time}:`,
  }
}

/** The value of `Auto-Submitted` (RFC 3834 section 5) of a mail that is sent; null for one that a person wrote. */
export const autoSubmitted = ({ automatic }: MessageEmail): 'auto-replied' | 'auto-generated' | null =>
  automatic === null ? null : automatic === 'reply' ? 'auto-replied' : 'auto-generated'

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
    ['Auto-Submitted', autoSubmitted(email)],
  ]
  return all.flatMap(([name, value]) => (value ? [{ name, value }] : []))
}
