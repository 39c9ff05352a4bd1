import MarkdownIt, { type Token } from 'markdown-it'
import sanitizeHtml from 'sanitize-html'
import { type FieldErrorCode, invalidBody } from './errors.ts'
import { describeImages, fileIdIn, isFileAddress } from './html-images.ts'
import { type Caller, TookTooLong } from './threads.ts'
import { words } from './words.ts'

/** CommonMark with tables and strikethrough. The allow-list below filters HTML and links. */
const markdown = new MarkdownIt({ html: true })
markdown.validateLink = () => true

/** Elements nested deeper than this are removed. */
const maxDepth = 100
/** The parser searches the end of an element in time that grows with the depth, for removed elements too. */
const maxOpen = 10_000
/** The parser pads short rows: two thousand characters can become tens of thousands of cells. */
const maxCells = 10_000
/** A reference that is used a thousand times is expanded a thousand times. Authors stay far below this limit. */
const maxHtmlLength = (text: string) => 4 * text.length + 512 * 1024
/** Lists show many texts at once if somebody else has written them, such as messages. */
const maxHtmlLengthOfMany = (text: string) => 4 * text.length + 64 * 1024

const schemes = ['http', 'https', 'mailto', 'tel']

const allowed: sanitizeHtml.IOptions = {
  allowedTags: words(`
    h1 h2 h3 h4 h5 h6
    p blockquote ul ol li dl dt dd pre hr div details summary
    table caption thead tbody tfoot tr th td
    a abbr b br code del em i img ins kbd mark q s small span strong sub sup u`),
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
  allowedSchemes: schemes,
  allowedSchemesByTag: { img: [...schemes, 'file'] },
  allowProtocolRelative: false,
  nestingLimit: maxDepth,
  parseStyleAttributes: false, // otherwise it parses CSS for every cell
  transformTags: {
    img: normalizeFileAddress,
    a: sanitizeHtml.simpleTransform('a', { rel: 'noopener nofollow' }),
    td: keepAlignment,
    th: keepAlignment,
  },
}

/** Addresses of the scheme `file` are `file:` and the id of a file; others become `file:` alone. */
function normalizeFileAddress(tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const { src } = attribs
  if (src !== undefined && fileIdIn(src) === null && isFileAddress(src)) attribs.src = 'file:'
  return { tagName, attribs }
}

/** Keeps the alignment of table columns, the only allowed style. */
function keepAlignment(tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const alignment = attribs.style?.match(/(?:^|;)\s*text-align\s*:\s*(left|right|center)\s*(?:;|$)/)?.[1]
  if (alignment) attribs.style = `text-align:${alignment}`
  else delete attribs.style
  return { tagName, attribs }
}

/** The worst text of this length without a table renders within milliseconds, so it needs no thread. */
const isSmall = (text: string) => text.length <= 2_000 && !text.includes('|')

/** Images of files stay where a caller says so: it knows which files the text may show. */
const isNoFile = (src: string): boolean => !src.startsWith('file:')

/**
 * Renders Markdown to safe HTML: elements and attributes of an allow-list, links to web, mail and telephone
 * addresses.
 * @param pointer the field of the request
 * @param keepsImage false for addresses of images that become their descriptions. Those of files are `file:` and the
 * id of a file in the result.
 * @throws ApiError 422 for a text over `maxBytes` in UTF-8, a slow text, or HTML of disproportionate length
 */
export async function renderMarkdown(
  caller: Caller,
  text: string,
  pointer: string,
  maxBytes: number,
  keepsImage: (src: string) => boolean = isNoFile,
): Promise<string> {
  const refuse = (code: FieldErrorCode, detail: string) => invalidBody({ pointer, code, detail })
  if (Buffer.byteLength(text) > maxBytes)
    throw refuse('too_long', `must have at most ${maxBytes} bytes in UTF-8`)
  try {
    const rendered = await render(caller, text, maxHtmlLength(text))
    if ('fault' in rendered) throw refuse('too_long', rendered.fault)
    return describeImages(rendered.html, keepsImage)
  } catch (error) {
    if (error instanceof TookTooLong) throw refuse('too_large', 'takes too long to render')
    throw error
  }
}

/**
 * Renders Markdown that somebody else has written to safe HTML; null if it takes too long or becomes too long.
 * @param keepsImage as in `renderMarkdown`
 */
export async function renderedOrNull(
  caller: Caller,
  text: string,
  keepsImage: (src: string) => boolean,
): Promise<string | null> {
  try {
    const rendered = await render(caller, text, maxHtmlLengthOfMany(text))
    return 'fault' in rendered ? null : describeImages(rendered.html, keepsImage)
  } catch (error) {
    if (error instanceof TookTooLong) return null
    throw error
  }
}

const render = async ({ env, services }: Caller, text: string, longest: number): Promise<Rendered> =>
  isSmall(text)
    ? toHtml(text, longest)
    : services.threads.run(env.tenantId, import.meta.url, toHtml, text, longest)

type Rendered = { html: string } | { fault: string }

/**
 * `fault` is the detail of a validation error. Images of files stay.
 * @param longest the maximum length of the HTML
 */
export function toHtml(text: string, longest: number): Rendered {
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

/** Estimates the length of the HTML before it is rendered. */
const weigh = (tokens: Token[]): number =>
  tokens.reduce((sum, { tag, attrs, content, children }) => {
    const attributes = (attrs ?? []).reduce(
      (length, [name, value]) => length + name.length + String(value).length,
      tag.length,
    )
    return sum + attributes + (children ? weigh(children) : content.length)
  }, 0)

/** Void elements have no end tag. */
const empty = new Set(words('area base br col embed hr img input link meta wbr'))

/** Counts the maximum number of open elements; an end tag closes the elements up to its name. */
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

/** Elements after which text goes on in the same line. */
const isInline = ({ type }: Token) => type === 'text' || type === 'code_inline'

/**
 * The text of Markdown without its marks, on one line: words of links stay, images and raw HTML do not.
 */
export const plainTextOf = (text: string): string => onOneLine(wordsIn(markdown.parse(text, {})))

const wordsIn = (tokens: Token[]): string =>
  tokens
    .map((token) => {
      if (token.children && token.type === 'inline') return wordsIn(token.children)
      if (isInline(token)) return token.content
      if (token.type === 'fence' || token.type === 'code_block') return `${token.content} `
      return token.block || token.type.endsWith('break') ? ' ' : ''
    })
    .join('')

export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/** Longer than nearly all articles; later text is not searchable. */
const maxSearched = 1024 * 1024

/** The text of HTML from `renderMarkdown`, on one line. */
export const textOfHtml = (html: string): string =>
  html
    .slice(0, maxSearched)
    .replace(/<\/?(?:a|abbr|b|code|del|em|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u)(?: [^>]*)?>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity]!)
    .replace(/\s+/g, ' ')
    .trim()
