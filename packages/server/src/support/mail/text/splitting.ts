import { historyStart } from './history.ts'
import { type Line, linesOfHtml, linesOfText } from './lines.ts'

/**
 * Cuts the quoted history from the end of an HTML part. Elements that are open where it begins are not closed.
 * @returns `quotedHtml` null, and the whole as `html`, if there is no history at the end with its sign
 */
export function splitHtml(html: string): { html: string; quotedHtml: string | null } {
  const at = startOf(linesOfHtml(html))
  return at === null ? { html, quotedHtml: null } : { html: html.slice(0, at), quotedHtml: html.slice(at) }
}

/**
 * Cuts the quoted history from the end of a text part.
 * @returns `quoted` null, and the whole as `body`, if there is no history at the end with its sign
 */
export function splitText(text: string): { body: string; quoted: string | null } {
  const at = startOf(linesOfText(text))
  if (at === null) return { body: text, quoted: null }
  return {
    body: text.slice(0, at).trimEnd(),
    quoted: text
      .slice(at)
      .replace(/^\s*\n/, '')
      .trimEnd(),
  }
}

function startOf(lines: Line[] | null): number | null {
  const start = lines && historyStart(lines)
  return start === null ? null : lines![start - 1]!.to
}
