import MarkdownIt, { type Token } from 'markdown-it'
import sanitizeHtml from 'sanitize-html'
import { invalidBody } from './errors.ts'

/** CommonMark with tables and strikethrough. HTML and links of any kind are left to the allow-list below. */
const markdown = new MarkdownIt({ html: true })
markdown.validateLink = () => true

/** Elements deeper than this are left out: finding the end of each costs time that grows with the depth. */
const maxDepth = 100
/** A reference that is used a thousand times is written out a thousand times; what nobody would write is refused. */
const maxHtmlLength = 4 * 1024 * 1024

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
  // Columns of tables are aligned by a style.
  allowedStyles: { '*': { 'text-align': [/^(?:left|right|center)$/] } },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  nestingLimit: maxDepth,
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener nofollow' }) },
}

/**
 * HTML of a Markdown text in which nothing can do harm: elements and attributes are those of a list, links lead to
 * web, mail and telephone addresses.
 * @param pointer where in a request the text stands
 * @throws ApiError 422 for a text over `maxBytes` in UTF-8, or whose HTML would be out of all proportion
 */
export function renderMarkdown(text: string, pointer: string, maxBytes: number): string {
  const refuse = (detail: string) => invalidBody({ pointer, code: 'too_long', detail })
  if (Buffer.byteLength(text) > maxBytes) throw refuse(`must have at most ${maxBytes} bytes in UTF-8`)
  const environment = {}
  const tokens = markdown.parse(text, environment)
  if (weigh(tokens) > maxHtmlLength)
    throw refuse(`must not lead to more than ${maxHtmlLength} characters of HTML`)
  return sanitizeHtml(markdown.renderer.render(tokens, markdown.options, environment), allowed).trim()
}

/** How long the HTML will be, more or less, before it is written. */
const weigh = (tokens: Token[]): number =>
  tokens.reduce((sum, { attrs, content, children }) => {
    const attributes = (attrs ?? []).reduce(
      (length, [name, value]) => length + name.length + String(value).length,
      0,
    )
    return sum + attributes + (children ? weigh(children) : content.length)
  }, 0)

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/** The text of HTML that `renderMarkdown` made, on one line. */
export const textOfHtml = (html: string): string =>
  html
    .replace(/<\/?(?:a|abbr|b|code|del|em|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u)(?: [^>]*)?>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity]!)
    .replace(/\s+/g, ' ')
    .trim()
