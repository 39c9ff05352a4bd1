import sanitizeHtml from 'sanitize-html'
import { escapeHtml } from '../../../platform/kernel/html-images.ts'
import { words } from '../../../platform/kernel/words.ts'
import { readHtml } from './reading.ts'
import { safeStyle } from './safe-style.ts'
import { contentIdOf, unseen } from './visible.ts'
import { linkOf } from './web-addresses.ts'

/** Elements nested deeper than this lose their tags. */
const maxDepth = 250

const sizes = words('width height align valign bgcolor')

const allowed: sanitizeHtml.IOptions = {
  allowedTags: words(`
    a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div
    dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q
    s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr`),
  allowedAttributes: {
    '*': ['style', 'title', 'lang', 'dir', 'align'],
    a: ['href', 'rel', 'target'],
    img: ['src', 'alt', 'width', 'height', 'border', 'hspace', 'vspace'],
    font: ['color', 'face', 'size'],
    ol: ['start', 'type', 'reversed'],
    ul: ['type'],
    li: ['value', 'type'],
    table: [...sizes, 'border', 'cellpadding', 'cellspacing', 'rules', 'frame'],
    tr: sizes,
    td: [...sizes, 'colspan', 'rowspan', 'nowrap'],
    th: [...sizes, 'colspan', 'rowspan', 'nowrap', 'scope'],
    col: [...sizes, 'span'],
    colgroup: [...sizes, 'span'],
    hr: ['width', 'size', 'color', 'noshade'],
    details: ['open'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  nestingLimit: maxDepth,
  parseStyleAttributes: false, // `safeStyle` has read them
}

/**
 * Makes the HTML of a mail safe to show as it was sent. Nothing in it loads anything but images of the mail itself;
 * links to the web, mail and telephone stay.
 * @param urlOf takes the content id of an image and returns its address, or null for none
 */
export function safeHtml(html: string, urlOf: (contentId: string) => string | null): string {
  const urls = new Set<string>()
  const wellFormed = rewritten(html, (contentId) => {
    const url = urlOf(contentId)
    if (url !== null) urls.add(url)
    return url
  })
  const isOurs = (src: string | undefined) => src !== undefined && urls.has(src)
  return sanitizeHtml(wellFormed, {
    ...allowed,
    // Addresses of our own routes may be relative; all others are gone.
    allowedSchemesAppliedToAttributes: ['href'],
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isOurs(attribs.src),
  })
}

/**
 * Writes HTML anew with every element closed, and not too deep: the sanitizer takes time that grows with the depth.
 * Images that are no part of the mail become their descriptions.
 */
function rewritten(html: string, urlOf: (contentId: string) => string | null): string {
  const out: string[] = []
  let unseenDepth = 0
  const open: string[] = []
  readHtml(html, {
    open({ name, attributes }) {
      const isUnseen = unseen.has(name)
      if (isUnseen) unseenDepth++
      const isWritten = unseenDepth === 0 && open.length < maxDepth && /^[a-z][a-z0-9]*$/.test(name)
      const tag = name === 'body' ? 'div' : name
      open.push(isWritten ? tag : '')
      if (!isWritten) return
      const own = name === 'img' ? imageAttributes(attributes, urlOf) : ownAttributes(name, attributes)
      if (own) out.push(`<${tag}`, ...Object.entries(own).map(attributeOf), '>')
      else if (attributes.alt) out.push(escapeHtml(attributes.alt))
    },
    close(name) {
      if (unseen.has(name)) unseenDepth--
      const tag = open.pop()
      if (tag && !isVoid.has(tag)) out.push(`</${tag}>`)
    },
    text(piece) {
      if (unseenDepth === 0) out.push(escapeHtml(piece))
    },
  })
  return out.join('')
}

const isVoid = new Set(
  words('area base basefont br col embed frame hr img input link meta param source track wbr'),
)

const attributeOf = ([name, value]: [string, string]): string => ` ${name}="${escapeHtml(value)}"`

const attributeName = /^[a-z]+$/

function ownAttributes(name: string, attributes: Record<string, string>): Record<string, string> {
  const own: Record<string, string> = {}
  for (const [attribute, value] of Object.entries(attributes)) {
    if (!attributeName.test(attribute) || attribute === 'href') continue
    const kept = attribute === 'style' ? safeStyle(value) : value
    if (attribute !== 'style' || kept !== '') own[attribute] = kept
  }
  if (name === 'body' && own.bgcolor) {
    return { ...own, style: safeStyle(`background-color:${own.bgcolor};${own.style ?? ''}`) }
  }
  if (name !== 'a') return own
  const { target: _target, rel: _rel, ...others } = own
  const href = linkOf(attributes.href ?? '')
  return href === null ? others : { ...others, href, target: '_blank', rel: 'noopener noreferrer nofollow' }
}

/** Null for an image that is no part of the mail. */
function imageAttributes(
  attributes: Record<string, string>,
  urlOf: (contentId: string) => string | null,
): Record<string, string> | null {
  const contentId = contentIdOf((attributes.src ?? '').trim())
  const src = contentId === null ? null : urlOf(contentId)
  return src === null ? null : { ...ownAttributes('img', attributes), src }
}
