/*
 * A line of Markdown from pieces of text with styles. Characters are escaped where the renderer would read them as
 * Markdown, and marks of emphasis are written only where it reads them as such: the words are the same in any case.
 */

export type Style = { link: string | null; bold: boolean; italic: boolean; struck: boolean; code: boolean }
export type Piece = Style & {
  text: string /** the address of an image, whose description is `text` */
  image: string | null
}

export const unstyled: Style = { link: null, bold: false, italic: false, struck: false, code: false }

type Context = { inTable: boolean; inLink: boolean }

/** Writes pieces as one line. @param inTable whether the line is a cell of a table */
export function lineOf(pieces: Piece[], inTable = false): string {
  const line = write(separated(pieces), '', '', { inTable, inLink: false }, 0)
  return inTable ? line : line.replace(opener, escapeOpener)
}

/**
 * Joins neighbours of the same style. White space at the edge of a style has the styles that both of its neighbours
 * have, because the renderer reads no mark of emphasis beside white space.
 */
function separated(pieces: Piece[]): Piece[] {
  const parts: Piece[] = []
  for (const piece of joined(pieces)) {
    if (piece.image !== null) parts.push(piece)
    else for (const text of partsOf(piece.text)) parts.push({ ...piece, text })
  }
  const isSpace = ({ text, image }: Piece) => image === null && text.trim() === ''
  const restyled = parts.flatMap((part, i) => {
    if (!isSpace(part)) return [part]
    const [before, after] = [parts[i - 1], parts[i + 1]]
    if (!before || !after || isSpace(before)) return []
    return [{ ...shared(before, after), text: ' ', image: null }]
  })
  return joined(restyled)
}

function joined(pieces: Piece[]): Piece[] {
  const parts: Piece[] = []
  for (const piece of pieces) {
    const last = parts.at(-1)
    if (piece.text === '' && piece.image === null) continue
    if (last && last.image === null && piece.image === null && sameStyle(last, piece)) last.text += piece.text
    else parts.push({ ...piece })
  }
  return parts
}

/** White space in front, the text, and white space behind, each if there is any. */
function partsOf(text: string): string[] {
  const inner = text.trim()
  if (inner === '') return [text]
  const start = text.length - text.trimStart().length
  return [text.slice(0, start), inner, text.slice(start + inner.length)].filter((part) => part !== '')
}

/** The styles that both have. Styles nest in the order of `levels`: after the first difference there are none. */
function shared(a: Style, b: Style): Style {
  const link = a.link === b.link
  const bold = link && a.bold === b.bold
  const italic = bold && a.italic === b.italic
  return {
    link: link ? a.link : null,
    bold: link && a.bold && b.bold,
    italic: bold && a.italic && b.italic,
    struck: italic && a.struck && b.struck,
    code: false,
  }
}

const sameStyle = (a: Piece, b: Piece): boolean =>
  levels.every((level) => a[level] === b[level]) && a.code === b.code

/** Outermost first. */
const levels = ['link', 'bold', 'italic', 'struck'] as const

/**
 * Writes pieces that have the same styles of the levels above `level`.
 * @param before the character in front, empty at the start of the line
 * @param after the character behind, empty at the end of the line
 */
function write(pieces: Piece[], before: string, after: string, context: Context, level: number): string {
  const name = levels[level]
  const out: string[] = []
  let previous = before
  for (let start = 0; start < pieces.length; ) {
    const piece = pieces[start]!
    let end = start + 1
    while (name && end < pieces.length && pieces[end]![name] === piece[name]) end++
    const next = end < pieces.length ? firstOf(pieces[end]!, level) : after
    const group = pieces.slice(start, end)
    const text = name
      ? styled(name, group, previous, next, context, level)
      : leaf(piece, previous, next, context)
    out.push(text)
    previous = text.slice(-2) || previous
    start = end
  }
  return out.join('')
}

/** The character with which a piece begins, as far as it is known: marks may be left out. */
function firstOf(piece: Piece, level: number): string {
  if (piece.image !== null || (level === 0 && piece.link !== null)) return '['
  if (piece.struck) return '~'
  return piece.code ? '`' : startOf(piece.text)
}

const marks = { bold: '**', italic: '_', struck: '~~' }

function styled(
  name: (typeof levels)[number],
  pieces: Piece[],
  before: string,
  after: string,
  context: Context,
  level: number,
): string {
  const value = pieces[0]![name]
  if (!value) return write(pieces, before, after, context, level + 1)
  if (name === 'link' && isItsAddress(pieces, String(value)))
    return write(pieces, before, after, context, level + 1)
  if (name === 'link') {
    const text = write(pieces, '[', ']', { ...context, inLink: true }, level + 1)
    return `[${text}](${addressOf(String(value))})`
  }
  if (!canMark(pieces, before, after, name === 'italic')) {
    return write(pieces, before, after, context, level + 1)
  }
  const mark = marks[name]
  return mark + write(pieces, mark, mark, context, level + 1) + mark
}

/** True if the text of a link is its address: such a link is text. */
function isItsAddress(pieces: Piece[], address: string): boolean {
  if (pieces.some(({ image }) => image !== null)) return false
  const text = pieces.map((piece) => piece.text).join('')
  return address === text || address === `${text}/` || address === `mailto:${text}`
}

const isSpace = (character: string): boolean => character === '' || /\s/.test(character)
const isPunctuation = (character: string): boolean => /[\p{P}\p{S}]/u.test(character)

/** True if the renderer reads marks around the pieces as emphasis. */
function canMark(pieces: Piece[], before: string, after: string, betweenWords: boolean): boolean {
  const first = pieces[0]!
  const last = pieces.at(-1)!
  const isPlain = (piece: Piece) => piece.image === null && !piece.code && !piece.italic && !piece.struck
  const startsPlain = isPlain(first) && !isPunctuation(startOf(first.text))
  const endsPlain = isPlain(last) && !isPunctuation(endOf(last.text))
  const outside = (character: string) => isSpace(character) || isPunctuation(character)
  const [left, right] = [endOf(before), startOf(after)]
  if (betweenWords && !(outside(left) && outside(right))) return false
  return (startsPlain || outside(left)) && (endsPlain || outside(right))
}

/** The first and last character, which may take two units. */
const startOf = (text: string): string => (text === '' ? '' : String.fromCodePoint(text.codePointAt(0)!))
const endOf = (text: string): string => {
  const low = text.charCodeAt(text.length - 1)
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(-2) : text.slice(-1)
}

/** Code that the renderer would read otherwise, beside code or like the definition of a link, is text. */
function leaf(piece: Piece, before: string, after: string, context: Context): string {
  if (piece.image !== null) {
    return `![${escaped(piece.text, '[', ']', { ...context, inLink: true })}](${addressOf(piece.image)})`
  }
  const isCode = piece.code && !before.endsWith('`') && !piece.text.includes(']:')
  return isCode ? code(piece.text, context) : escaped(piece.text, before, after, context)
}

function code(text: string, { inTable }: Context): string {
  const longest = Math.max(0, ...runsOf(text))
  const fence = '`'.repeat(longest + 1)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return fence + pad + (inTable ? text.replaceAll('|', '\\|') : text) + pad + fence
}

/** The different lengths of the runs of backticks: at most the root of the length of the text. */
const runsOf = (text: string): Set<number> => new Set(text.matchAll(/`+/g).map(([run]) => run.length))

/** A fence for a block of code: longer than all runs of backticks in it. */
export const fenceFor = (text: string): string => '`'.repeat(Math.max(2, ...runsOf(text)) + 1)

const special = /[\\`*_[\]<&~!|]/g
const reference = /(?:#\w{1,8}|\w{1,32})(?:;|$)/y
const wordCharacter = /[\p{L}\p{N}]/u

function escaped(text: string, before: string, after: string, { inTable, inLink }: Context): string {
  return text.replace(special, (character, index: number) => {
    const left = index > 0 ? endOf(text.slice(Math.max(0, index - 2), index)) : endOf(before)
    const isLast = index + 1 === text.length
    const right = startOf(isLast ? after : text.slice(index + 1, index + 3))
    // A mark may come between the last character and the one after it.
    const isMarkup =
      character === '&'
        ? isReference(text, index, after)
        : reads(character, left, right, inTable, inLink) ||
          (isLast && !isSpace(right) && reads(character, left, '*', inTable, inLink))
    return isMarkup ? `\\${character}` : character
  })
}

/** True for an ampersand that begins an entity, or could together with the next piece. */
function isReference(text: string, index: number, after: string): boolean {
  if (index + 1 === text.length) return /[#\w]/.test(after)
  reference.lastIndex = index + 1
  const match = reference.exec(text)?.[0]
  return match !== undefined && (match.endsWith(';') || after !== '')
}

/** True for a character that Markdown would interpret between these neighbours. */
function reads(character: string, left: string, right: string, inTable: boolean, inLink: boolean): boolean {
  switch (character) {
    case '`':
      return true
    case '\\':
      return right === '' || isPunctuation(right)
    case '*':
      return left === '' || !(isSpace(left) && isSpace(right))
    case '_':
      return (
        !(wordCharacter.test(left) && wordCharacter.test(right)) &&
        !(left !== '' && isSpace(left) && isSpace(right))
      )
    case '~':
      return left === '~' || right === '~'
    case '[':
      return inLink
    case ']':
      return inLink || right === '(' || right === '[' || right === ':'
    case '<':
      return !isSpace(right)
    case '!':
      return right === '['
    default:
      return inTable
  }
}

/** The beginnings of lines that make a heading, a quotation, a list, a ruler, or a table. Our own marks are none. */
const opener = /^(?:#{1,6}(?=\s|$)|>|[-+](?=[\s|:-]|$)|=|\||:(?=-)|\d{1,9}[.)](?=\s|$))/
const escapeOpener = (match: string): string => `${match.slice(0, -1)}\\${match.slice(-1)}`

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are encoded too
const encodedInAddress = /[\u0000-\u0020()<>\\"`|\u007f]/g

/** An address in parentheses. Characters that end it, or that Markdown or a table would interpret, are encoded. */
const addressOf = (address: string): string =>
  address
    .replace(encodedInAddress, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replace(/&(?=#|\w)/g, '&amp;')
