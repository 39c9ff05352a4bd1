import { type Line, linesOfHtml, linesOfText } from './lines.ts'
import { markdownOf } from './markdown.ts'
import { forwardHeaderAt, type Header, originalHeaderAt } from './signs.ts'
import { trimmed } from './trimming.ts'

export type Forward = {
  /** The words above the mark. */
  before: string
  /** The sender as the forwarded mail names them. */
  from: { address: string | null; name: string | null }
  subject: string | null
  /** As the client wrote it. */
  date: string | null
  /** Markdown, or the text where there is no HTML. */
  original: string
}

/**
 * Reads a forwarded mail: after a client's mark, header lines with the sender and one of date, subject and recipient.
 * @param imageOf as of `markdownOf`, for images of the HTML
 * @returns null if the mail is no forward
 */
export function forwardOf(
  text: string,
  html: string | null,
  imageOf: (contentId: string) => string | null = () => null,
): Forward | null {
  const found = html === null ? null : find(linesOfHtml(html))
  if (html !== null && found) {
    const original = markdownOf(html.slice(found.start), imageOf)
    return { before: markdownOf(html.slice(0, found.end), imageOf), ...factsOf(found.header), original }
  }
  const inText = find(linesOfText(text))
  if (!inText) return null
  const original = withoutQuotes(text.slice(inText.start), inText.depth)
  return { before: text.slice(0, inText.end).trim(), ...factsOf(inText.header), original }
}

type Found = {
  header: Header
  depth: number /** of the words above */
  end: number /** of the original */
  start: number
}

function find(lines: Line[] | null): Found | null {
  for (const [i, line] of lines?.entries() ?? []) {
    const header = mayBegin(line) && (forwardHeaderAt(lines!, i) ?? originalHeaderAt(lines!, i))
    if (!header) continue
    const last = lines![header.end - 1]!
    return { header, depth: last.depth, end: lines![i - 1]?.to ?? 0, start: last.to }
  }
  return null
}

/** Marks in a quotation are those of older mails. Apple Mail puts its mark first into the element of a quotation. */
const mayBegin = ({ depth, beginsQuote }: Line): boolean => depth === 0 || (depth === 1 && beginsQuote)

function factsOf({ fields }: Header): Pick<Forward, 'from' | 'subject' | 'date'> {
  return {
    from: senderOf(fields.get('from')!),
    subject: fields.get('subject') || null,
    date: fields.get('date') || null,
  }
}

const inAddress = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]/u
const inDomain = /[\p{L}\p{N}.-]/u
const maxAddress = 254

/**
 * Reads `Jane <jane@example.com>` and the other forms in which clients name a sender. The last address counts: a name
 * may contain one.
 */
function senderOf(value: string): Forward['from'] {
  const at = value.lastIndexOf('@')
  const from = at < 0 ? 0 : reach(value, at, -1, inAddress)
  const to = at < 0 ? 0 : reach(value, at, 1, inDomain)
  const address = trimmed(value.slice(from, to).replace(/^mailto:/i, ''), ".'")
  const isAddress = at > from && to > at + 2 && address.length <= maxAddress && !/^@|@$/.test(address)
  const edge = ' \t\u00a0"\'<>([]);:,*‘’“”«»'
  const before = trimmed((isAddress ? value.slice(0, from) : value).replace(/mailto:$/i, ''), edge)
  const name = before === '' ? trimmed(value.slice(to).split('<', 1)[0]!, edge) : before
  if (!isAddress) return { address: null, name: before.replace(/\s+/g, ' ') || null }
  return { address: address.toLowerCase(), name: isName(name) ? name.replace(/\s+/g, ' ') : null }
}

const isName = (text: string): boolean => text !== '' && !text.includes('@')

/** The end of the run of characters beside an index. */
function reach(text: string, at: number, step: 1 | -1, allowed: RegExp): number {
  let end = at + step
  while (end >= 0 && end < text.length && Math.abs(end - at) <= maxAddress && allowed.test(text[end]!))
    end += step
  return step > 0 ? end : end + 1
}

/** Takes as many `>` from each line as the header lines have. */
function withoutQuotes(text: string, depth: number): string {
  if (depth === 0) return text.trim()
  const one = (line: string) => {
    let rest = line
    for (let i = 0; i < depth && rest.startsWith('>'); i++) rest = rest.slice(1).replace(/^ /, '')
    return rest
  }
  return text.split('\n').map(one).join('\n').trim()
}
