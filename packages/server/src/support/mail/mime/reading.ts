import { readFileSync } from 'node:fs'
import { type Address, readAddresses } from './addresses.ts'
import { openAttachments } from './attachments.ts'
import { readBodies } from './bodies.ts'
import type { Warning } from './charsets.ts'
import type { Email, ForwardedMessage } from './email.ts'
import type { RawHeader } from './headers.ts'
import { readDate, readMessageIds } from './identifiers.ts'
import { type Part, readParts } from './parts.ts'
import { readReport } from './report.ts'
import { decodedBytes } from './transfer.ts'
import { decodeWords, toOneLine } from './words.ts'

export type Refused = { refused: 'too_complex' | 'unparseable' }

const maxBytes = 26_214_400
const maxReferences = 100

/**
 * Reads a mail (RFC 5322, MIME). It may take long, so it runs in a worker thread.
 * @param directory for the decoded attachments: empty, or made for the first one
 * @returns `too_complex` for a mail of more than 1,000 parts or 50 levels, `unparseable` for an empty or too long one
 */
export async function readEmail(
  source: { bytes: Uint8Array } | { path: string },
  directory: string,
): Promise<Email | Refused> {
  const bytes = 'bytes' in source ? source.bytes : readFileSync(source.path)
  if (bytes.length === 0 || bytes.length > maxBytes) return { refused: 'unparseable' }
  const mail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const warnings = new Set<Warning>()
  const parts = readParts(mail, warnings)
  if (!parts) return { refused: 'too_complex' }
  if (parts.isTruncated) warnings.add('headers_truncated')
  const files = openAttachments(directory)
  const bodies = readBodies(parts.root, files, warnings)
  const leaves = leavesOf(parts.root)
  return {
    ...readFields(parts.headers, warnings),
    ...bodies,
    attachments: files.attachments,
    report: readReport(parts.headers, parts.root, leaves, warnings),
    forwardedMessage: readForwarded(leaves),
    warnings: [...warnings],
  }
}

/** The parts without parts of their own, in their order. */
const leavesOf = (part: Part): Part[] =>
  part.children.length === 0 ? [part] : part.children.flatMap(leavesOf)

/** Groups headers by their names, so that a lookup does not pass over all of them. */
function indexOf(headers: RawHeader[], warnings: Set<Warning>) {
  const byName = Map.groupBy(headers, ({ name }) => name.toLowerCase())
  const values = (name: string): string[] => (byName.get(name) ?? []).map(({ value }) => value)
  return {
    values,
    addresses: (name: string): Address[] => values(name).flatMap((value) => readAddresses(value, warnings)),
    ids: (name: string): string[] =>
      values(name).flatMap((value) => readMessageIds(decodeWords(value, warnings))),
    subject: (): string | null => {
      const [subject] = values('subject')
      return subject === undefined ? null : toOneLine(decodeWords(subject, warnings))
    },
    date: (): string | null => readDate(values('date')[0] ?? ''),
  }
}

function readFields(headers: RawHeader[], warnings: Set<Warning>) {
  const { values, addresses, ids, subject, date } = indexOf(headers, warnings)
  return {
    headers: headers.map(({ name, value }) => ({ name, value: toOneLine(decodeWords(value, warnings)) })),
    from: addresses('from'),
    fromHeaders: values('from').length,
    sender: addresses('sender'),
    replyTo: addresses('reply-to'),
    to: addresses('to'),
    cc: addresses('cc'),
    subject: subject(),
    date: date(),
    messageId: ids('message-id')[0] ?? null,
    inReplyTo: ids('in-reply-to').slice(0, maxReferences),
    references: ids('references').slice(-maxReferences),
    returnPath: addresses('return-path')[0]?.address ?? null,
    deliveredTo: addresses('delivered-to').map(({ address }) => address),
    xOriginalTo: addresses('x-original-to').map(({ address }) => address),
    receivedCount: values('received').length,
    authenticationResults: values('authentication-results'),
  }
}

/** The first mail that a mail contains. Mails within that one are not read. */
function readForwarded(leaves: Part[]): ForwardedMessage | null {
  const part = leaves.find(({ type }) => /^message\/(rfc822|global)$/.test(type.value))
  if (!part) return null
  const warnings = new Set<Warning>() // those of the mail itself count alone
  const mail = decodedBytes(part.content, part.encoding)
  const parts = readParts(Buffer.from(mail.buffer, mail.byteOffset, mail.byteLength), warnings)
  if (!parts) return null
  const { addresses, subject, date } = indexOf(parts.headers, warnings)
  return {
    from: addresses('from'),
    to: addresses('to'),
    subject: subject(),
    date: date(),
    ...readBodies(parts.root, null, warnings),
  }
}
