import { newUuid, typeId } from '../../../platform/kernel/ids.ts'
import type { EmailAddress } from '../../desk/messages/email/queries.ts'
import { emailAddresses } from '../addresses.ts'
import type { Attachment, Email } from '../mime/email.ts'
import { readEmail } from '../mime/reading.ts'
import { type Forward, forwardOf } from '../text/forward.ts'
import { markdownOf } from '../text/markdown.ts'
import { safeHtml } from '../text/safe-html.ts'
import { splitHtml, splitText } from '../text/splitting.ts'

/** A file of a mail, with the UUID that it gets here. */
export type NewFile = Attachment & { fileId: string }

/** A text, and the quoted history that was cut off its end. */
export type Text = { body: string; body_format: 'text' | 'markdown'; quoted: string | null }

type Addressed = 'from' | 'sender' | 'replyTo' | 'to' | 'cc'

/** The contents of a mail. The texts are those of the message that it becomes. */
export type Digest = Omit<Email, 'attachments' | 'forwardedMessage' | Addressed> &
  Record<Addressed, EmailAddress[]> & {
    message: Text
    /** The mail that it forwards; null for others. */
    forward: Forward | null
    files: NewFile[]
  }

/** A mail to be read. Its files are written to the directory, which is made for the first one. */
export type Unread = { source: { bytes: Uint8Array } | { path: string }; directory: string }

/** Reads mails, in a worker thread. */
export async function digestEmails(mails: Unread[]): Promise<Awaited<ReturnType<typeof digestEmail>>[]> {
  const all = []
  for (const each of mails) all.push(await digestEmail(each))
  return all
}

/** Reads a mail, in a worker thread. */
export async function digestEmail({
  source,
  directory,
}: Unread): Promise<Digest | { refused: 'too_complex' | 'unparseable' }> {
  const email = await readEmail(source, directory)
  if ('refused' in email) return email
  const { attachments, forwardedMessage, ...rest } = email
  const files = attachments.map((each) => ({ ...each, fileId: newUuid(Date.now()) }))
  const byContentId = new Map(files.flatMap((each) => (each.contentId ? [[each.contentId, each]] : [])))
  const shown = (cid: string) => {
    const file = byContentId.get(cid)
    return file ? `file:${typeId('file', file.fileId)}` : null
  }
  return {
    ...rest,
    from: emailAddresses(rest.from),
    sender: emailAddresses(rest.sender),
    replyTo: emailAddresses(rest.replyTo),
    to: emailAddresses(rest.to),
    cc: emailAddresses(rest.cc),
    html: email.html === null ? null : safeHtml(email.html, shown),
    message: messageOf(email, shown),
    forward: forwardedMessage
      ? ofAttached(forwardedMessage, messageOf(rest, shown).body)
      : forwardOf(email.text ?? '', email.html, shown),
    files,
  }
}

/** The HTML as Markdown; the text where there is no HTML or it shows nothing. */
function messageOf(
  { html, text }: Pick<Email, 'html' | 'text'>,
  imageOf: (cid: string) => string | null,
): Text {
  if (html !== null) {
    const split = splitHtml(html)
    const body = markdownOf(split.html, imageOf)
    if (body !== '') {
      const quoted = split.quotedHtml === null ? null : markdownOf(split.quotedHtml, imageOf)
      return { body, body_format: 'markdown', quoted }
    }
  }
  const { body, quoted } = splitText(text ?? '')
  return { body: body.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd(), body_format: 'text', quoted }
}

function ofAttached(
  { from, subject, date, text, html }: NonNullable<Email['forwardedMessage']>,
  before: string,
): Forward | null {
  const [sender] = from
  if (!sender) return null
  return { before, from: sender, subject, date, original: messageOf({ html, text }, () => null).body }
}
