import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A `sql` template of the source: where it stands, and what is written between its values. */
export type Template = { place: string; texts: string[] }

const source = join(import.meta.dirname, '..', '..', 'packages')

/** Every `sql` template of the product, inner ones too. */
export function templatesOf(): Template[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => templatesIn(readFileSync(join(source, file), 'utf8'), `packages/${file}`))
}

export function templatesIn(code: string, file: string): Template[] {
  const found: Template[] = []
  const lineOf = (at: number) => code.slice(0, at).split('\n').length

  /** @param at behind the opening backtick; returns the place behind the closing one */
  function template(at: number, tagged: boolean): number {
    const texts = ['']
    const place = `${file}:${lineOf(at)}`
    for (let i = at; ; i++) {
      if (i >= code.length) throw new Error(`${place}: a template without an end`)
      if (code[i] === '`') {
        if (tagged) found.push({ place, texts })
        return i + 1
      }
      if (code.startsWith('${', i)) {
        i = expression(i + 2) - 1
        texts.push('')
      } else {
        if (code[i] === '\\') i++
        texts.push(texts.pop() + code[i]!)
      }
    }
  }

  /** Up to the brace that closes an expression, or to the end of the file. */
  function expression(at: number): number {
    let depth = 0
    for (let i = at; i < code.length; i++) {
      const skipped = wordAt(code, i)
      if (skipped > 0) i += skipped - 1
      else if (code[i] === '`') i = template(i + 1, /(?<![\w.])sql(?:<[^`]*>)?$/.test(code.slice(0, i))) - 1
      else if (code[i] === '{') depth++
      else if (code[i] === '}' && --depth < 0) return i + 1
    }
    return code.length
  }

  expression(0)
  return found
}

const comment = /\/\/[^\n]*|\/\*.*?\*\//sy
const text = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y
const regex =
  /(?<=[(,=[!&|?:;{}>]\s*|\b(?:return|yield|await|case|typeof)\s+)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y

/** How long the comment, the quoted text or the regular expression is that begins here; 0 when none does. */
function wordAt(code: string, at: number): number {
  for (const form of [comment, text, regex]) {
    form.lastIndex = at
    const [found] = form.exec(code) ?? []
    if (found !== undefined) return found.length
  }
  return 0
}

/** Was a template part of this text? Its values are anything. */
export function isIn({ texts }: Template, sent: string): boolean {
  let end = 0
  return texts.every((text) => {
    const at = sent.indexOf(text, end)
    end = at + text.length
    return at >= 0
  })
}
