import type { Warning } from './charsets.ts'
import { type RawHeader, readHeaders, readPartHeaders } from './headers.ts'
import { readStructured, type Structured } from './parameters.ts'
import { type TransferEncoding, transferEncodingOf } from './transfer.ts'
import { toOneLine } from './words.ts'

/**
 * A part of a mail.
 * @property content a view of the mail, encoded as it was sent; of a multipart, the text before its parts
 */
export type Part = {
  type: Structured
  disposition: Structured
  encoding: TransferEncoding
  contentId: string | null
  content: Buffer
  children: Part[]
}

export type Parts = { headers: RawHeader[]; root: Part; isTruncated: boolean }

const maxParts = 1000
const maxLevels = 50

/** RFC 2046 allows 70 characters. */
const maxBoundaryLength = 1000

type OpenMultipart = { part: Part; boundary: string }

/**
 * Divides a mail into its parts (RFC 2046) in one pass over its bytes. Parts are views of the mail and not copies. A
 * delimiter of an outer multipart ends the inner ones, and the end of the mail ends all.
 */
export function readParts(mail: Buffer, warnings: Set<Warning>): Parts | null {
  const { headers, bodyStart, isTruncated } = readHeaders(mail)
  const root = partOf(headers, 'text/plain', warnings)
  const open: OpenMultipart[] = []
  let current: Part | null = null
  let contentStart = 0
  let count = 0
  const begin = (part: Part, start: number) => {
    current = part
    contentStart = start
    const boundary = boundaryOf(part, mail, start)
    if (boundary !== null) open.push({ part, boundary })
  }
  const end = (at: number) => {
    if (current) current.content = mail.subarray(contentStart, Math.max(at, contentStart))
  }
  begin(root, bodyStart)
  for (let at = bodyStart; ; ) {
    const delimiter = findDelimiter(mail, at, open)
    end(delimiter?.start ?? mail.length)
    if (!delimiter) return { headers, root, isTruncated }
    const { level, isLast, next } = delimiter
    open.length = isLast ? level : level + 1
    current = null
    at = next
    if (isLast) continue
    if (++count > maxParts) return null
    const parent = open.at(-1)!.part
    const block = readPartHeaders(mail, next, (name) => name.startsWith('content-'))
    const byDefault = parent.type.value === 'multipart/digest' ? 'message/rfc822' : 'text/plain'
    const part = partOf(block.headers, byDefault, warnings)
    parent.children.push(part)
    begin(part, block.bodyStart)
    if (open.length > maxLevels) return null
    at = block.bodyStart
  }
}

function partOf(headers: RawHeader[], byDefault: string, warnings: Set<Warning>): Part {
  const first = (name: string) => headers.find((header) => header.name.toLowerCase() === name)?.value ?? ''
  const type = readStructured(first('content-type'), warnings)
  const disposition = readStructured(first('content-disposition'), warnings)
  const isFile = disposition.value === 'attachment' || type.parameters.has('name')
  if (!isMediaType(type.value)) type.value = isFile ? 'application/octet-stream' : byDefault
  return {
    type,
    disposition,
    encoding: transferEncodingOf(first('content-transfer-encoding')),
    contentId: contentIdOf(first('content-id')),
    content: Buffer.alloc(0),
    children: [],
  }
}

/** True for names of RFC 6838 section 4.2. */
export const isMediaType = (text: string): boolean =>
  /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/.test(text)

const contentIdOf = (header: string): string | null =>
  toOneLine(header.slice(0, 998)).replace(/^</, '').replace(/>$/, '').trim() || null

export const isMultipart = (part: Part): boolean => part.type.value.startsWith('multipart/')

function boundaryOf(part: Part, mail: Buffer, start: number): string | null {
  if (!isMultipart(part)) return null
  const declared = part.type.parameters.get('boundary')
  // delimiters are compared as latin1, in which each byte is a character
  const boundary = declared ? Buffer.from(declared).toString('latin1') : guessBoundary(mail, start)
  return boundary && boundary.length <= maxBoundaryLength ? boundary : null
}

/** The boundary of a multipart that declares none: the first line of `--` before a line of `Content-`. */
const guessBoundary = (mail: Buffer, start: number): string | null =>
  /(?:^|\n)--([^\s][^\r\n]{0,69})\r?\nContent-/i
    .exec(mail.toString('latin1', start, start + 65_536))?.[1]
    ?.trimEnd() ?? null

/** @property level the index of the multipart that the delimiter belongs to @property next the following line */
type Delimiter = { level: number; isLast: boolean; start: number; next: number }

const lf = 0x0a
const cr = 0x0d
const hyphen = 0x2d

/** The next delimiter of an open multipart. Of several multiparts with the same boundary, the innermost is meant. */
function findDelimiter(mail: Buffer, from: number, open: OpenMultipart[]): Delimiter | null {
  if (open.length === 0) return null
  const levels = new Map(open.map(({ boundary }, level) => [boundary, level]))
  for (let at = Math.max(from - 1, 0); at < mail.length; at++) {
    if (mail[at] !== lf || mail[at + 1] !== hyphen || mail[at + 2] !== hyphen) continue
    const line = at
    let lineEnd = line + 3
    while (lineEnd < mail.length && mail[lineEnd] !== lf) lineEnd++
    at = lineEnd - 1
    if (lineEnd - line > maxBoundaryLength + 1000) continue
    const text = trimEnd(mail.toString('latin1', line + 3, lineEnd))
    const levelOfNext = levels.get(text)
    const level = levelOfNext ?? (text.endsWith('--') ? levels.get(trimEnd(text.slice(0, -2))) : undefined)
    if (level === undefined) continue
    const isLast = levelOfNext === undefined
    const start = mail[line - 1] === cr ? line - 1 : line
    return { level, isLast, start, next: Math.min(lineEnd + 1, mail.length) }
  }
  return null
}

/** Removes spaces, tabs and carriage returns, and no other white space. */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && isPadding(text.charCodeAt(end - 1))) end--
  return end === text.length ? text : text.slice(0, end)
}

const isPadding = (code: number) => code === 0x20 || code === 0x09 || code === cr
