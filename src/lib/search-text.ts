/**
 * Text as the search index sees it: accents folded, case folded, split at what is neither letter nor digit.
 * Scripts written without spaces are cut into overlapping pairs of characters, so that any two neighbours
 * can be found. The same function reads documents and queries, therefore every language works alike.
 */

/** Enough for any real text, and together below the 1 MB that a tsvector may have. */
const maxTokensPerText = 10_000
const maxTokenBytes = 900_000
const maxTokenLength = 64

const word = /[\p{L}\p{N}\p{M}]+/gu
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const unspacedRuns =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu
/** Accents, Arabic vowel signs and hamza, and the stroke that stretches Arabic words. */
const combiningMarks = /[\u0300-\u036f\u0483-\u0487\u0640\u064b-\u065f\u0670]/g
/** Letters that Unicode does not take apart. */
const plainLetters: Record<string, string> = { ß: 'ss', ı: 'i', ł: 'l', ø: 'o', đ: 'd', æ: 'ae', œ: 'oe' }
const specialLetters = /[ßıłøđæœ]/g

/** `İstanbul`, `istanbul` and `ISTANBUL` fold to the same text, and so do `Größe` and `GROSSE`. */
export const foldText = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(combiningMarks, '')
        .toLowerCase()
        .normalize('NFKD')
        .replace(combiningMarks, '')
        .replace(specialLetters, (letter) => plainLetters[letter]!)
        .normalize('NFC') // が is one character again

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

/** The distinct tokens of a text, at most 10,000 of at most 64 characters each. */
export const searchTokens = (text: string): string[] => [...tokenCounts(text).keys()]

/** The same, and how often each comes up. */
export function tokenCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  let bytes = 0
  for (const token of tokensOf(foldText(text))) {
    const known = counts.get(token)
    if (known === undefined) {
      bytes += Buffer.byteLength(token)
      if (counts.size === maxTokensPerText || bytes > maxTokenBytes) break
    }
    counts.set(token, (known ?? 0) + 1)
  }
  return counts
}

function* tokensOf(folded: string): Iterable<string> {
  for (const [run] of folded.matchAll(word)) {
    yield* tokensOfRun(run)
    const lastCharacter = [...run].at(-1)!
    if (unspaced.test(lastCharacter)) yield lastCharacter // no pair begins with it
  }
}

/** The distinct tokens that a query asks for, at most 32; the last of the text is the beginning of a word. */
export function queryTokens(query: string): { tokens: string[]; last: string | null } {
  const runs = [...foldText(query).matchAll(word)].flatMap(([run]) => tokensOfRun(run))
  return { tokens: [...new Set(runs)].slice(0, 32), last: runs.at(-1) ?? null }
}

/**
 * A PostgreSQL tsquery (text form) that asks for every token of `query`, the last as a prefix;
 * null when the query holds no letter or digit.
 */
export function searchQuery(query: string): string | null {
  const { tokens, last } = queryTokens(query)
  if (last === null) return null
  // Tokens hold letters, digits and marks only (see `word`), so quoting needs no escapes.
  return tokens.map((token) => `'${token}'${token === last ? ':*' : ''}`).join(' & ')
}

/** Is this token part of a text without spaces, where it stands for no word? */
export const isUnspaced = (token: string): boolean => unspaced.test(token)

function tokensOfRun(run: string): string[] {
  if (!unspaced.test(run)) return [run.slice(0, maxTokenLength).toWellFormed()]
  return [...run.matchAll(unspacedRuns)].flatMap(([part]) =>
    unspaced.test(part) ? neighbours([...part]) : [part.slice(0, maxTokenLength).toWellFormed()],
  )
}

const neighbours = (characters: string[]): string[] =>
  characters.length === 1 ? characters : characters.slice(1).map((second, i) => characters[i]! + second)
