import MarkdownIt, { type Token } from 'markdown-it'
import sanitizeHtml from 'sanitize-html'
import { type FieldErrorCode, invalidBody } from './errors.ts'
import { type Caller, TookTooLong } from './threads.ts'

/** CommonMark with tables and strikethrough. HTML and links of any kind are left to the allow-list below. */
const markdown = new MarkdownIt({ html: true })
markdown.validateLink = () => true

/** Elements deeper than this are left out. */
const maxDepth = 100
/** Finding the end of an element costs time that grows with the depth, whether it is left out or not. */
const maxOpen = 10_000
/** The parser fills short rows up, with tens of thousands of cells for a text of two thousand characters. */
const maxCells = 10_000
/** A reference that is used a thousand times is written out a thousand times; what nobody would write is refused. */
const maxHtmlLength = (text: string) => 4 * text.length + 512 * 1024

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const blocks = [
  'p',
  'blockquote',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'pre',
  'hr',
  'div',
  'details',
  'summary',
]
const tables = ['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td']
const inline = [
  'a',
  'abbr',
  'b',
  'br',
  'code',
  'del',
  'em',
  'i',
  'img',
  'ins',
  'kbd',
  'mark',
  'q',
  's',
  'small',
]
const more = ['span', 'strong', 'sub', 'sup', 'u']

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [...headings, ...blocks, ...tables, ...inline, ...more],
  allowedAttributes: {
    '*': ['title', 'lang', 'dir'],
    a: ['href', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    ol: ['start'],
    td: ['colspan', 'rowspan', 'style'],
    th: ['colspan', 'rowspan', 'style', 'scope'],
    details: ['open'],
  },
  allowedClasses: { code: ['language-*'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  nestingLimit: maxDepth,
  parseStyleAttributes: false, // for which it would start a parser of CSS for every cell
  transformTags: {
    a: sanitizeHtml.simpleTransform('a', { rel: 'noopener nofollow' }),
    td: keepAlignment,
    th: keepAlignment,
  },
}

/** Columns of tables are aligned by a style; nothing else is left of it. */
function keepAlignment(tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const alignment = attribs.style?.match(/(?:^|;)\s*text-align\s*:\s*(left|right|center)\s*(?:;|$)/)?.[1]
  if (alignment) attribs.style = `text-align:${alignment}`
  else delete attribs.style
  return { tagName, attribs }
}

/** Even a hostile text of this length is rendered within milliseconds, if it has no tables; a thread need not do it. */
const isSmall = (text: string) => text.length <= 2_000 && !text.includes('|')

/**
 * HTML of a Markdown text in which nothing can do harm: elements and attributes are those of a list, links lead to
 * web, mail and telephone addresses.
 * @param pointer where in a request the text stands
 * @throws ApiError 422 for a text over `maxBytes` in UTF-8, or that takes too long, or whose HTML would be out of all proportion
 */
export async function renderMarkdown(
  { env, services }: Caller,
  text: string,
  pointer: string,
  maxBytes: number,
): Promise<string> {
  const refuse = (code: FieldErrorCode, detail: string) => invalidBody({ pointer, code, detail })
  if (Buffer.byteLength(text) > maxBytes)
    throw refuse('too_long', `must have at most ${maxBytes} bytes in UTF-8`)
  try {
    const rendered = isSmall(text)
      ? toHtml(text)
      : await services.threads.run(env.tenantId, import.meta.url, toHtml, text)
    if ('fault' in rendered) throw refuse('too_long', rendered.fault)
    return rendered.html
  } catch (error) {
    if (error instanceof TookTooLong) throw refuse('too_large', 'takes too long to render')
    throw error
  }
}

/** A fault says what the text must not be. */
export function toHtml(text: string): { html: string } | { fault: string } {
  const longest = maxHtmlLength(text)
  const tooLong = { fault: `must not render to more than ${longest} characters of HTML` }
  const environment = {}
  const tokens = markdown.parse(text, environment)
  if (tokens.filter(({ tag, nesting }) => nesting === 1 && /^t[dh]$/.test(tag)).length > maxCells)
    return { fault: `must not have more than ${maxCells} table cells` }
  if (weigh(tokens) > longest) return tooLong
  const html = markdown.renderer.render(tokens, markdown.options, environment)
  if (mostOpen(html) > maxOpen) return { fault: `must not nest more than ${maxOpen} elements` }
  const sanitized = sanitizeHtml(html, allowed).trim()
  return sanitized.length > longest ? tooLong : { html: sanitized }
}

/** How long the HTML will be, more or less, before it is written. */
const weigh = (tokens: Token[]): number =>
  tokens.reduce((sum, { tag, attrs, content, children }) => {
    const attributes = (attrs ?? []).reduce(
      (length, [name, value]) => length + name.length + String(value).length,
      tag.length,
    )
    return sum + attributes + (children ? weigh(children) : content.length)
  }, 0)

/** They have no end. */
const empty = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'wbr'])

/** How many elements are open at once, at most; closing tags close what has their name. */
function mostOpen(html: string): number {
  const open = new Map<string, number>()
  let [now, most] = [0, 0]
  for (const [, slash, tag] of html.matchAll(/<(\/?)([a-z][^\s/>]*)/gi)) {
    const name = tag!.toLowerCase()
    const count = open.get(name) ?? 0
    if (empty.has(name) || (slash && count === 0)) continue
    const step = slash ? -1 : 1
    open.set(name, count + step)
    now += step
    most = Math.max(most, now)
  }
  return most
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/** Longer than nearly all articles; what comes after it is not searched. */
const maxSearched = 1024 * 1024

/** The text of HTML that `renderMarkdown` made, on one line. */
export const textOfHtml = (html: string): string =>
  html
    .slice(0, maxSearched)
    .replace(/<\/?(?:a|abbr|b|code|del|em|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u)(?: [^>]*)?>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity]!)
    .replace(/\s+/g, ' ')
    .trim()
