import type { Address } from './addresses.ts'
import type { Warning } from './charsets.ts'

/** A header, unfolded, its encoded words decoded. */
export type Header = { name: string; value: string }

/**
 * A file of a mail.
 * @property contentType as declared, in lower case
 * @property contentId without angle brackets
 * @property path of the decoded content, in the directory that readEmail was given
 */
export type Attachment = {
  filename: string
  contentType: string
  contentId: string | null
  disposition: 'inline' | 'attachment'
  path: string
  sizeBytes: number
}

/**
 * The report about one recipient (RFC 3464).
 * @property address the final recipient, else the original one
 * @property originalAddress the recipient that the sender of the mail named
 * @property status the enhanced status code, such as 5.1.1
 */
export type ReportedRecipient = {
  address: string
  originalAddress: string | null
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded' | null
  status: string | null
  diagnostic: string | null
}

/**
 * A report about a mail: of its delivery (RFC 3464), of abuse (RFC 5965), or that it was displayed (RFC 8098).
 * @property originalMessageIds of the mail that the report is about: first those of its copy, then those of headers
 * @property originalRecipients of the copy
 * @property recipients those that the report names
 */
export type Report = { originalMessageIds: string[]; originalRecipients: string[] } & (
  | { kind: 'delivery'; recipients: ReportedRecipient[] }
  | { kind: 'abuse'; feedbackType: string | null; recipients: string[] }
  | { kind: 'disposition' }
)

/** A mail that another mail contains. */
export type ForwardedMessage = {
  from: Address[]
  to: Address[]
  subject: string | null
  date: string | null
  text: string | null
  html: string | null
}

/**
 * A mail as readEmail reads it.
 * @property headers those of the first 256 KiB
 * @property from the addresses of all From headers
 * @property fromHeaders the number of From headers
 * @property authenticationResults as sent, the topmost first
 * @property references the last 100
 * @property text the text parts; null without one
 * @property html the HTML parts, and the text parts between them; null without HTML
 * @property forwardedMessage the first mail that this mail contains
 */
export type Email = {
  headers: Header[]
  from: Address[]
  fromHeaders: number
  sender: Address[]
  replyTo: Address[]
  to: Address[]
  cc: Address[]
  subject: string | null
  date: string | null
  messageId: string | null
  inReplyTo: string[]
  references: string[]
  returnPath: string | null
  deliveredTo: string[]
  xOriginalTo: string[]
  receivedCount: number
  authenticationResults: string[]
  text: string | null
  html: string | null
  attachments: Attachment[]
  report: Report | null
  forwardedMessage: ForwardedMessage | null
  warnings: Warning[]
}

/** The first header of a name; null without one. */
export const headerOf = (email: Pick<Email, 'headers'>, name: string): string | null =>
  email.headers.find((header) => header.name.toLowerCase() === name.toLowerCase())?.value ?? null

/** True if there is a header whose name begins with these characters, such as `List-`. */
export const hasHeaderLike = (email: Pick<Email, 'headers'>, start: string): boolean =>
  email.headers.some(({ name }) => name.toLowerCase().startsWith(start.toLowerCase()))
