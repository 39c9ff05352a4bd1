import { type QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { words } from '../../../platform/kernel/words.ts'

/*
 * Reads HTML in time that is linear in its length. The parser of htmlparser2 searches its list of open elements for
 * each end tag, so mail that nests 100,000 elements takes minutes. This reader uses the tokenizer alone and keeps at
 * most `maxDepth` elements open.
 */

/** `end` is the offset in the HTML after the start tag. */
export type Element = { name: string; attributes: Record<string, string>; end: number }

export type Visitor = {
  /** Elements without an end tag, such as `br`, are opened and closed at once. */
  open(element: Element): void
  close(name: string): void
  /** @param end the offset in the HTML after the piece; a text may come in several pieces */
  text(piece: string, end: number): void
}

/** Mail threads of fifty answers nest about 200 elements. */
const maxDepth = 500
const maxAttributes = 64

const isVoid = new Set(
  words('area base basefont br col embed frame hr img input link meta param source track wbr'),
)

const list = (names: string) => new Set(words(names))

type ImpliedEnd = { of: Set<string>; within: Set<string> }

const cells: ImpliedEnd = { of: list('td th'), within: list('table tr') }
const rows: ImpliedEnd = { of: list('tr td th'), within: list('table') }
const items: ImpliedEnd = { of: list('li'), within: list('ul ol menu dir table td th blockquote') }
const terms: ImpliedEnd = { of: list('dt dd'), within: list('dl table td th blockquote') }
const sections: ImpliedEnd = { of: list('thead tbody tfoot tr td th'), within: list('table') }

/** A start tag ends the innermost element of these, unless it is outside of one of `within`. */
const impliedEnds = new Map<string, ImpliedEnd>(
  Object.entries({
    td: cells,
    th: cells,
    tr: rows,
    li: items,
    dt: terms,
    dd: terms,
    thead: sections,
    tbody: sections,
    tfoot: sections,
  }),
)
/** Such an element is among the innermost ones. */
const maxImplied = 20

/** A start tag ends a paragraph that is the innermost element. */
const endsParagraph = list(`
  address article aside blockquote center details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main
  nav ol p pre section table ul`)

/** Reads a document or a fragment. Every element that is opened is closed, in the right order. */
export function readHtml(html: string, visitor: Visitor): void {
  const tokenizer = new Tokenizer({}, new Reader(html, visitor))
  tokenizer.write(html)
  tokenizer.end()
}

class Reader implements TokenizerCallbacks {
  private readonly html: string
  private readonly visitor: Visitor
  /** Innermost last. */
  private readonly stack: string[] = []
  /** How many elements of each name are in `stack`. */
  private readonly open = new Map<string, number>()
  /** The elements beyond `maxDepth` whose end tags are still to come. */
  private readonly ignored = new Map<string, number>()
  private name = ''
  private attributes: Record<string, string> = {}
  private attributeCount = 0
  private attribute = ''
  private value = ''

  constructor(html: string, visitor: Visitor) {
    this.html = html
    this.visitor = visitor
  }

  onopentagname(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase()
    this.name = name === 'image' ? 'img' : name
    this.attributes = {}
    this.attributeCount = 0
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, end).toLowerCase()
    this.value = ''
  }

  onattribdata(start: number, end: number): void {
    this.value += this.html.slice(start, end)
  }

  onattribentity(codepoint: number): void {
    this.value += String.fromCodePoint(codepoint)
  }

  onattribend(_quote: QuoteType, _end: number): void {
    if (this.attributeCount++ >= maxAttributes || Object.hasOwn(this.attributes, this.attribute)) return
    // `__proto__` would be the prototype, which no reader looks at.
    if (this.attribute !== '__proto__') this.attributes[this.attribute] = this.value
  }

  onopentagend(end: number): void {
    const { name, attributes } = this
    this.endImplied(name)
    this.visitor.open({ name, attributes, end: end + 1 })
    if (isVoid.has(name)) this.visitor.close(name)
    else if (this.stack.length < maxDepth) {
      this.stack.push(name)
      add(this.open, name, 1)
    } else {
      this.visitor.close(name)
      add(this.ignored, name, 1)
    }
  }

  onselfclosingtag(end: number): void {
    this.onopentagend(end)
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase()
    if (name === 'br') {
      this.visitor.open({ name, attributes: {}, end: end + 1 })
      this.visitor.close(name)
    } else if (this.ignored.get(name)) add(this.ignored, name, -1)
    else if (this.open.get(name)) while (this.pop() !== name);
  }

  ontext(start: number, end: number): void {
    this.visitor.text(this.html.slice(start, end), end)
  }

  ontextentity(codepoint: number, end: number): void {
    this.visitor.text(String.fromCodePoint(codepoint), end)
  }

  onend(): void {
    while (this.stack.length > 0) this.pop()
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  private endImplied(name: string): void {
    if (endsParagraph.has(name) && this.stack.at(-1) === 'p') this.pop()
    const implied = impliedEnds.get(name)
    if (!implied) return
    let outermost = -1
    const last = Math.max(0, this.stack.length - maxImplied)
    for (let i = this.stack.length - 1; i >= last && !implied.within.has(this.stack[i]!); i--) {
      if (implied.of.has(this.stack[i]!)) outermost = i
    }
    while (outermost >= 0 && this.stack.length > outermost) this.pop()
  }

  private pop(): string {
    const name = this.stack.pop()!
    add(this.open, name, -1)
    this.visitor.close(name)
    return name
  }
}

const add = (counts: Map<string, number>, name: string, count: number) =>
  counts.set(name, (counts.get(name) ?? 0) + count)
