import { words } from '../../../platform/kernel/words.ts'
import { type Element, readHtml } from './reading.ts'
import { declarationsOf, hasSize, isHidden, isPixel, keepsLines, noDeclarations } from './styles.ts'

/** The elements and texts of a mail that its reader sees. */
export type VisibleVisitor = {
  open(element: Element, style: ReadonlyMap<string, string>): void
  close(name: string): void
  /** @param keepsLines whether line feeds in the text are line breaks */
  text(piece: string, end: number, keepsLines: boolean): void
  /** @param alt its description, on one line */
  image(source: string, alt: string, end: number): void
}

/** Elements whose content no mail client shows as text. */
export const unseen = new Set(
  words('script style title xml template textarea select svg math iframe noembed noframes canvas'),
)

type Frame = { shown: boolean; hasSize: boolean; keepsLines: boolean }

/** Reads what a mail shows: without scripts, hidden elements and tracking pixels. */
export function readVisible(html: string, visitor: VisibleVisitor): void {
  const frames: Frame[] = [{ shown: true, hasSize: true, keepsLines: false }]
  readHtml(html, {
    open(element) {
      const parent = frames.at(-1)!
      const { name, attributes } = element
      const style = attributes.style ? declarationsOf(attributes.style) : noDeclarations
      const frame = {
        shown: parent.shown && !unseen.has(name) && attributes.hidden === undefined && !isHidden(name, style),
        hasSize: hasSize(style) ?? parent.hasSize,
        keepsLines: keepsLines(style) ?? (name === 'pre' || name === 'listing' || parent.keepsLines),
      }
      frames.push(frame)
      if (!frame.shown) return
      if (name !== 'img') visitor.open(element, style)
      else if (!isPixel(attributes, style)) {
        visitor.image((attributes.src ?? '').trim(), onOneLine(attributes.alt ?? ''), element.end)
      }
    },
    close(name) {
      if (frames.pop()!.shown && name !== 'img') visitor.close(name)
    },
    text(piece, end) {
      const frame = frames.at(-1)!
      if (frame.shown && frame.hasSize) visitor.text(piece, end, frame.keepsLines)
    },
  })
}

/** White space, and characters without width that senders pad previews with. */
const blank = /(?:[\s\u00ad\u061c\u115f\u180e\u200b-\u200f\u2060-\u2064\ufeff]|\u034f)+/g
/** Anything but single spaces between characters with width. */
const unusual = /[^\S ]|\s{2}|\u034f|[\u00ad\u061c\u115f\u180e\u200b-\u200f\u2060-\u2064\ufeff]/
const onlyJoiners = /^[\u200c-\u200f\u061c]+$/

/**
 * Makes each run of white space one space. Characters without width go, but those that join or direct letters stay
 * within words.
 */
export const collapse = (text: string): string =>
  !unusual.test(text)
    ? text
    : text.replace(blank, (run) => (onlyJoiners.test(run) ? run : /[^\S\ufeff]/.test(run) ? ' ' : ''))

const onOneLine = (text: string): string => collapse(text).trim()

const visible = /(?!\u034f)[^\s\u00ad\u061c\u115f\u180e\u200b-\u200f\u2060-\u2064\ufeff]/

/** True if anything of the text can be seen. */
export const isVisible = (text: string): boolean => visible.test(text)

/** Elements that begin and end a line. */
export const breaksLine = new Set(
  words(`
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p pre
    section summary table tbody tfoot thead tr ul xmp`),
)

/** The content id of an image, without brackets; null for an image that is no part of the mail. */
export function contentIdOf(source: string): string | null {
  if (!/^cid:/i.test(source)) return null
  const text = source.slice(4)
  let id = text
  try {
    id = decodeURIComponent(text)
  } catch {
    // A percent sign that begins no sequence is itself.
  }
  return id.startsWith('<') && id.endsWith('>') ? id.slice(1, -1) : id
}
