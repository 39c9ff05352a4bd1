import { foldText, isUnspaced } from './search-text.ts'

/** About two lines. */
const length = 200
/** The number of characters before the first match. */
const lead = 60
/** An entity, because a page of results in ASCII is sent twice as fast as one with a single … in it. */
const ellipsis = '&hellip;'

/** The number of words that are folded together; one by one takes longer than everything else. */
const together = 50

const words = /[\p{L}\p{N}\p{M}]+/gu

/** The terms that matched, folded: whole words, and prefixes. */
export type Terms = { words: string[]; beginnings: string[] }

/** The part of a text around the matches, as HTML: matches are in `<mark>`, everything else is escaped. */
export function snippet(text: string, terms: Terms): string {
  const marks = marksIn(text, terms)
  const first = marks[0]?.from ?? 0
  const from = first <= lead ? 0 : afterSpace(text, boundaryBefore(text, first - lead))
  const to = text.length - from <= length ? text.length : boundaryBefore(text, from + length)
  const shown = marks.filter((mark) => mark.from >= from && mark.to <= to)
  let html = from > 0 ? `${ellipsis} ` : ''
  let at = from
  for (const mark of shown) {
    html += `${escaped(text.slice(at, mark.from))}<mark>${escaped(text.slice(mark.from, mark.to))}</mark>`
    at = mark.to
  }
  return `${html}${escaped(text.slice(at, to))}${to < text.length ? ` ${ellipsis}` : ''}`
}

type Mark = { from: number; to: number }

/**
 * The positions of matching words, or parts of words in scripts without spaces, in order. It stops after the number
 * that fits.
 */
function marksIn(text: string, terms: Terms): Mark[] {
  const marks: Mark[] = []
  const whole = new Set(terms.words.filter((term) => !isUnspaced(term)))
  const beginnings = terms.beginnings.filter((term) => !isUnspaced(term))
  const unspaced = [...terms.words, ...terms.beginnings].filter(isUnspaced)
  words.lastIndex = firstPlace(text, [...terms.words, ...terms.beginnings])
  const found = text.matchAll(words)
  for (let some = found.take(together).toArray(); some.length > 0; some = found.take(together).toArray()) {
    const folded = foldText(some.map(([word]) => word).join('\n')).split('\n')
    for (const [i, { 0: word, index }] of some.entries()) {
      if (marks.length > 0 && index > marks[0]!.from + length) return marks
      const known = folded[i]!
      if (whole.has(known) || beginnings.some((beginning) => known.startsWith(beginning)))
        marks.push({ from: index, to: index + word.length })
      else if (unspaced.length > 0) marks.push(...marksWithin(word, index, unspaced))
    }
  }
  return marks
}

/** The start of the first match. Splitting whole texts into words is most of the cost of a search. */
function firstPlace(text: string, terms: string[]): number {
  const lower = text.toLowerCase()
  if (lower.length !== text.length) return 0
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing is folded in ASCII
  if (places.length === 0) return /^[\x00-\x7f]*$/.test(text) ? text.length : 0
  return lower.lastIndexOf(' ', Math.min(...places)) + 1
}

/** Overlapping pairs of characters become one mark. */
function marksWithin(word: string, offset: number, terms: string[]): Mark[] {
  const found: Mark[] = []
  for (const term of terms)
    for (let at = word.indexOf(term); at >= 0; at = word.indexOf(term, at + 1))
      found.push({ from: offset + at, to: offset + at + term.length })
  const marks: Mark[] = []
  for (const mark of found.sort((one, other) => one.from - other.from)) {
    const last = marks.at(-1)
    if (last && mark.from <= last.to) last.to = Math.max(last.to, mark.to)
    else marks.push(mark)
  }
  return marks
}

const afterSpace = (text: string, at: number): number => (text[at] === ' ' ? at + 1 : at)

/** The end of the last word before a position, if one is near; never inside a character. */
function boundaryBefore(text: string, at: number): number {
  const space = text.lastIndexOf(' ', at)
  if (space > at - 30) return space
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!)
