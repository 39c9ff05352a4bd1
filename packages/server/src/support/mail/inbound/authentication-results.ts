/** A method and its result in an Authentication-Results header, such as `dmarc=pass header.from=example.com`. */
export type MethodResult = {
  /** In lower case. */
  method: string
  /** In lower case. */
  result: string
  /** The values by names such as `header.from`, in lower case. Null for a property that is given twice. */
  properties: ReadonlyMap<string, string | null>
}

/** An Authentication-Results header (RFC 8601). */
export type AuthenticationResults = {
  results: MethodResult[]
  /** False if a part of the header could not be read: what it reports must then prove nothing. */
  isSound: boolean
}

/** `isApart`: there is white space or a comment before it. `unclosed` ends a header within a comment or a quotation. */
type Token = { kind: 'word' | 'quoted' | '=' | ';' | 'unclosed'; text: string; isApart: boolean }

const isSpace = (char: string): boolean => char === ' ' || char === '\t' || char === '\r' || char === '\n'
const endsWord = (char: string): boolean => isSpace(char) || '(";='.includes(char)

/** Reads each character once, whatever the header contains. */
function* tokensIn(header: string): Generator<Token> {
  let isApart = true
  for (let i = 0; i < header.length; ) {
    const char = header[i]!
    if (isSpace(char)) {
      isApart = true
      i++
      continue
    }
    const start = i
    let kind: Token['kind']
    let text: string | null
    if (char === '(') {
      i = endOfComment(header, i)
      isApart = true
      if (i <= header.length) continue
      ;[kind, text] = ['unclosed', null]
    } else if (char === '"') {
      ;[text, i] = quotedText(header, i)
      kind = text === null ? 'unclosed' : 'quoted'
    } else if (char === ';' || char === '=') {
      ;[kind, text] = [char, char]
      i++
    } else {
      while (i < header.length && !endsWord(header[i]!)) i++
      ;[kind, text] = ['word', header.slice(start, i)]
    }
    yield { kind, text: text ?? '', isApart }
    isApart = false
  }
}

/** The place after a comment, which may contain comments; beyond the end of the header if it is not closed. */
function endOfComment(header: string, start: number): number {
  let depth = 0
  for (let i = start; i < header.length; i++) {
    if (header[i] === '\\') i++
    else if (header[i] === '(') depth++
    else if (header[i] === ')' && --depth === 0) return i + 1
  }
  return header.length + 1
}

/** The text of a quotation, null if it is not closed, and the place after it. */
function quotedText(header: string, start: number): [text: string | null, end: number] {
  let text = ''
  for (let i = start + 1; i < header.length; i++) {
    if (header[i] === '"') return [text, i + 1]
    if (header[i] === '\\') i++
    text += header[i] ?? ''
  }
  return [null, header.length]
}

/** The authserv-id of a header, in lower case; null for a header without one. It reads no further. */
export function authservIdOf(header: string): string | null {
  const head: Token[] = []
  for (const token of tokensIn(header)) {
    if (token.kind === ';') break
    if (token.kind === '=' || token.kind === 'unclosed' || head.length === 2) return null
    head.push(token)
  }
  const [id, version] = head
  return id && (!version || version.isApart) ? id.text.toLowerCase() : null
}

/** The results of a header that has an authserv-id. */
export function resultsIn(header: string): AuthenticationResults {
  const [head = [], ...parts] = partsOf(header)
  const version = head[1]?.text ?? '1'
  if (version !== '1') return { results: [], isSound: false }
  const read = parts.filter((part) => part.length > 0 && !isNone(part)).map(resultOf)
  const results = read.filter((result) => result !== null)
  return { results, isSound: results.length === read.length }
}

/** The parts between semicolons that are neither in comments nor quoted. */
function partsOf(header: string): Token[][] {
  const parts: Token[][] = [[]]
  for (const token of tokensIn(header)) {
    if (token.kind === ';') parts.push([])
    else parts.at(-1)!.push(token)
  }
  return parts
}

/** `none` alone says that nothing was examined. */
const isNone = (part: Token[]): boolean => part.length === 1 && part[0]!.text.toLowerCase() === 'none'

/** Null for a part that is not of the form `method=result name=value …`, and for methods of another version than 1. */
function resultOf(part: Token[]): MethodResult | null {
  const [first, ...others] = pairsOf(part) ?? []
  const [method, version = '1', ...rest] = first?.name.split('/') ?? []
  if (!first || !method || version !== '1' || rest.length > 0) return null
  const properties = new Map<string, string | null>()
  for (const { name, value } of others) properties.set(name, properties.has(name) ? null : value)
  return { method, result: first.value.toLowerCase(), properties }
}

type Pair = { name: string; value: string }

const joins = (char: string | undefined): boolean => char === '.' || char === '/'

function pairsOf(part: Token[]): Pair[] | null {
  const pairs: Pair[] = []
  for (let i = 0; i < part.length; ) {
    const words: string[] = []
    for (; part[i]?.kind === 'word'; i++) words.push(part[i]!.text)
    if (words.length === 0 || part[i]?.kind !== '=') return null
    // Only a dot or slash joins the words of a name, as in `header . d`.
    if (words.some((word, j) => j > 0 && !joins(words[j - 1]!.at(-1)) && !joins(word[0]))) return null
    i++
    const first = part[i]
    if (first?.kind !== 'word' && first?.kind !== 'quoted') return null
    let value = first.text
    for (i++; part[i] && !part[i]!.isApart && part[i]!.kind !== 'unclosed'; i++) value += part[i]!.text
    pairs.push({ name: words.join('').toLowerCase(), value })
  }
  return pairs
}
