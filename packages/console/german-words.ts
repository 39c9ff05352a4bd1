import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ESTree, type Plugin, parseSync, Visitor } from 'vite'

const source = join(import.meta.dirname, 'src')

/**
 * Moves the German words of the texts to a file of data, which only German pages load. In the scripts,
 * `{ en: 'Close', de: 'Schließen' }` becomes `{ en: 'Close', de: 17 }`: the place of the words in the file, which
 * `src/texts/german.ts` reads. Texts that are functions stay. `vite serve` and tests in Node leave all words in place.
 */
export function germanWords(): Plugin {
  const scripts = new Map<string, string>()
  let fileName: string
  let words: string
  return {
    name: 'german-words',
    apply: 'build',
    enforce: 'pre',
    config() {
      const places = new Map<string, number>()
      for (const name of globSync('**/*.{ts,tsx}', { cwd: source })) {
        const path = join(source, name)
        scripts.set(path, withPlaces(path, readFileSync(path, 'utf8'), places))
      }
      words = JSON.stringify([...places.keys()])
      fileName = `assets/de-${createHash('sha256').update(words).digest('hex').slice(0, 8)}.json`
      return { define: { 'globalThis.germanFile': JSON.stringify(fileName) } }
    },
    buildStart() {
      this.emitFile({ type: 'asset', fileName, source: words })
    },
    load: (id) => scripts.get(id),
  }
}

/** The code with places in place of German words. @param places by words; those of the code are added */
function withPlaces(path: string, code: string, places: Map<string, number>): string {
  const found: ESTree.StringLiteral[] = []
  new Visitor({
    ObjectExpression({ properties }) {
      if (properties.map(nameOf).join() !== 'en,de') return
      const { value } = properties[1] as ESTree.ObjectProperty
      if (value.type === 'Literal' && typeof value.value === 'string')
        found.push(value as ESTree.StringLiteral)
    },
  }).visit(parseSync(path, code).program)
  return found.reduceRight((changed, { value, start, end }) => {
    const place = places.get(value) ?? places.size
    places.set(value, place)
    return changed.slice(0, start) + place + changed.slice(end)
  }, code)
}

const nameOf = (each: ESTree.ObjectPropertyKind): string =>
  each.type === 'Property' && each.key.type === 'Identifier' ? each.key.name : ''
