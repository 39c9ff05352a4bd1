import { fenceFor } from './inline.ts'

/** Text of a quotation or a list item: what is in front of its first line, and of the others. */
export type Container = { first: string; rest: string; isUsed: boolean }

/** The renderer shows nothing that is nested deeper than 100 tokens; a list takes two. */
const maxContainers = 20

/** The items that may follow a line of text without an empty line. */
const interrupts = /^(?:- |1\. )$/

/** Collects lines of Markdown in quotations and list items, up to a length. */
export class Blocks {
  private readonly out: string[] = []
  private length = 0
  private readonly containers: Container[] = []
  private ignored = 0
  /** The containers of the line before. */
  private before: Container[] = []
  /** Between the line before and the next: 1 is a line break, 2 an empty line. */
  private gap: 0 | 1 | 2 = 0
  private readonly maxLength: number

  constructor(maxLength: number) {
    this.maxLength = maxLength
  }

  get isFull(): boolean {
    return this.length >= this.maxLength
  }

  /** The next line is at least a new line, or a new paragraph. */
  separate(gap: 1 | 2): void {
    if (this.gap < gap) this.gap = gap
  }

  /** @param first in front of its first line. @param rest in front of the others */
  enter(first: string, rest: string): void {
    if (this.containers.length === maxContainers) this.ignored++
    else this.containers.push({ first, rest, isUsed: false })
  }

  leave(): void {
    if (this.ignored > 0) this.ignored--
    else this.containers.pop()
  }

  /** Items of a list follow each other without an empty line. */
  nextItem(): void {
    this.gap = 1
  }

  /** Adds a line of a paragraph, which continues the line before after a line break. */
  line(text: string): void {
    this.add(text, '  ')
  }

  /** Adds lines that stand alone, such as a heading. */
  block(lines: string[]): void {
    this.separate(2)
    for (const line of lines) {
      this.add(line, '')
      this.gap = 1
    }
    this.gap = 2
  }

  code(text: string): void {
    const fence = fenceFor(text)
    this.block([fence, ...text.split('\n'), fence])
  }

  toString(): string {
    return this.out.join('')
  }

  private add(text: string, lineBreak: string): void {
    if (this.isFull) return
    const isFirst = this.out.length === 0
    const begun = this.containers.findIndex(({ isUsed }) => !isUsed)
    if (begun >= this.before.length && !interrupts.test(this.containers[begun]!.first)) this.gap = 2
    if (!isFirst) {
      if (this.gap === 2) {
        let shared = 0
        while (shared < this.before.length && this.before[shared] === this.containers[shared]) shared++
        const front = this.before
          .slice(0, shared)
          .map(({ rest }) => rest)
          .join('')
        this.push(`\n${front.trimEnd()}\n`)
      } else this.push(begun >= 0 ? '\n' : `${lineBreak}\n`)
    }
    this.push(
      this.containers.map((container) => (container.isUsed ? container.rest : container.first)).join('') +
        text,
    )
    for (const container of this.containers) container.isUsed = true
    this.before = [...this.containers]
    this.gap = 0
  }

  private push(text: string): void {
    this.out.push(text)
    this.length += text.length
  }
}
