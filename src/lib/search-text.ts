/**
 * Text as the search index sees it: accents folded, case folded, split at what is neither letter nor digit.
 * Scripts written without spaces are cut into overlapping pairs of characters, so that any two neighbours
 * can be found. The same function reads documents and queries, therefore every language works alike.
 */

/** Enough for any real message; keeps the longest one (65,536 characters) below tsvector's 1 MB. */
const maxTokensPerText = 10_000
const maxTokenLength = 64

const word = /[\p{L}\p{N}\p{M}]+/gu
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const unspacedRuns =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu
const combiningMarks = /[\u0300-\u036f\u0483-\u0487\u064b-\u0652]/g

/** `İstanbul`, `istanbul` and `ISTANBUL` fold to the same text, and so do `Größe` and `GROSSE`. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(combiningMarks, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(combiningMarks, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')

/** The distinct tokens of a text, at most 10,000 of at most 64 characters each. */
export function searchTokens(text: string): string[] {
  const tokens = new Set<string>()
  for (const [run] of foldText(text).matchAll(word)) {
    for (const token of tokensOfRun(run)) {
      tokens.add(token)
      if (tokens.size === maxTokensPerText) return [...tokens]
    }
    const lastCharacter = [...run].at(-1)!
    if (unspaced.test(lastCharacter)) tokens.add(lastCharacter) // no pair begins with it
  }
  return [...tokens]
}

/**
 * A PostgreSQL tsquery (text form) that asks for every token of `query`, the last as a prefix;
 * null when the query holds no letter or digit.
 */
export function searchQuery(query: string): string | null {
  const runs = [...foldText(query).matchAll(word)].flatMap(([run]) => tokensOfRun(run))
  if (runs.length === 0) return null
  const tokens = [...new Set(runs)].slice(0, 32)
  const last = runs.at(-1)!
  // Tokens hold letters, digits and marks only (see `word`), so quoting needs no escapes.
  return tokens.map((token) => `'${token}'${token === last ? ':*' : ''}`).join(' & ')
}

function tokensOfRun(run: string): string[] {
  if (!unspaced.test(run)) return [run.slice(0, maxTokenLength)]
  return [...run.matchAll(unspacedRuns)].flatMap(([part]) =>
    unspaced.test(part) ? neighbours([...part]) : [part.slice(0, maxTokenLength)],
  )
}

const neighbours = (characters: string[]): string[] =>
  characters.length === 1 ? characters : characters.slice(1).map((second, i) => characters[i]! + second)
