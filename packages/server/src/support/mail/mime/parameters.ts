import { decodeText, type Warning } from './charsets.ts'
import { decodeWords, toOneLine } from './words.ts'

/** A header such as Content-Type: a value in lower case and parameters (RFC 2045). */
export type Structured = { value: string; parameters: Map<string, string> }

const maxLength = 65_536

/**
 * Reads a value with parameters. Parameters may be continued and have a charset (RFC 2231), or contain encoded words,
 * which mail programs write although RFC 2047 forbids it. The first parameter of a name counts.
 */
export function readStructured(header: string, warnings: Set<Warning>): Structured {
  const [value = '', ...rest] = fieldsOf(header.slice(0, maxLength))
  const plain = new Map<string, string>()
  const sections = new Map<string, Section[]>()
  for (const field of rest) {
    const equals = field.indexOf('=')
    if (equals < 0) continue
    const [name = '', number, star] = field.slice(0, equals).trim().toLowerCase().split('*')
    const text = unquote(field.slice(equals + 1).trim())
    if (number === undefined) {
      if (!plain.has(name)) plain.set(name, toOneLine(decodeWords(text, warnings)))
    } else {
      const list = sections.get(name) ?? []
      list.push({ number: Number(number) || 0, isEncoded: star !== undefined || number === '', text })
      sections.set(name, list)
    }
  }
  for (const [name, list] of sections) plain.set(name, toOneLine(joinSections(list, warnings)))
  return { value: unquote(value.trim()).trim().toLowerCase(), parameters: plain }
}

/** One of the parts into which RFC 2231 cuts a long parameter. */
type Section = { number: number; isEncoded: boolean; text: string }

function joinSections(list: Section[], warnings: Set<Warning>): string {
  const ordered = list.toSorted((one, other) => one.number - other.number)
  if (ordered.every(({ isEncoded }) => !isEncoded))
    return decodeWords(ordered.map(({ text }) => text).join(''), warnings)
  const [, charset, first] = /^([^']{0,100})'[^']{0,100}'(.*)$/s.exec(ordered[0]!.text) ?? []
  const bytes = ordered.map(({ text, isEncoded }, i) => {
    const content = i === 0 ? (first ?? text) : text
    return isEncoded ? percentDecode(content) : Buffer.from(content)
  })
  return decodeText(Buffer.concat(bytes), charset ?? null, warnings)
}

const percentDecode = (text: string): Buffer =>
  Buffer.from(
    Buffer.from(text)
      .toString('latin1')
      .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

/** Splits at semicolons outside of quotes, without comments. A comment that does not end is text. */
function fieldsOf(header: string): string[] {
  const fields: string[] = []
  let field = ''
  let isQuoted = false
  let hasComments = true
  for (let i = 0; i < header.length; i++) {
    const character = header[i]!
    if (isQuoted) {
      field += character
      if (character === '\\') field += header[++i] ?? ''
      else if (character === '"') isQuoted = false
    } else if (character === '(' && hasComments && canStartComment(header, i)) {
      const end = endOfComment(header, i)
      if (end === null) hasComments = false
      if (end === null) field += character
      else i = end
    } else if (character === ';') {
      fields.push(field)
      field = ''
    } else {
      if (character === '"') isQuoted = true
      field += character
    }
  }
  return [...fields, field]
}

/** A parenthesis within a token, as in `filename=Invoice(1).pdf`, begins no comment. */
const canStartComment = (header: string, at: number) => at === 0 || /[\s;)]/.test(header[at - 1]!)

/** The index of the parenthesis that closes a comment, in which comments can be nested. */
export function endOfComment(text: string, start: number): number | null {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '(') depth++
    else if (text[i] === ')' && --depth === 0) return i
  }
  return null
}

/** The content of a quoted string, up to its closing quote; other text as it is. */
function unquote(text: string): string {
  if (!text.startsWith('"')) return text
  let content = ''
  for (let i = 1; i < text.length && text[i] !== '"'; i++) {
    // Windows paths are written without escapes: a backslash escapes only a quote or a backslash
    if (text[i] === '\\' && /["\\]/.test(text[i + 1] ?? '')) i++
    content += text[i]
  }
  return content
}
