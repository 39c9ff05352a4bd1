import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A `sql` template of the source: its location, the declaration it is in, and the texts between its values. */
export type Template = { place: string; declaration: string; texts: string[] }

const source = join(import.meta.dirname, '..', '..', 'packages')

/** Returns every `sql` template of the product, including nested ones. */
export function templatesOf(): Template[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => templatesIn(readFileSync(join(source, file), 'utf8'), `packages/${file}`))
}

export function templatesIn(code: string, file: string): Template[] {
  const found: Template[] = []
  const lineOf = (at: number) => code.slice(0, at).split('\n').length

  /** @param at after the opening backtick; returns the position after the closing one */
  function template(at: number, tagged: boolean): number {
    const texts = ['']
    const place = `${file}:${lineOf(at)}`
    for (let i = at; ; i++) {
      if (i >= code.length) throw new Error(`${place}: a template without an end`)
      if (code[i] === '`') {
        if (tagged) found.push({ place, declaration: declarationAt(code, at), texts })
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

  /** Reads to the brace that closes an expression, or to the end of the file. */
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

/** The name of the last declaration at the top of the file before a position. */
function declarationAt(code: string, at: number): string {
  const declarations = code
    .slice(0, at)
    .matchAll(/^(?:export )?(?:async )?(?:function\*?|const|class) (\w+)/gm)
  return [...declarations].at(-1)?.[1] ?? ''
}

const comment = /\/\/[^\n]*|\/\*.*?\*\//sy
const text = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y
const regex =
  /(?<=[(,=[!&|?:;{}>]\s*|\b(?:return|yield|await|case|typeof)\s+)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y

/** Returns the length of the comment, string or regular expression that begins here; 0 if none does. */
function wordAt(code: string, at: number): number {
  for (const form of [comment, text, regex]) {
    form.lastIndex = at
    const [found] = form.exec(code) ?? []
    if (found !== undefined) return found.length
  }
  return 0
}

/** Returns true if a template was part of this text, with any values. */
export function isIn({ texts }: Template, sent: string): boolean {
  let end = 0
  return texts.every((text) => {
    const at = sent.indexOf(text, end)
    end = at + text.length
    return at >= 0
  })
}
