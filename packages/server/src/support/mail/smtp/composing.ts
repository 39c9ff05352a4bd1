import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'

export type MailAddress = { address: string; name?: string | null }

export type MailParts = {
  from: MailAddress
  replyTo?: MailAddress | null
  to: MailAddress[]
  cc?: MailAddress[]
  subject: string
  /** With or without angle brackets, as are the following. */
  messageId: string
  inReplyTo?: string | null
  references?: string[]
  date: Date
  /** The value of `Auto-Submitted` (RFC 3834) of a mail that no person wrote; null for one that a person wrote. */
  automatic?: 'auto-replied' | 'auto-generated' | null
  text: string
  /** Null for a mail of text alone. */
  html: string | null
  attachments?: MailAttachment[]
}

export type MailAttachment = {
  filename: string
  contentType: string
  /** The identifier that `cid:` URLs of the HTML name. */
  contentId: string | null
  /** Whether the HTML shows it. */
  inline: boolean
  size?: number | null
  content: () => Promise<Readable>
}

export type ComposedMail = {
  /** An estimate in bytes; null if the size of an attachment is not known. */
  size: number | null
  /** Whether an address of the header needs SMTPUTF8 (RFC 6531). */
  needsUtf8: boolean
  /** Returns the mail (RFC 5322). The bytes are the same at each call; attachments are opened as they are needed. */
  stream(): Readable
}

/**
 * Makes a mail of text and HTML with inline images and files. No input makes a header of its own: control characters
 * become spaces. The recipients are those that readers see; the envelope has all.
 */
export function composeMail(parts: MailParts): ComposedMail {
  const addresses = [parts.from, parts.replyTo ?? [], parts.to, parts.cc ?? []].flat()
  return {
    size: sizeOf(parts),
    needsUtf8: addresses.some(({ address }) => needsUtf8(address)),
    stream: () => new MailComposer(optionsOf(parts)).compile().createReadStream(),
  }
}

type Options = NonNullable<ConstructorParameters<typeof MailComposer>[0]>

function optionsOf(parts: MailParts): Options {
  const messageId = idOf(parts.messageId)
  if (!messageId) throw new Error('A mail needs a valid Message-ID')
  const inReplyTo = idOf(parts.inReplyTo ?? '')
  return {
    from: addressOf(parts.from),
    ...(parts.replyTo && { replyTo: addressOf(parts.replyTo) }),
    to: parts.to.map(addressOf),
    cc: (parts.cc ?? []).map(addressOf),
    subject: lineOf(parts.subject),
    messageId,
    ...(inReplyTo && { inReplyTo }),
    references: (parts.references ?? []).flatMap((id) => idOf(id) ?? []),
    date: parts.date,
    headers: parts.automatic ? { 'Auto-Submitted': parts.automatic, 'X-Auto-Response-Suppress': 'All' } : {},
    text: textOf(parts.text),
    ...(parts.html && { html: textOf(parts.html) }),
    attachments: (parts.attachments ?? []).map(attachmentOf),
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
    // Nobody can put it into a text that is written before the Message-ID is chosen.
    baseBoundary: createHash('sha256').update(messageId).digest('hex').slice(0, 32),
  }
}

function attachmentOf({ filename, contentType, contentId, inline, content }: MailAttachment) {
  const cid = contentId?.replace(/[^\x21-\x7e]|[<>]/g, '')
  return {
    filename: lineOf(filename) || 'attachment',
    contentType: typeOf(contentType),
    contentDisposition: inline ? 'inline' : 'attachment',
    contentTransferEncoding: 'base64',
    ...(cid && { cid }),
    content: Readable.from(bytesOf(content), { objectMode: false }),
  }
}

async function* bytesOf(content: () => Promise<Readable>) {
  yield* await content()
}

/** A line of a header that cannot be folded has at most 998 characters (RFC 5322, section 2.1.1). */
const maxLine = 900

const controls = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

/** The longest name and address. */
const maxName = 320

const lineOf = (text: string, max = maxLine): string =>
  text.slice(0, max).replace(controls, ' ').trim().toWellFormed()

const addressOf = ({ address, name }: MailAddress) => ({
  address: lineOf(address, maxName),
  name: lineOf(name ?? '', maxName),
})

const textOf = (text: string): string =>
  text
    .replaceAll('\0', '')
    .replace(/\r\n?|\n/g, '\r\n')
    .toWellFormed()

/** Returns an identifier in angle brackets; null for one that a header cannot contain. */
function idOf(text: string): string | null {
  const id = text.trim().replace(/^<|>$/g, '')
  return /^[\x21-\x7e]+$/.test(id) && !/[<>]/.test(id) && id.length <= maxLine ? `<${id}>` : null
}

/**
 * Returns a type with its charset. Messages and multipart types become bytes: they would have to be sent without an
 * encoding, whatever they contain (RFC 2046, section 5.2.1).
 */
function typeOf(text: string): string {
  const [, type, charset] =
    /^([\w.+-]{1,100}\/[\w.+-]{1,100})(?:; ?charset="?([\w.:+-]{1,40})"?)?$/.exec(text) ?? []
  if (!type || /^(message|multipart)\//i.test(type)) return 'application/octet-stream'
  return charset ? `${type}; charset=${charset}` : type
}

/** An address needs SMTPUTF8 for its local part; domains are sent in Punycode. */
const needsUtf8 = (address: string): boolean =>
  !/^[\0-\x7f]*$/.test(address.slice(0, address.lastIndexOf('@') + 1))

/** The header without addresses, and the delimiters of a part. */
const headerBytes = 1_500
const partBytes = 400

function sizeOf({ text, html, attachments = [], ...header }: MailParts): number | null {
  const encoded = (bytes: number) => Math.ceil(bytes / 57) * 78 + partBytes // Base64 of 57 bytes is a line
  let size = headerBytes + Buffer.byteLength(JSON.stringify(header)) + encoded(Buffer.byteLength(text))
  if (html) size += encoded(Buffer.byteLength(html))
  for (const attachment of attachments) {
    if (attachment.size === undefined || attachment.size === null) return null
    size += encoded(attachment.size) + attachment.filename.length
  }
  return size
}
