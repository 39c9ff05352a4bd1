import { globSync, readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'

/*
 * The rules of the layout, part of `npm run verify`: reads the sources and runs nothing. A finding says where,
 * what is wrong, and what to do instead. Tests may import what they like.
 */

type Import = { to: string; line: number; names: string }
type Source = { file: string; text: string; imports: Import[] }

const root = join(import.meta.dirname, '..')
const glob = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
const sources = glob('src/**/*.ts').map(read)
const product = sources.filter(({ file }) => !file.endsWith('.test.ts'))

/** `import … from`, `export … from`, `import '…'` and `import('…')`, as Biome formats them. */
function read(file: string): Source {
  const text = readFileSync(join(root, file), 'utf8')
  const pattern = /^(?:import|export)\s([^'"`;]*?)from '(\.[^']+)'|\bimport[ (]['`](\.[^'`$]+)['`]/gm
  const imports = text.matchAll(pattern).map(({ index, 1: names = '', 2: from, 3: alone }) => ({
    to: posix.join(posix.dirname(file), from ?? alone!),
    line: lineAt(text, index),
    names,
  }))
  return { file, text, imports: [...imports] }
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

type Finding = { where: string; wrong: string; instead: string }

/** What a layer may import besides itself. The files beside them in src/, and cli/, put all layers together. */
const below: Record<string, string[]> = {
  lib: [],
  shared: ['lib', 'db', 'http'],
  db: ['lib', 'shared'],
  http: ['lib', 'shared', 'db'],
  jobs: ['lib', 'shared', 'db'],
  vocabulary: [],
  resources: ['lib', 'shared', 'db', 'http', 'jobs', 'vocabulary'],
}

function layerOf(file: string): string {
  const [top, layer, ...rest] = file.split('/')
  if (top !== 'src') return 'outside'
  // What the layers agree on: the context of a request, the shape of a resource and of the five usual routes.
  if (['src/context.ts', 'src/resource.ts', 'src/crud.ts'].includes(file)) return 'shared'
  return rest.length === 0 || layer === 'cli' ? 'composition' : layer!
}

function* importsGoOneWay(): Iterable<Finding> {
  for (const { file, imports } of product) {
    const allowed = below[layerOf(file)]
    if (!allowed) continue
    for (const { to, line } of imports) {
      const layer = layerOf(to)
      if (layer === layerOf(file) || allowed.includes(layer)) continue
      yield {
        where: `${file}:${line}`,
        wrong: `imports ${to}. Imports go one way: resources → http, db, jobs → lib.`,
        instead: 'Move what both need into a lower layer, or have the caller hand it in as an argument.',
      }
    }
  }
}

/**
 * The resources from the lowest floor on: imports go down, or stay on a floor without forming a circle. Conversations
 * and messages are one aggregate, and count as one.
 */
const floors = [
  ['workspace', 'api-keys', 'test-clock'],
  ['events', 'webhook-endpoints', 'audit-log'],
  ['operators', 'departments'],
  ['tags', 'categories', 'hold-reasons', 'message-templates'],
  ['sla-configs'],
  ['conversations'],
  ['kb', 'faqs', 'suggestions', 'macros'],
]

function moduleOf(file: string): string | undefined {
  const name = /^src\/resources\/([^/]+)\//.exec(file)?.[1]
  return name === 'messages' ? 'conversations' : name
}

function* resourcesFormNoCircle(): Iterable<Finding> {
  const floorOf = (name: string) => floors.findIndex((floor) => floor.includes(name))
  const importsOf = new Map<string, Map<string, string>>(floors.flat().map((name) => [name, new Map()]))
  for (const { file, imports } of product) {
    const here = moduleOf(file)
    if (!here) continue
    if (floorOf(here) < 0)
      yield { where: file, wrong: 'belongs to a resource without a floor.', instead: 'Add it to `floors`.' }
    for (const { to, line } of imports) {
      const there = moduleOf(to)
      if (!there || there === here) continue
      importsOf.get(here)?.set(there, `${file}:${line}`)
      if (floorOf(there) <= floorOf(here)) continue
      yield {
        where: `${file}:${line}`,
        wrong: `imports ${to}, which is on a floor above.`,
        instead:
          'Move what both need to a lower floor, refer to the entity by its type (`change.entityOf`), or react to its changes (`on`).',
      }
    }
  }
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    [...(importsOf.get(from)?.keys() ?? [])].some((next) => {
      if (next === to) return true
      if (seen.has(next)) return false
      return reaches(next, to, seen.add(next))
    })
  for (const [here, imports] of importsOf) {
    for (const [there, where] of imports) {
      if (!reaches(there, here, new Set())) continue
      yield {
        where,
        wrong: `closes a circle: ${here} imports ${there}, which leads back to it.`,
        instead: 'Move what both need into a resource that imports neither, or to a lower floor.',
      }
    }
  }
}

function* sqlStaysInItsPlace(): Iterable<Finding> {
  for (const { file, imports } of product) {
    if (file.startsWith('src/db/') || basename(file) === 'queries.ts') continue
    for (const { to, line, names } of imports) {
      if (to !== 'src/db/sql.ts' || !/\bsql\b/.test(names)) continue
      yield {
        where: `${file}:${line}`,
        wrong: 'imports the sql tag. All SQL is in queries.ts files and in src/db/.',
        instead: 'Make the statement a function of the queries.ts beside, one statement a function.',
      }
    }
  }
}

const readersOfTheEnvironment = [
  'src/config.ts',
  'src/db/embedded/process.ts', // hands PATH on to PostgreSQL; it sets nothing of ours
]

function* oneFileReadsTheEnvironment(): Iterable<Finding> {
  for (const { file, text } of product) {
    if (readersOfTheEnvironment.includes(file)) continue
    for (const { index } of text.matchAll(/\bprocess\.env\b|\benv\b[^'\n]*from 'node:process'/g)) {
      yield {
        where: `${file}:${lineAt(text, index)}`,
        wrong:
          'reads the environment. Only src/config.ts does, so that each setting is checked and documented.',
        instead: 'Add a setting to Config and take it as an argument.',
      }
    }
  }
}

function* migrationsAreNumbered(): Iterable<Finding> {
  const files = glob('src/**/migrations/*').sort((a, b) => (basename(a) < basename(b) ? -1 : 1))
  const instead = `Rename it; ${String(files.length).padStart(4, '0')} is the last number of ${files.length} migrations.`
  for (const [i, file] of files.entries()) {
    const expected = String(i + 1).padStart(4, '0')
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(basename(file))) {
      yield { where: file, wrong: 'is not named like 0001_what_it_does.sql.', instead }
    } else if (!basename(file).startsWith(expected)) {
      const wrong = `should be number ${expected}: numbers are unique over all folders, without a gap.`
      yield { where: file, wrong, instead }
    }
  }
}

function* noDefaultExports(): Iterable<Finding> {
  for (const { file, text } of sources) {
    if (/^src\/resources\/[^/]+\/index\.ts$/.test(file)) continue
    for (const { index } of text.matchAll(/^export default\b|^export \{[^}]*\bas default\b/gm)) {
      yield {
        where: `${file}:${lineAt(text, index)}`,
        wrong: "exports a default. Only a resource's index.ts does.",
        instead: 'Give it a name, so that it is called the same everywhere.',
      }
    }
  }
}

/** Type imports count too: two files that need each other's types are one thing, or miss a third. */
function* noCycles(): Iterable<Finding> {
  const importsOf = new Map(sources.map(({ file, imports }) => [file, imports.map(({ to }) => to)]))
  const done = new Set<string>()
  const path: string[] = []
  function* visit(file: string): Iterable<Finding> {
    if (path.includes(file)) {
      const cycle = [...path.slice(path.indexOf(file)), file]
      yield {
        where: file,
        wrong: `imports itself: ${cycle.join(' → ')}.`,
        instead: 'Move what both sides need into a third file, which imports neither.',
      }
      return
    }
    if (done.has(file)) return
    path.push(file)
    for (const next of importsOf.get(file) ?? []) yield* visit(next)
    path.pop()
    done.add(file)
  }
  for (const { file } of sources) yield* visit(file)
}

const maxLines = 400

function* filesStaySmall(): Iterable<Finding> {
  for (const { file, text } of sources) {
    const lines = text.split('\n').length - 1
    if (lines <= maxLines) continue
    yield {
      where: file,
      wrong: `has ${lines} lines; ${maxLines} are the limit, 200 the aim.`,
      instead: 'Look for the seam: two reasons to change, or a table of facts that can stand alone.',
    }
  }
}

const findings = [
  importsGoOneWay,
  resourcesFormNoCircle,
  sqlStaysInItsPlace,
  oneFileReadsTheEnvironment,
  migrationsAreNumbered,
  noDefaultExports,
  noCycles,
  filesStaySmall,
].flatMap((rule) => [...rule()])

for (const { where, wrong, instead } of findings) console.error(`${where} ${wrong}\n  → ${instead}\n`)
if (findings.length > 0) {
  console.error(`${findings.length} broken boundaries (test/boundaries.ts says why they are there)`)
  process.exit(1)
}
