/*
 * A reply is a text or Markdown. Nobody has to know which: it is Markdown if it has marks.
 */

/** Marks that nobody types by accident. Each pattern looks at one line or at few characters. */
const marks = [
  /(?<![\w*])\*\*(?=\S)[^*\n]+?\S?\*\*(?!\*)/, // **bold**
  /(?<![\w*])\*(?=[^\s*])[^*\n]*[^\s*]\*(?![\w*])/, // *italic*
  /(?<![\w_])_(?=[^\s_])[^_\n]*[^\s_]_(?![\w_])/, // _italic_
  /(?<!`)`[^`\n]+`(?!`)/, // `code`
  /\[[^\]\n]+\]\((?:https?:|mailto:|file:)[^)\s]+\)/, // [link](https://…)
  /~~(?=\S)[^~\n]+~~/, // ~~struck~~
  /^```/m,
  /^#{1,6} \S/m,
  /^> ?\S/m,
  /^ {0,3}[-*+] \S/m,
  /^ {0,3}\d{1,9}[.)] \S/m,
]

/** An address that stands alone, whose characters are no marks. */
const address = /(?<=^|\s)https?:\/\/[^\s<>]*[^\s<>.,;:!?'")*_~]/gm

export function hasMarks(text: string): boolean {
  const words = text.replace(address, '')
  return marks.some((mark) => mark.test(words))
}

const fence = /^ {0,3}(```|~~~)/
/** A tag, as HTML would begin it; the address of `<https://…>` is a link. */
const tag = /(?<!\\)<(?=[a-z/!?])(?!(?:https?:|mailto:)[^\s<>]*>)/gi

const escaped = (words: string): string =>
  words.replace(tag, '\\<').replace(address, (each) => (/[*_~]/.test(each) ? `<${each}>` : each))

/**
 * A text with marks as Markdown that shows what was typed: the end of a line stays one, `<` is a character, and so are
 * those of addresses. Code stays as it is. It can be done twice.
 */
export function asMarkdown(text: string): string {
  const lines = text.split('\n')
  let isCode = false
  return lines
    .map((line, i) => {
      if (fence.test(line)) {
        isCode = !isCode
        return line
      }
      if (isCode) return line
      const next = lines[i + 1] ?? ''
      const literal = line
        .split(/(`[^`]*`)/)
        .map((part, k) => (k % 2 === 1 ? part : escaped(part)))
        .join('')
      const breaks = line.trim() !== '' && next.trim() !== '' && !/( {2}|\\)$/.test(line)
      return breaks ? `${literal}  ` : literal
    })
    .join('\n')
}

/** The text and format of a request. @param isMarkdown null: Markdown if it has marks */
export function written(
  text: string,
  isMarkdown: boolean | null,
): { body: string; body_format: 'text' | 'markdown' } {
  if (isMarkdown === null && hasMarks(text)) return { body: asMarkdown(text), body_format: 'markdown' }
  return { body: text, body_format: isMarkdown ? 'markdown' : 'text' }
}
