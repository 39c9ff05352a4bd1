/** A text and what is selected of it. */
type Selected = { text: string; start: number; end: number }

/** Replaces a range of the text, and then selects another one. */
export type Edit = { start: number; end: number; insert: string; select: [start: number, end: number] }

export type Format = 'bold' | 'italic' | 'heading' | 'link' | 'bullets' | 'numbers' | 'quote' | 'code'

const marks = { bold: '**', italic: '*' } as const

const prefixes = {
  bullets: { pattern: /^\s*[-*] /, prefix: () => '- ' },
  numbers: { pattern: /^\s*\d+\. /, prefix: (i: number) => `${i + 1}. ` },
  quote: { pattern: /^> ?/, prefix: () => '> ' },
} as const

/** The edit that a button of the toolbar makes. A second use takes the format away again. */
export function format(name: Format, selected: Selected): Edit {
  switch (name) {
    case 'bold':
    case 'italic':
      return toggleMark(selected, marks[name])
    case 'heading':
      return eachLine(selected, headingOf)
    case 'link':
      return link(selected)
    case 'code':
      return code(selected)
    default: {
      const { pattern, prefix } = prefixes[name]
      const lines = linesOf(selected).lines
      const isSet = lines.every((line) => pattern.test(line))
      return eachLine(selected, (line, i) =>
        isSet ? line.replace(pattern, '') : prefix(i) + line.replace(pattern, ''),
      )
    }
  }
}

function toggleMark({ text, start, end }: Selected, mark: string): Edit {
  const size = mark.length
  const inner = text.slice(start, end)
  const isAround = text.slice(start - size, start) === mark && text.slice(end, end + size) === mark
  const isOther =
    mark === '*' && text.slice(start - 2, start) === '**' && text.slice(start - 3, start) !== '***'
  if (isAround && !isOther)
    return {
      start: start - size,
      end: end + size,
      insert: inner,
      select: [start - size, end - size],
    }
  return { start, end, insert: `${mark}${inner}${mark}`, select: [start + size, end + size] }
}

/** No heading, then level 2, then level 3, then none: the title of the article is the heading of level 1. */
function headingOf(line: string): string {
  const [, hashes = '', rest = ''] = /^(#{0,6}) ?(.*)$/s.exec(line) ?? []
  const next = { 0: '## ', 2: '### ' }[hashes.length] ?? ''
  return next + rest
}

function link({ text, start, end }: Selected): Edit {
  const inner = text.slice(start, end)
  if (/^(https?:|mailto:)\S+$/.test(inner))
    return { start, end, insert: `[](${inner})`, select: [start + 1, start + 1] }
  const address = start + inner.length + 3
  return { start, end, insert: `[${inner}](https://)`, select: [address, address + 'https://'.length] }
}

function code(selected: Selected): Edit {
  const { text, start, end } = selected
  const inner = text.slice(start, end)
  if (!inner.includes('\n')) return toggleMark(selected, '`')
  const { from, to } = linesOf(selected)
  const insert = `\`\`\`\n${text.slice(from, to)}\n\`\`\``
  return { start: from, end: to, insert, select: [from + 4, from + 4 + (to - from)] }
}

function linesOf({ text, start, end }: Selected) {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  const to = next < 0 ? text.length : next
  return { from, to, lines: text.slice(from, to).split('\n') }
}

function eachLine(selected: Selected, change: (line: string, i: number) => string): Edit {
  const { from, to, lines } = linesOf(selected)
  const insert = lines.map(change).join('\n')
  const end = from + insert.length
  return { start: from, end: to, insert, select: selected.start === selected.end ? [end, end] : [from, end] }
}
