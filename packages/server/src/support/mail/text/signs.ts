import { type HeaderKind, headerOf } from './header-labels.ts'
import type { Line } from './lines.ts'
import { forwardOpeners, forwardPhrases, originalPhrases, wroteVerbs } from './phrases.ts'
import { trimmed } from './trimming.ts'

/** Characters that clients draw lines with, around a phrase. */
const dashes = '-=_~*+─—–―‐‑'
const around = ` \t\u00a0:：>|"“”„«»${dashes}`

const asSet = (phrases: string[]) => new Set(phrases.map((phrase) => phrase.normalize('NFC')))
const [forwards, openers, originals] = [forwardPhrases, forwardOpeners, originalPhrases].map(asSet) as [
  Set<string>,
  Set<string>,
  Set<string>,
]
const verbs = wroteVerbs.map((verb) => verb.normalize('NFC'))

/** Lower case, without the marks by which texts change direction; digits are those of ASCII. */
const plainOf = (text: string): string =>
  text
    .replace(/[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .toLowerCase()
    .replaceAll('i\u0307', 'i') // of the Turkish İ
    .normalize('NFC')

export type Mark = 'forward' | 'original'

const maxMark = 120
/** Dashes in front, or the colon at the end. */
const mayBeMark = /[-=_~*─—–:：]/

/** The mark that a line is above another mail; null for any other line. */
export function markOf({ text }: Line): Mark | null {
  if (text.length > maxMark + 80 || !mayBeMark.test(text)) return null
  const line = plainOf(text)
  const phrase = trimmed(line, around).replace(/\s+/g, ' ').replaceAll('’', "'")
  if (phrase.length > maxMark) return null
  const isDashed = /^[\s>]{0,5}[-=_~*─—–]{2}/.test(line)
  if (isDashed && (forwards.has(phrase) || phrase.startsWith('forwarded by '))) return 'forward'
  if (/[:：]\s*$/.test(line.slice(-8)) && openers.has(phrase)) return 'forward'
  if (isDashed && (originals.has(phrase) || hasVerb(phrase))) return 'original'
  return null
}

/** The line that Outlook draws above the header lines of a text. */
export const isSeparator = ({ text }: Line): boolean => text.length >= 10 && trimmed(text, '_') === ''

export type Header = { fields: Map<HeaderKind, string>; end: number }

const maxHeaderLines = 40

/**
 * Reads the header lines of another mail, which end at an empty line or at one that is no header line.
 * @param at the index of the first
 * @returns null unless there is a sender, and one of date, recipient and subject; `end` is the index after the last
 */
export function headerAt(lines: Line[], at: number): Header | null {
  const fields = new Map<HeaderKind, string>()
  let end = at
  let last: HeaderKind | null = null
  for (; end < lines.length && end < at + maxHeaderLines; end++) {
    const line = lines[end]!
    if (end > at && (line.afterBlank || line.depth !== lines[at]!.depth)) break
    if (line.text === '') break
    const header = headerOf(plainSpaces(line.text))
    if (header) {
      last = header.kind
      if (!fields.has(last)) fields.set(last, header.value)
    } else if (last && continues(lines[end - 1]!.text, line.text)) {
      fields.set(last, `${fields.get(last)} ${line.text}`.slice(0, 4_000))
    } else break
  }
  const isHeader = fields.has('from') && (fields.has('date') || fields.has('to') || fields.has('subject'))
  return isHeader ? { fields, end } : null
}

const plainSpaces = (text: string): string =>
  text.replace(/[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g, '')

/** Text parts wrap long lists of recipients and long subjects. */
const continues = (before: string, line: string): boolean =>
  /[,;]$/.test(before) || /^[<(]/.test(line) || (before.length >= 66 && before.length <= 80)

/** The original's header under its mark begins at this line. */
export const beginsOriginal = (lines: Line[], at: number): boolean => {
  const line = lines[at]!
  return line.beginsOriginal || originalHeaderAt(lines, at) !== null
}

/** The header of an original under its mark or its separator. */
export function originalHeaderAt(lines: Line[], at: number): Header | null {
  const line = lines[at]!
  if (markOf(line) === 'original' || isSeparator(line)) return headerAt(lines, at + 1)
  return line.isRuled || line.beginsOriginal ? headerAt(lines, at) : null
}

/** The header of a forwarded mail under its mark. */
export const forwardHeaderAt = (lines: Line[], at: number): Header | null =>
  markOf(lines[at]!) === 'forward' ? headerAt(lines, at + 1) : null

const spaced = /\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}/u

/** Finds a verb that is a word of its own; languages without spaces have it anywhere. */
function hasVerb(text: string): boolean {
  return verbs.some((verb) => {
    const at = text.lastIndexOf(verb)
    if (at < 0) return false
    const isWord = (character: string | undefined) =>
      character !== undefined && /[\p{L}\p{N}]/u.test(character)
    return !spaced.test(verb[0]!) || !(isWord(text[at - 1]) || isWord(text[at + verb.length]))
  })
}

const address = /[^\s@<>]@[^\s@<>]/
const time = /\d{1,2}[:.h時时시]\d{2}|\d{1,2}[時时시点點]/
const day = /(?:^|\D)(?:19|20|25)\d{2}(?:\D|$)|\d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{1,4}/

const isDated = (text: string): boolean => time.test(text) || day.test(text)

/** An attribution line without its date, or with it: "On 1 May 2026, Jane <jane@example.com> wrote:". */
function attributes(text: string): 'dated' | 'undated' | null {
  if (!/[:：]/.test(text)) return null
  const line = plainOf(text)
  if (!/[:：]$/.test(line)) return null
  const verb = hasVerb(line)
  const hasAddress = address.test(line)
  const dated = isDated(line)
  if (dated && (verb || hasAddress)) return 'dated'
  return verb && hasAddress ? 'undated' : null
}

const maxWrapped = 3

/**
 * How many lines from this one on are an attribution that introduces the lines after them; 0 for none.
 * @param isQuoted whether a line is in the quotation that this line may introduce
 */
export function attributionAt(lines: Line[], at: number, isQuoted: (line: Line) => boolean): number {
  let count = 1
  while (count <= maxWrapped && lines[at + count] && !isQuoted(lines[at + count]!)) count++
  if (count > maxWrapped || !lines[at + count]) return 0
  const wrapped = lines.slice(at, at + count)
  if (wrapped.every(({ isAttribution }) => isAttribution)) return count
  if (wrapped.slice(1).some(({ afterBlank }) => afterBlank)) return 0
  const text = wrapped.map((line) => line.text).join(' ')
  const found = attributes(text)
  if (!found) return 0
  if (count === 1) return 1
  const rest = attributes(
    wrapped
      .slice(1)
      .map((line) => line.text)
      .join(' '),
  )
  if (rest === 'dated') return 0
  const first = wrapped[0]!.text
  const endsSentence = /[.!?…:;。！？]$/.test(first)
  return found === 'dated' && !endsSentence && (rest === null || isDated(plainOf(first))) ? count : 0
}
