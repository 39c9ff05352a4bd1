import type { Line } from './lines.ts'
import { attributionAt, beginsOriginal, forwardHeaderAt } from './signs.ts'

/**
 * Finds the index of the line at which quoted history begins: history has its sign, reaches to the end, and has words
 * above it. The first quotation of a mail decides: words after it, a quotation without a sign, and a forwarded mail
 * keep the whole.
 * @returns null if there is none
 */
export function historyStart(lines: Line[]): number | null {
  for (const [i, line] of lines.entries()) {
    if (forwardHeaderAt(lines, i)) return null
    const start = quotationAt(lines, i)
    if (start) return i > 0 && start.reachesEnd ? i : null
    if (line.depth > 0) return null
  }
  return null
}

/** The quotation that begins at this line with its sign; null if none does. */
function quotationAt(lines: Line[], at: number): { reachesEnd: boolean } | null {
  const line = lines[at]!
  if (line.container > 0) return { reachesEnd: isWholeContainer(lines, at) }
  if (beginsOriginal(lines, at)) return { reachesEnd: true }
  const isQuoted = (each: Line) => each.depth > line.depth || each.container > 0
  const count = attributionAt(lines, at, isQuoted)
  if (count > 0) return { reachesEnd: lines.slice(at + count).every(isQuoted) }
  // Apple Mail puts the attribution into the quotation.
  const isRest = (each: Line) => each.depth >= line.depth
  if (line.beginsQuote && attributionAt(lines, at, isRest) === 1) {
    return { reachesEnd: lines.slice(at + 1).every(isRest) }
  }
  return null
}

/** A client's element may begin with a few lines about the mail, before the `blockquote` with its text. */
const maxIntroduction = 8

/**
 * True if all from this line on is in clients' elements, and nothing in them is outside of the quotation: an answer
 * between two parts of the text is in the same element.
 */
function isWholeContainer(lines: Line[], at: number): boolean {
  const { depth } = lines[at]!
  let isQuoted = false
  for (let i = at; i < lines.length; i++) {
    const line = lines[i]!
    if (line.container === 0) return false
    if (line.depth > depth) isQuoted ||= i - at <= maxIntroduction
    else if (isQuoted) return false
  }
  return true
}
