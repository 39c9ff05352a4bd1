import { decoderOf, decodeText, isWide, type Warning } from './charsets.ts'
import type { Part } from './parts.ts'
import { decodedBytes, isBase64Byte } from './transfer.ts'

/** Longer texts keep the line breaks of format=flowed. */
const maxFlowedLength = 2_097_152

/** The text of a part, with line feeds as line breaks and without NUL. */
export function textOf(part: Part, warnings: Set<Warning>): string {
  const { content, encoding } = part
  if (encoding !== 'base64') return decode(decodedBytes(content, encoding), part, warnings)
  // a line with other characters can be a damaged one, or the first of a footer that is not encoded
  const end = endOfBase64(content)
  const rest = decodedBytes(content.subarray(end), 'base64')
  const isDamaged =
    end < content.length && isPlausible(decoderOf(charsetOf(part) ?? 'utf-8')?.decode(rest) ?? '')
  const encoded = isDamaged ? content : content.subarray(0, end)
  const text = decode(decodedBytes(encoded, 'base64'), part, warnings)
  if (!isPlausible(text)) return decode(content, part, warnings)
  return [text, decode(content.subarray(encoded.length), part, warnings)].filter(Boolean).join('\n')
}

const charsetOf = ({ type }: Part): string | null => type.parameters.get('charset') ?? null

function decode(bytes: Uint8Array, part: Part, warnings: Set<Warning>): string {
  const { type } = part
  const charset = charsetOf(part) ?? (type.value === 'text/html' ? charsetOfHtml(bytes) : null)
  const text = isWide(charset)
    ? decodeText(normalizeLines(Buffer.from(decodeText(bytes, charset, warnings))), 'utf-8', warnings)
    : decodeText(normalizeLines(bytes), charset, warnings)
  const isFlowed = type.value === 'text/plain' && type.parameters.get('format')?.toLowerCase() === 'flowed'
  if (!isFlowed || text.length > maxFlowedLength) return text
  return unflow(text, type.parameters.get('delsp')?.toLowerCase() === 'yes')
}

/** The charset that HTML declares in its first bytes. */
const charsetOfHtml = (bytes: Uint8Array): string | null =>
  /<meta[^>]{0,200}charset=["']?([A-Za-z0-9_:.-]{1,40})/i.exec(
    Buffer.from(bytes.subarray(0, 2048)).toString('latin1'),
  )?.[1] ?? null

/** Replaces CRLF and CR by LF, and removes NUL, in bytes: of long texts, strings would take too much of the heap. */
function normalizeLines(bytes: Uint8Array): Uint8Array {
  const target = new Uint8Array(bytes.length)
  let length = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte === 0x0d) {
      if (bytes[i + 1] !== 0x0a) target[length++] = 0x0a
    } else if (byte !== 0) target[length++] = byte
  }
  return target.subarray(0, length)
}

/**
 * False for bytes that are no text, such as those of English that was decoded as Base64. One wrong character in sixteen
 * is allowed, because mail gets damaged.
 */
function isPlausible(text: string): boolean {
  let wrong = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0xfffd || code === 0x7f || (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0c))
      wrong++
  }
  return wrong * 16 <= text.length
}

/** The start of the first line with a byte that is not of Base64. */
function endOfBase64(content: Uint8Array): number {
  let line = 0
  for (let i = 0; i < content.length; i++) {
    if (content[i] === 0x0a) line = i + 1
    else if (!isBase64Byte(content[i]!)) return line
  }
  return content.length
}

/** Joins the lines of a paragraph (RFC 3676). Lines of another depth of quotation begin a paragraph. */
function unflow(text: string, hasExtraSpaces: boolean): string {
  const lines: string[] = []
  let open: string[] = []
  let openQuotes = ''
  const close = () => {
    if (open.length > 0) lines.push((openQuotes && `${openQuotes} `) + open.join(''))
    open = []
  }
  for (const line of text.split('\n')) {
    const quotes = /^>*/.exec(line)![0]
    const content = line.slice(quotes.length).replace(/^ /, '')
    if (quotes !== openQuotes) close()
    openQuotes = quotes
    const isFlowed = content.endsWith(' ') && content !== '-- '
    if (content === '-- ') close()
    open.push(isFlowed && hasExtraSpaces ? content.slice(0, -1) : content)
    if (!isFlowed) close()
  }
  close()
  return lines.join('\n')
}
