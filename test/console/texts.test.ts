import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { common } from '../../packages/console/src/texts/common.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

type Pair = { en: unknown; de: unknown }
type Table = Record<string, Pair>

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && Object.values(value).every((each) => each?.en && each.de)

const sources = globSync('packages/console/src/**/*.{ts,tsx}', { cwd: root })
const files = sources.filter((file) => /\/(texts|words|texts\/(common|fields|pages|values))\.ts$/.test(file))
const tables = await Promise.all(
  files.map(async (file) => {
    const defined: Record<string, unknown> = await import(join(root, file))
    return { file, pairs: Object.assign({}, ...Object.values(defined).filter(isTable)) as Table }
  }),
)

/** The texts that no other table defines. */
const own = tables.flatMap(({ file, pairs }) =>
  Object.entries(pairs)
    .filter(([name, pair]) => file.endsWith('/common.ts') || pair !== common[name as keyof typeof common])
    .map(([name, pair]) => ({ file, name, pair })),
)

const wordsOf = ({ en, de }: Pair): string => `${en} | ${de}`

test('no area has a text of its own that says the same as a common one', () => {
  const shared = new Map(Object.values(common).map((pair) => [wordsOf(pair), pair as Pair]))
  const repeated = own.filter(({ pair }) => (shared.get(wordsOf(pair)) ?? pair) !== pair)
  assert.deepEqual(
    repeated.map(({ file, name }) => `${file}: ${name}`),
    [],
  )
})

test('each text is used', () => {
  const code = sources
    .filter((file) => !files.includes(file))
    .map(read)
    .join('\n')
  const used = new Set(code.match(/(?<=\.)\w+|(?<=')[\w.-]+(?=')/g))
  const values = new Set(read('packages/sdk/src/types.generated.ts').match(/[\w.]+/g))
  const isUsed = (name: string): boolean => used.has(name) || values.has(name)
  assert.deepEqual(
    own.filter(({ name }) => !isUsed(name)).map(({ file, name }) => `${file}: ${name}`),
    [],
  )
})
