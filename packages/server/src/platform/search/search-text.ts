/**
 * Text in the form of the search index: accents and case folded, split at characters that are neither letters nor
 * digits. Scripts without spaces are split into overlapping pairs of characters, so that any two neighbours can be
 * found. Documents and queries use the same function, so it works for every language.
 */

/** Enough for any real text, and in total below the 1 MB of a tsvector. */
const maxTokensPerText = 10_000
const maxTokenBytes = 900_000
const maxTokenLength = 64
/** A text is folded in pieces, and only up to twice its length: U+FDFA alone becomes eighteen characters. */
const pieceLength = 8_192
const maxGrowth = 2

/** The end of a piece that is searched for the end of a word before all of it is. */
const longWord = 256

const asciiWord = /[a-z0-9]+/g
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Runs of scripts without spaces, and words of all other scripts. */
const parts =
  /[[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]&&[\p{L}\p{N}\p{M}]]+|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]]+/gv
/** Accents, Arabic vowel signs and hamza, and the stroke that stretches Arabic words. */
const combiningMarks = /[\u0300-\u036f\u0483-\u0487\u0640\u064b-\u065f\u0670]/g
/** Sorting the marks of one letter takes quadratic time; no language uses more than a few. */
const tooManyMarks = /(\p{M}{30})\p{M}+/gu
/** Letters that Unicode does not decompose. */
const plainLetters: Record<string, string> = { ß: 'ss', ı: 'i', ł: 'l', ø: 'o', đ: 'd', æ: 'ae', œ: 'oe' }
const specialLetters = /[ßıłøđæœ]/g

/** `İstanbul`, `istanbul` and `ISTANBUL` fold to the same text, and so do `Größe` and `GROSSE`. */
export const foldText = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text
        .replace(tooManyMarks, '$1')
        .normalize('NFKD')
        .replace(combiningMarks, '')
        .toLowerCase()
        .normalize('NFKD')
        .replace(combiningMarks, '')
        .replace(specialLetters, (letter) => plainLetters[letter]!)
        .normalize('NFC') // が is one character again

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

/** The distinct tokens of a text, up to a number of tokens of at most 64 characters each. */
export const searchTokens = (text: string, most = maxTokensPerText): string[] => [
  ...tokenCounts(text, most).keys(),
]

/** The distinct tokens of a text with their frequencies. */
export function tokenCounts(text: string, most = maxTokensPerText): Map<string, number> {
  const counts = new Map<string, number>()
  let bytes = 0
  for (const tokens of tokensOf(text)) {
    for (const token of tokens) {
      const known = counts.get(token)
      if (known === undefined) {
        bytes += Buffer.byteLength(token)
        if (counts.size === most || bytes > maxTokenBytes) return counts
      }
      counts.set(token, (known ?? 0) + 1)
    }
  }
  return counts
}

/** The tokens of a text, by pieces. */
function* tokensOf(text: string): Iterable<string[]> {
  let left = maxGrowth * text.length + pieceLength
  for (const piece of piecesOf(text)) {
    const folded = foldText(piece)
    yield tokensIn(folded.slice(0, left), true)
    left -= folded.length
    if (left <= 0) return
  }
}

/** Splits a text between words, unless a word is longer than a piece. */
function* piecesOf(text: string): Iterable<string> {
  for (let from = 0; from < text.length; ) {
    const piece = text.slice(from, from + pieceLength)
    const end = from + pieceLength < text.length ? endOfLastWord(piece) : piece.length
    yield piece.slice(0, end)
    from += end
  }
}

function endOfLastWord(piece: string): number {
  for (const from of [Math.max(0, piece.length - longWord), 0]) {
    const { index = 0 } = /[^\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}]*$/u.exec(piece.slice(from)) ?? {}
    if (index > 0) return from + index
  }
  return piece.length
}

/** The distinct tokens of a query, at most 32; the last word of the text is a prefix. */
export function queryTokens(query: string): { tokens: string[]; last: string | null } {
  const all = tokensIn(foldText(query), false)
  return { tokens: [...new Set(all)].slice(0, 32), last: all.at(-1) ?? null }
}

/**
 * A PostgreSQL tsquery (text form) for all tokens of `query`, the last as a prefix; null if the query has no letter
 * or digit.
 */
export function searchQuery(query: string): string | null {
  const { tokens, last } = queryTokens(query)
  return last === null ? null : allOf(tokens, last)
}

const shortWord = /^\p{L}{1,3}$/u

/**
 * A part of `searchQuery` that an index answers quickly if it has few matches: without a last word of up to three
 * letters, unless it is the only one. An index first collects all entries that begin with a prefix, and `com` begins a
 * word of most addresses.
 */
export function distinctiveQuery(query: string): string | null {
  const { tokens, last } = queryTokens(query)
  const others = tokens.filter((token) => token !== last)
  const isShort = last !== null && shortWord.test(last) && !isUnspaced(last)
  return isShort && others.length > 0 ? allOf(others, null) : searchQuery(query)
}

// Tokens consist of letters, digits and marks (see `parts`), so quoting needs no escapes.
const allOf = (tokens: string[], prefix: string | null): string =>
  tokens.map((token) => `'${token}'${token === prefix ? ':*' : ''}`).join(' & ')

/** Is this token a pair of characters from a script without spaces? */
export const isUnspaced = (token: string): boolean => unspaced.test(token)

/** @param withLast true if the last character of a run without spaces is a token too; no pair begins with it */
function tokensIn(folded: string, withLast: boolean): string[] {
  const tokens: string[] = []
  const isLatin = isAscii(folded)
  for (const part of folded.match(isLatin ? asciiWord : parts) ?? []) {
    if (isLatin || !isUnspaced(part)) {
      tokens.push(part.length > maxTokenLength ? part.slice(0, maxTokenLength).toWellFormed() : part)
      continue
    }
    let before = ''
    for (const character of part) {
      if (before !== '') tokens.push(before + character)
      before = character
    }
    if (withLast || before === part) tokens.push(before)
  }
  return tokens
}
