import { decodeUnlabelled } from './charsets.ts'

/** A header as it was sent: unfolded and trimmed, its encoded words not decoded. */
export type RawHeader = { name: string; value: string }

export type HeaderBlock = { headers: RawHeader[]; bodyStart: number; isTruncated: boolean }

/** Headers beyond this number of bytes are not read. */
export const maxHeaderBytes = 262_144

const lf = 0x0a
const cr = 0x0d
const space = 0x20
const tab = 0x09
const hyphen = 0x2d
const colon = 0x3a
const maxNameBytes = 256

/** Chooses headers by their names in lower case. The values of others are not read. */
type Wanted = (name: string) => boolean

/**
 * Reads the headers of a mail. An empty line ends them. Lines that are no header are skipped if a header follows, and
 * begin the body otherwise.
 */
export function readHeaders(mail: Buffer, isWanted: Wanted = () => true): HeaderBlock {
  let start = 0
  while (mail[start] === lf || mail[start] === cr) start++
  return read(mail, start, false, isWanted)
}

/** Reads the headers of a part. An empty line, or a line that is no header, ends them. */
export const readPartHeaders = (mail: Buffer, start: number, isWanted: Wanted = () => true): HeaderBlock =>
  read(mail, start, true, isWanted)

function read(mail: Buffer, start: number, isPart: boolean, isWanted: Wanted): HeaderBlock {
  const headers: RawHeader[] = []
  const limit = start + maxHeaderBytes
  let open: { name: string; from: number } | null = null
  let skippedFrom: number | null = null
  let hasHeaders = false
  const close = (end: number) => {
    if (open && isWanted(open.name.toLowerCase()))
      headers.push({ name: open.name, value: unfold(mail.subarray(open.from, Math.min(end, limit))) })
    open = null
  }
  for (let at = start; at < mail.length; ) {
    if (at >= limit) {
      close(at)
      return { headers, bodyStart: isPart ? at : (skippedFrom ?? bodyAfter(mail, at)), isTruncated: true }
    }
    const next = lineAfter(mail, at)
    const nameEnd = endOfName(mail, at, next)
    if (isEmptyLine(mail, at)) {
      close(at)
      return { headers, bodyStart: skippedFrom ?? next, isTruncated: next > limit }
    }
    if (nameEnd !== null) {
      close(at)
      skippedFrom = null
      hasHeaders = true
      open = { name: mail.toString('latin1', at, nameEnd).trimEnd(), from: mail.indexOf(colon, nameEnd) + 1 }
    } else if (!isFolded(mail, at) || (!open && skippedFrom === null)) {
      close(at)
      const isDelimiter = mail[at] === hyphen && mail[at + 1] === hyphen
      const isPostmark = at === start && /^>?From /.test(mail.toString('latin1', at, at + 6)) // of an mbox file
      if (isPart || isDelimiter || (!hasHeaders && !isPostmark))
        return { headers, bodyStart: at, isTruncated: false }
      if (!isPostmark) skippedFrom ??= at
    }
    at = next
  }
  close(mail.length)
  return { headers, bodyStart: skippedFrom ?? mail.length, isTruncated: mail.length > limit }
}

function lineAfter(mail: Buffer, at: number): number {
  const end = mail.indexOf(lf, at)
  return end < 0 ? mail.length : end + 1
}

const isEmptyLine = (mail: Buffer, at: number) => mail[at] === lf || (mail[at] === cr && mail[at + 1] === lf)

const isFolded = (mail: Buffer, at: number) => mail[at] === space || mail[at] === tab

/** The end of a header's name, before white space and the colon; null if the line is no header. */
function endOfName(mail: Buffer, at: number, lineEnd: number): number | null {
  if (mail[at] === hyphen && mail[at + 1] === hyphen) return null // the delimiter of a part
  let end = at
  while (end < lineEnd && isNameByte(mail[end]!) && end - at < maxNameBytes) end++
  if (end === at) return null
  let after = end
  while (after < lineEnd && after - end < maxNameBytes && (mail[after] === space || mail[after] === tab))
    after++
  return mail[after] === colon && after < lineEnd ? end : null
}

const isNameByte = (byte: number) => byte > space && byte < 0x7f && byte !== colon

/** The first byte after an empty line; without one, `at`, so that no text is lost. */
function bodyAfter(mail: Buffer, at: number): number {
  const places = ['\n\n', '\n\r\n']
    .map((empty) => ({ index: mail.indexOf(empty, at - 1), length: empty.length }))
    .filter(({ index }) => index >= 0)
    .map(({ index, length }) => index + length)
  return places.length === 0 ? at : Math.min(...places)
}

/** The text of a header: each line break with the white space after it is one space. */
const unfold = (bytes: Uint8Array): string =>
  decodeUnlabelled(bytes)
    .replace(/\r?\n[ \t]*/g, ' ')
    .replaceAll('\r', ' ')
    .trim()
