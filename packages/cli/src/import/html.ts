import { parseDocument } from 'htmlparser2'

type Node = ReturnType<typeof parseDocument>['children'][number]
type Element = Extract<Node, { attribs: Record<string, string> }>

/** Returns what stands for an image until its file is there; null for an image that is left out. */
export type ImageOf = (source: string, description: string) => string | null

const blocks = new Set(
  `address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4
  h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead tr ul`.split(/\s+/),
)
const skipped = new Set('head script style template title noscript object iframe svg math'.split(' '))
const marks: Record<string, string> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  s: '~~',
  del: '~~',
  strike: '~~',
}
/** Elements nested deeper than this are text. */
const maxDepth = 100

/** Converts the HTML of a message to Markdown. Layout, colours and scripts are left out. */
export function markdownOf(html: string, imageOf: ImageOf): string {
  const root = parseDocument(html)
  return new Converter(imageOf, withBlocks(root.children)).blocksOf(root.children, 0).join('\n\n').trim()
}

const isElement = (node: Node): node is Element => 'attribs' in node
const childrenOf = (node: Node): Node[] => ('children' in node ? node.children : [])

/** All elements that are blocks, or contain one. */
function withBlocks(nodes: Node[]): Set<Node> {
  const found = new Set<Node>()
  const waiting = [...nodes]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    waiting.push(...childrenOf(node))
    if (!isElement(node) || !blocks.has(node.name)) continue
    for (let each: Node | null = node; each && !found.has(each); each = each.parent as Node | null)
      found.add(each)
  }
  return found
}

function textOf(nodes: Node[]): string {
  let text = ''
  const waiting = nodes.toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'text') text += node.data
    else if (isElement(node) && node.name === 'br') text += '\n'
    else waiting.push(...childrenOf(node).toReversed())
  }
  return text
}

/** Characters that Markdown would interpret. An underscore within a word is none. */
const escaped = (text: string): string =>
  text
    .replace(/[\\`*[\]<]|~~|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, (found) => `\\${found}`)
    .replace(/&(?=#?\w+;)/g, '\\&')

/** A line that would begin a heading, a list or a quotation. */
const asText = (line: string): string =>
  line.replace(/^(?=(?:#{1,6}|[-+>=])(?:\s|$)|>)|^(\d{1,9})(?=[.)]\s)/, '$1\\')

const indented = (text: string, first: string, rest: string): string =>
  text
    .split('\n')
    .map((line, i) => (i === 0 ? first + line : line && rest + line))
    .join('\n')

class Converter {
  readonly #imageOf: ImageOf
  readonly #blocks: Set<Node>

  constructor(imageOf: ImageOf, blocks: Set<Node>) {
    this.#imageOf = imageOf
    this.#blocks = blocks
  }

  blocksOf(nodes: Node[], depth: number): string[] {
    const found: string[] = []
    let inline: Node[] = []
    const end = () => {
      const text = this.#paragraph(inline, depth)
      if (text) found.push(text)
      inline = []
    }
    for (const node of nodes) {
      if (!this.#blocks.has(node)) inline.push(node)
      else {
        end()
        found.push(...this.#block(node as Element, depth + 1).filter(Boolean))
      }
    }
    end()
    return found
  }

  #paragraph(nodes: Node[], depth: number): string {
    const lines = this.#inline(nodes, depth)
      .replace(/[ \t\u00a0]*\n[ \t\u00a0]*/g, '\n')
      .trim()
      .split('\n')
    return lines
      .map((line, i) => asText(line) + (line && lines[i + 1] ? '\\' : ''))
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
  }

  #block(node: Element, depth: number): string[] {
    const { name, children } = node
    if (skipped.has(name)) return []
    if (depth > maxDepth) return [escaped(textOf(children)).trim()]
    const below = () => this.blocksOf(children, depth)
    if (name === 'hr') return ['---']
    if (name === 'pre') {
      const text = textOf(children).replace(/^\n|\s+$/g, '')
      const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([each]) => each.length + 1)))
      return text ? [`${fence}\n${text}\n${fence}`] : []
    }
    if (name === 'blockquote') {
      const text = below().join('\n\n')
      return text
        ? [
            text
              .split('\n')
              .map((line) => `> ${line}`.trimEnd())
              .join('\n'),
          ]
        : []
    }
    if (/^h[1-6]$/.test(name))
      return [`${'#'.repeat(Number(name[1]))} ${below().join(' ').replaceAll('\\\n', ' ')}`]
    if (name === 'ul' || name === 'ol') return [this.#list(node, depth)]
    if (name === 'tr') return [this.#row(node, depth)]
    if (/^(?:table|tbody|thead|tfoot)$/.test(name)) return [rowsOf(below())]
    return below()
  }

  #list({ name, children, attribs }: Element, depth: number): string {
    const items = children.filter((node) => isElement(node) || (node.type === 'text' && node.data.trim()))
    const start = Number(attribs.start) || 1
    return items
      .map((item, i) => {
        const mark = name === 'ol' ? `${start + i}. ` : '- '
        const text = this.blocksOf(
          isElement(item) && item.name === 'li' ? item.children : [item],
          depth,
        ).join('\n\n')
        return indented(text.replace(/\n\n(?=(?:- |\d+\. ))/g, '\n'), mark, ' '.repeat(mark.length))
      })
      .join('\n')
  }

  /** A row of a table with one cell is a block: mails are laid out by tables. */
  #row({ children }: Element, depth: number): string {
    const cells = children.filter(isElement).map((cell) => this.blocksOf(cell.children, depth))
    const filled = cells.filter((cell) => cell.length > 0)
    if (filled.length < 2) return filled.flat().join('\n\n')
    return filled.map((cell) => cell.join(' ').replaceAll('\n', ' ')).join(' | ')
  }

  #inline(nodes: Node[], depth: number): string {
    if (depth > maxDepth) return escaped(textOf(nodes))
    return nodes.map((node) => this.#span(node, depth + 1)).join('')
  }

  #span(node: Node, depth: number): string {
    if (node.type === 'text') return escaped(node.data.replace(/[ \t\r\n]+/g, ' '))
    if (!isElement(node) || skipped.has(node.name)) return ''
    const { name, children, attribs } = node
    if (name === 'br') return '\n'
    if (name === 'img') return this.#image(attribs)
    const text = this.#inline(children, depth)
    if (name === 'code' || name === 'tt') return codeOf(textOf(children))
    if (name === 'a') return linkOf(text, attribs.href)
    const mark = marks[name]
    const [, before, content, after] = /^(\s*)(.*?)(\s*)$/s.exec(text)!
    return mark && content && !content.includes('\n') ? `${before}${mark}${content}${mark}${after}` : text
  }

  #image({ src = '', alt = '' }: Record<string, string>): string {
    const description = escaped(alt.replace(/\s+/g, ' ').trim())
    const place = src && this.#imageOf(src, alt)
    return place ? `![${description}](${place})` : description
  }
}

/** Rows of several cells are lines of one paragraph. */
const rowsOf = (rows: string[]): string =>
  rows.join(rows.every((row) => /^[^\n]* \| /.test(row)) ? '\\\n' : '\n\n')

function codeOf(text: string): string {
  if (text.trim() === '') return text
  const fence = '`'.repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([each]) => each.length)) + 1)
  const space = /^`|`$/.test(text) ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}

function linkOf(text: string, href = ''): string {
  const address = href.trim()
  if (!/^(?:https?|mailto|tel):/i.test(address)) return text
  const shown = text.trim().replace(/\s+/g, ' ')
  if (shown === '') return ''
  const target = address
    .replace(/[\s<>()]/g, encodeURIComponent)
    .replaceAll('(', '%28')
    .replaceAll(')', '%29')
  if (/^https?:/i.test(address) && shown.replaceAll('\\', '') === address)
    return `<${address.replace(/[\s<>]/g, encodeURIComponent)}>`
  return `[${shown}](${target})`
}
