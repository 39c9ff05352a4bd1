import { Blocks } from './blocks.ts'
import { lineOf, type Piece, type Style, unstyled } from './inline.ts'
import type { Element } from './reading.ts'
import { dataTablesOf } from './tables.ts'
import { breaksLine, collapse, contentIdOf, isVisible, readVisible } from './visible.ts'
import { linkOf } from './web-addresses.ts'

/** Longer than any body. Later text is left out. */
export const maxMarkdown = 1024 * 1024

/**
 * Converts the HTML of a mail to the Markdown that `renderMarkdown` reads. Layout, hidden elements and images that are
 * no part of the mail are left out, texts are escaped.
 * @param imageOf takes the content id of an image, and returns its address, such as `file:file_…`, or null for none
 * @returns empty for a mail that shows nothing
 */
export function markdownOf(html: string, imageOf: (contentId: string) => string | null): string {
  const converter = new Converter(dataTablesOf(html), imageOf)
  readVisible(html, converter)
  return converter.end()
}

/** How an element changes what is in it. */
type Frame = { style: Style; leave: (() => void) | null }

type Table = { rows: string[][]; cell: Piece[] | null }

const emphasis: Record<string, Partial<Style>> = Object.assign(Object.create(null), {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  s: { struck: true },
  strike: { struck: true },
  del: { struck: true },
  code: { code: true },
  tt: { code: true },
  kbd: { code: true },
  samp: { code: true },
})

class Converter {
  private readonly blocks = new Blocks(maxMarkdown)
  private readonly dataTables: Set<number>
  private readonly imageOf: (contentId: string) => string | null
  private readonly frames: Frame[] = [{ style: unstyled, leave: null }]
  private pieces: Piece[] = []
  private hasSpace = false
  /** Whether the line has nothing but spaces that a sender put there. */
  private isBlank = false
  private showsText = false
  /** The length of the texts so far. */
  private length = 0
  private tablesSeen = 0
  private table: Table | null = null
  private heading: number | null = null
  private code: string[] | null = null
  private readonly lists: { next: number | null; isEmpty: boolean }[] = []

  constructor(dataTables: Set<number>, imageOf: (contentId: string) => string | null) {
    this.dataTables = dataTables
    this.imageOf = imageOf
  }

  open(element: Element, css: ReadonlyMap<string, string>): void {
    const { name } = element
    const frame = { style: styleIn(this.frames.at(-1)!.style, element, css), leave: null as Frame['leave'] }
    this.frames.push(frame)
    if (this.blocks.isFull) return
    if (this.code) {
      if (name === 'br' || breaksLine.has(name)) this.code.push('\n')
      return
    }
    if (name === 'br') this.breakLine()
    else if (name === 'td' || name === 'th') this.openCell(frame)
    else if (breaksLine.has(name)) {
      this.endLine()
      frame.leave = this.openBlock(element, css)
    }
  }

  close(name: string): void {
    const { leave } = this.frames.pop()!
    if (breaksLine.has(name) && !this.code) this.endLine()
    leave?.()
  }

  text(text: string, _end: number, keepsLines: boolean): void {
    if (this.blocks.isFull || this.length >= maxMarkdown) return
    const piece = text.slice(0, maxMarkdown - this.length)
    this.length += piece.length
    if (this.code) {
      this.code.push(piece.replaceAll('\r', ''))
      return
    }
    for (const [i, line] of (keepsLines ? piece.split('\n') : [piece]).entries()) {
      if (i > 0) this.breakLine()
      this.add(line)
    }
  }

  image(source: string, alt: string): void {
    const contentId = contentIdOf(source)
    const address = contentId === null || this.code ? null : this.imageOf(contentId)
    if (address === null) {
      this.text(alt, 0, false)
      return
    }
    this.push({ ...this.frames.at(-1)!.style, code: false, text: alt, image: address })
    this.showsText = true
  }

  end(): string {
    this.endLine()
    return this.showsText ? this.blocks.toString().trim() : ''
  }

  private add(piece: string): void {
    if (!isVisible(piece)) {
      if (piece !== '') this.hasSpace = true
      if (piece.includes('\u00a0')) this.isBlank = true
      return
    }
    this.showsText = true
    const text = collapse(piece)
    this.push({ ...this.frames.at(-1)!.style, text, image: null })
  }

  private push(piece: Piece): void {
    const pieces = this.table?.cell ?? this.pieces
    const last = pieces.at(-1)
    const endsWithSpace = last === undefined || (last.image === null && last.text.endsWith(' '))
    const needsSpace = this.hasSpace && !endsWithSpace
    this.hasSpace = false
    if (needsSpace) pieces.push({ ...piece, text: ' ', image: null })
    const isDoubled = (needsSpace || endsWithSpace) && piece.image === null && piece.text.startsWith(' ')
    pieces.push(isDoubled ? { ...piece, text: piece.text.slice(1) } : piece)
  }

  private breakLine(): void {
    if (this.table?.cell || this.heading !== null) this.hasSpace = true
    else if (this.pieces.length > 0) this.endLine()
    else this.blocks.separate(2)
  }

  /** Writes the line that was collected. */
  private endLine(): void {
    if (this.table?.cell) {
      this.hasSpace = true
      return
    }
    const text = lineOf(this.pieces)
    if (text === '') {
      if (this.isBlank) this.blocks.separate(2)
    } else if (this.heading !== null) {
      this.blocks.block([`${'#'.repeat(this.heading)} ${text.replace(/(^| )(#*)#$/, '$1$2\\#')}`])
    } else this.blocks.line(text)
    this.pieces = []
    this.hasSpace = this.isBlank = false
    if (text !== '') this.blocks.separate(1)
  }

  /** @returns what is to be done at its end */
  private openBlock({ name, attributes }: Element, css: ReadonlyMap<string, string>): (() => void) | null {
    if (this.table) {
      if (name === 'tr') this.table.rows.push([])
      return null
    }
    switch (name) {
      case 'p':
        return isLine(attributes, css) ? null : this.openParagraph()
      case 'blockquote':
        return this.openContainer('> ', '> ', 2)
      case 'ul':
      case 'ol':
      case 'menu':
      case 'dir':
        return this.openList(name === 'ol' ? startOf(attributes.start) : null)
      case 'li':
        return this.openItem()
      case 'dl':
        return this.openParagraph()
      case 'hr':
        this.blocks.block(['***'])
        return null
      case 'pre':
        return /\bmoz-/.test(attributes.class ?? '') ? this.openParagraph() : this.openCode()
      case 'table':
        return this.openTable()
    }
    if (!/^h[1-6]$/.test(name)) return null
    const level = Number(name[1])
    this.heading ??= level
    return () => {
      this.heading = null
    }
  }

  private openParagraph(): () => void {
    this.blocks.separate(2)
    return () => this.blocks.separate(2)
  }

  private openContainer(first: string, rest: string, gap: 1 | 2): () => void {
    this.blocks.separate(gap)
    this.blocks.enter(first, rest)
    return () => {
      this.blocks.leave()
      this.blocks.separate(gap)
    }
  }

  private openList(next: number | null): () => void {
    if (this.lists.length === 0) this.blocks.separate(2)
    this.lists.push({ next, isEmpty: true })
    return () => {
      this.lists.pop()
      this.blocks.separate(2)
    }
  }

  private openItem(): () => void {
    const list = this.lists.at(-1)
    const marker = list?.next == null ? '- ' : `${list.next++}. `
    if (list && !(list.isEmpty && this.lists.length === 1)) this.blocks.nextItem()
    if (list) list.isEmpty = false
    return this.openContainer(marker, ' '.repeat(marker.length), 1)
  }

  private openCode(): () => void {
    this.code = []
    return () => {
      const text = this.code!.join('').replace(/^\n/, '').trimEnd()
      this.code = null
      if (!isVisible(text)) return
      this.showsText = true
      this.blocks.code(text)
    }
  }

  private openTable(): (() => void) | null {
    if (!this.dataTables.has(this.tablesSeen++)) return this.openParagraph()
    const table: Table = { rows: [], cell: null }
    this.table = table
    return () => {
      this.table = null
      const [head, ...rows] = table.rows.map((row) => `| ${row.join(' | ')} |`)
      if (!table.rows.some((row) => row.some((cell) => cell !== ''))) return
      this.blocks.block([head!, `|${' --- |'.repeat(table.rows[0]!.length)}`, ...rows])
    }
  }

  private openCell(frame: Frame): void {
    this.hasSpace = true
    const { table } = this
    if (!table) return
    const cell: Piece[] = []
    this.hasSpace = false
    table.cell = cell
    frame.leave = () => {
      table.rows.at(-1)?.push(lineOf(cell, true))
      table.cell = null
      this.hasSpace = false
    }
  }
}

/** Outlook writes each line as a paragraph without margins. */
const isLine = (attributes: Record<string, string>, css: ReadonlyMap<string, string>): boolean =>
  /^(?:x_)*(?:Mso|p\d\b|s\d\b)/.test(attributes.class ?? '') ||
  /^0[a-z]{0,3}(?:\s+0[a-z]{0,3}){0,3}$/.test(css.get('margin') ?? '')

function startOf(value: string | undefined): number {
  return /^\d{1,8}$/.test(value ?? '') ? Number(value) : 1
}

/** The style of text in an element. */
function styleIn(outer: Style, { name, attributes }: Element, css: ReadonlyMap<string, string>): Style {
  if (name === 'a') return { ...outer, link: linkOf(attributes.href ?? '') ?? outer.link }
  const own = emphasis[name]
  const weight = css.get('font-weight')
  const slant = css.get('font-style')
  if (!own && !weight && !slant) return outer
  const style = { ...outer, ...own }
  if (weight) style.bold = weight.startsWith('bold') || /^[6-9]00\b/.test(weight)
  if (slant) style.italic = /^(?:italic|oblique)/.test(slant)
  return style
}
