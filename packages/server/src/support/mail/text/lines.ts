import { signOf } from './quote-elements.ts'
import { breaksLine, collapse, contentIdOf, isVisible, readVisible } from './visible.ts'

/** A line of a mail that shows something. */
export type Line = {
  /** Its text on one line, without `>` in front; at most `maxText` characters. */
  text: string
  /** Where it begins and ends in the source. */
  from: number
  to: number
  /** How many quotations it is in: `blockquote` elements and `>` in front. */
  depth: number
  /** The number of the outermost element around it that a client made for the mail that is answered; 0: none. */
  container: number
  /** Whether a client's element says that this is an attribution line. */
  isAttribution: boolean
  /** Whether a client's element says that all from here on is the mail that is answered. */
  beginsOriginal: boolean
  /** Whether a ruler is between the line before and this one. */
  isRuled: boolean
  /** Whether an empty line is before it. */
  afterBlank: boolean
  /** Whether it is the first in a `blockquote` element. */
  beginsQuote: boolean
}

/** Signs are shorter. */
const maxText = 1_000
/** A mail of more lines is kept whole. Lists of lines take memory. */
const maxLines = 100_000

/** Lines of a text part; null for too many. */
export function linesOfText(text: string): Line[] | null {
  const lines: Line[] = []
  let afterBlank = false
  for (let from = 0; from < text.length; ) {
    const feed = text.indexOf('\n', from)
    const end = feed < 0 ? text.length : feed
    const source = text.slice(from, Math.min(end, from + 2 * maxText))
    const { depth, rest } = unquoted(source)
    if (isVisible(rest) || depth > 0) {
      if (lines.length === maxLines) return null
      const shown = collapse(rest).trim().slice(0, maxText)
      lines.push({ ...plain, text: shown, from, to: end, depth, afterBlank })
      afterBlank = false
    } else afterBlank = true
    from = end + 1
  }
  return lines
}

const plain = {
  beginsQuote: false,
  container: 0,
  isAttribution: false,
  beginsOriginal: false,
  isRuled: false,
}

/** Takes `>` from the front of a line. */
function unquoted(line: string): { depth: number; rest: string } {
  let depth = 0
  let start = 0
  for (let at = 0; at < line.length && (line[at] === '>' || line[at] === ' '); at++) {
    if (line[at] !== '>') continue
    depth++
    start = at + 1
  }
  return depth > 0 ? { depth, rest: line.slice(start) } : { depth, rest: line }
}

type Open = { isQuote: boolean; container: boolean; attribution: boolean }

/** Lines that HTML shows; null for too many. */
export function linesOfHtml(html: string): Line[] | null {
  const lines: Line[] = []
  const open: Open[] = []
  let [quotes, attributions, containers, containersSeen] = [0, 0, 0, 0]
  let [isRuled, beginsOriginal, beginsQuote, afterBlank, tooMany] = [false, false, false, false, false]
  let current: Line | null = null
  let space = false
  let end = 0

  const line = (): Line => {
    if (!current) {
      const container = containers > 0 ? containersSeen : 0
      const isAttribution = attributions > 0
      current = {
        text: '',
        from: end,
        to: end,
        depth: quotes,
        container,
        isAttribution,
        isRuled,
        beginsOriginal,
        afterBlank,
        beginsQuote,
      }
    }
    return current
  }
  const endLine = (isBreak: boolean) => {
    if (!current) {
      afterBlank ||= isBreak
      return
    }
    if (lines.length === maxLines) tooMany = true
    else {
      const { depth, rest } = unquoted(current.text)
      lines.push({ ...current, text: collapse(rest).trim(), depth: current.depth + depth })
    }
    current = null
    space = false
    isRuled = beginsOriginal = beginsQuote = afterBlank = false
  }
  const add = (piece: string, to: number) => {
    if (!isVisible(piece)) {
      space = true
      return
    }
    const shown = line()
    const text = collapse(piece)
    if (shown.text.length < maxText) shown.text = (shown.text + (space ? ' ' : '') + text).slice(0, maxText)
    shown.to = to
    space = false
  }

  readVisible(html, {
    open({ name, attributes }, style) {
      const sign = signOf(name, attributes, style)
      if (breaksLine.has(name) || sign) endLine(false)
      else if (name === 'br') endLine(true)
      else if (name === 'td' || name === 'th') space = true
      if (name === 'hr' || sign === 'ruler') isRuled = true
      if (sign === 'original') beginsOriginal = true
      const is = {
        isQuote: name === 'blockquote',
        container: sign === 'container',
        attribution: sign === 'attribution',
      }
      open.push(is)
      if (is.isQuote) {
        quotes++
        beginsQuote = true
      }
      if (is.attribution) attributions++
      if (is.container && containers++ === 0) containersSeen++
    },
    close(name) {
      const is = open.pop()!
      if (breaksLine.has(name) || is.container || is.attribution) endLine(false)
      if (is.isQuote) quotes--
      if (is.attribution) attributions--
      if (is.container) containers--
    },
    text(piece, to, keepsLines) {
      if (!keepsLines) add(piece, to)
      else {
        let start = to - piece.length
        for (const [i, part] of piece.split('\n').entries()) {
          if (i > 0) endLine(true)
          start += part.length + (i > 0 ? 1 : 0)
          add(part, start)
        }
      }
      end = to
    },
    image(source, alt, to) {
      if (isVisible(alt)) add(alt, to)
      else if (contentIdOf(source) !== null) line().to = to
      end = to
    },
  })
  endLine(false)
  return tooMany ? null : lines
}
