/*
 * HTML and SVG in the bytes of a file. The signatures are those of the WHATWG MIME Sniffing Standard, section 7.1
 * (https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type). It knows no SVG: the root
 * element after an XML declaration, comments and a DOCTYPE decides.
 */

const space = /[\t\n\f\r ]/

/** The elements of the standard; a space or `>` follows. */
const elements = 'html head script iframe h1 div font table a style title b body br p'.split(' ')

/** @param text the beginning of the file, without a byte order mark */
export function markupOf(text: string): 'html' | 'svg' | null {
  const root = rootOf(text)
  const name = /^<([a-z][\w.-]*:)?([a-z][\w.-]*)(?=[\s/>])/i
    .exec(text.slice(root, root + 200))?.[2]
    ?.toLowerCase()
  if (name === 'svg') return 'svg'
  if (name !== undefined && elements.includes(name)) return 'html'
  const start = text.slice(skipSpace(text, 0)).slice(0, 20)
  return /^<!--|^<!doctype html[\s>]/i.test(start) ? 'html' : null
}

/** The index of the first element: after spaces, processing instructions, comments and a DOCTYPE. */
function rootOf(text: string): number {
  for (let at = skipSpace(text, 0); ; at = skipSpace(text, at)) {
    const end = text.startsWith('<?', at)
      ? endOf(text, '?>', at)
      : text.startsWith('<!--', at)
        ? endOf(text, '-->', at + 2)
        : /^<!doctype/i.test(text.slice(at, at + 9))
          ? endOfDoctype(text, at)
          : null
    if (end === null) return at
    at = end
  }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && space.test(text[at]!)) at++
  return at
}

/** The index after the next `mark`, or the end of the text. */
function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}

/** A DOCTYPE can have declarations in brackets, which have a `>` of their own. */
function endOfDoctype(text: string, from: number): number {
  const end = endOf(text, '>', from)
  const bracket = text.indexOf('[', from)
  return bracket < 0 || bracket > end ? end : endOf(text, '>', endOf(text, ']', bracket))
}
