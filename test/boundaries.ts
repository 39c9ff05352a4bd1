import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'

/*
 * The rules of the layout, part of `npm run verify`: reads the sources and runs nothing. A finding has a place, the
 * broken rule and a solution. Tests may import anything.
 */

type Import = { to: string; line: number; names: string }
type Source = { file: string; text: string; imports: Import[] }

const root = join(import.meta.dirname, '..')
const glob = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
const sources = glob('packages/*/src/**/*.{ts,tsx}').map(read)
const product = sources.filter(({ file }) => !/\.test(-fixtures)?\.ts$/.test(file))

/** Finds `import … from`, `export … from`, `import '…'` and `import('…')` in the format of Biome. */
function read(file: string): Source {
  const text = readFileSync(join(root, file), 'utf8')
  const pattern =
    /^(?:import|export)\s([^'"`;]*?)from '((?:\.|@backline\/)[^']+)'|\bimport[ (]['`]((?:\.|@backline\/)[^'`$]+)['`]/gm
  const imports = text.matchAll(pattern).map(({ index, 1: names = '', 2: from, 3: alone }) => ({
    to: resolve(file, from ?? alone!),
    line: lineAt(text, index),
    names,
  }))
  return { file, text, imports: [...imports] }
}

function resolve(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier)
  const [, name, ...path] = specifier.split('/')
  if (name === 'test') return posix.join('test', ...path)
  return path.length === 0 ? `packages/${name}/src/index.ts` : posix.join(`packages/${name}/src`, ...path)
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

type Finding = { where: string; wrong: string; instead: string }

/** The packages that each package may import. The SDK and the PostgreSQL supervisor can be published alone. */
const packages: Record<string, string[]> = {
  'embedded-postgres': [],
  sdk: [],
  server: ['embedded-postgres'],
  demo: [],
  cli: ['server', 'embedded-postgres', 'sdk', 'demo'],
  console: ['sdk', 'demo'],
}

const packageOf = (file: string): string | undefined => /^packages\/([^/]+)\/src\//.exec(file)?.[1]

function* packagesImportWhatTheyMay(): Iterable<Finding> {
  for (const { file, imports } of product) {
    const here = packageOf(file)!
    for (const { to, line } of imports) {
      const there = packageOf(to)
      if (there === here || packages[here]?.includes(there ?? '')) continue
      yield {
        where: `${file}:${line}`,
        wrong: `imports ${to}. The package ${here} may import ${packages[here]?.join(', ') || 'no other package'}.`,
        instead: 'Have the caller hand it in, or move it into a package that both may import.',
      }
    }
  }
}

/**
 * The folders of the server, starting with the lowest floor: imports go down. Folders of one floor do not import each
 * other. The platform is independent of customer support.
 */
const floors = [
  ['platform/kernel'],
  ['platform/postgres', 'platform/telemetry', 'platform/files'],
  ['platform/tables', 'platform/journal'],
  ['platform/unit-of-work'],
  ['platform/resource'],
  ['platform/jobs', 'platform/search', 'platform/trees', 'platform/votes', 'platform/lists'],
  ['platform/http'],
  ['platform/versions'],
  ['support/vocabulary'],
  ['support/documents'],
  ['support/admin'],
  ['support/integration'],
  ['support/jobs'],
  ['support/properties'],
  ['support/people', 'support/files'],
  ['support/team'],
  ['support/access'],
  ['support/catalogue'],
  ['support/sla'],
  ['support/desk'],
  ['support/automation', 'support/knowledge', 'support/mail'],
  ['support/data'],
  ['support/me'],
  ['compose', 'main.ts'],
]

const inServer = 'packages/server/src/'

function floorOf(file: string): number {
  const path = file.slice(inServer.length)
  return floors.findIndex((floor) => floor.some((name) => path === name || path.startsWith(`${name}/`)))
}

function* importsGoDown(): Iterable<Finding> {
  const folderOf = (file: string) => file.slice(inServer.length).split('/').slice(0, 2).join('/')
  for (const { file, imports } of product) {
    if (!file.startsWith(inServer)) continue
    if (floorOf(file) < 0)
      yield { where: file, wrong: 'is in a folder without a floor.', instead: 'Add the folder to `floors`.' }
    if (floorOf(file) === floors.length - 1) continue
    for (const { to, line } of imports) {
      if (!to.startsWith(inServer) || folderOf(to) === folderOf(file) || floorOf(to) < floorOf(file)) continue
      yield {
        where: `${file}:${line}`,
        wrong: `imports ${to}, which is not on a floor below.`,
        instead:
          'Move what both need to a lower floor, refer to the entity by its type (`change.entityOf`), or react to its changes (`on`).',
      }
    }
  }
}

function* contributorsFindAllFloors(): Iterable<Finding> {
  const where = 'CONTRIBUTING.md'
  const text = readFileSync(join(root, where), 'utf8')
  const lists = {
    packages: Object.entries(packages).map(([name, allowed]) => `${name}: ${allowed.join(', ') || 'none'}`),
    floors: floors.toReversed().map((folders) => folders.join(', ')),
  }
  for (const [name, lines] of Object.entries(lists)) {
    const block = `\`\`\`\n${lines.join('\n')}\n\`\`\``
    if (text.includes(block)) continue
    yield { where, wrong: `lists other ${name} than this file.`, instead: `Its list should be:\n${block}` }
  }
}

/** Conversations and messages are one aggregate: each change of a message also changes its conversation. */
const oneModule = ['packages/server/src/support/desk']

/** Checks each folder: its files and folders import each other in one direction, type imports included. */
function* nothingFormsACircle(): Iterable<Finding> {
  const folders = new Set(product.flatMap(({ file }) => ancestorsOf(file)))
  for (const folder of folders) {
    if (oneModule.includes(folder)) continue
    const childOf = (file: string) =>
      file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/')[0]! : null
    const edges = new Map<string, Map<string, string>>()
    for (const { file, imports } of product) {
      const here = childOf(file)
      if (!here) continue
      for (const { to, line } of imports) {
        const there = childOf(to)
        if (!there || there === here) continue
        const from = edges.get(here) ?? new Map<string, string>()
        edges.set(here, from.set(there, `${file}:${line}`))
      }
    }
    for (const circle of circlesOf(edges)) {
      yield {
        where: edges.get(circle[0]!)!.get(circle[1]!)!,
        wrong: `closes a circle in ${folder}: ${circle.join(' → ')}.`,
        instead: 'Move what both sides need into a third file or folder, which imports neither.',
      }
    }
  }
}

function ancestorsOf(file: string): string[] {
  const parts = file.split('/')
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'))
}

function circlesOf(edges: Map<string, Map<string, string>>): string[][] {
  const circles: string[][] = []
  const done = new Set<string>()
  const path: string[] = []
  function visit(name: string): void {
    if (path.includes(name)) circles.push([...path.slice(path.indexOf(name)), name])
    if (done.has(name) || path.includes(name)) return
    path.push(name)
    for (const next of edges.get(name)?.keys() ?? []) visit(next)
    path.pop()
    done.add(name)
  }
  for (const name of edges.keys()) visit(name)
  return circles
}

function* sqlStaysInItsPlace(): Iterable<Finding> {
  for (const { file, imports } of product) {
    if (
      file.startsWith(`${inServer}platform/`) ||
      basename(file) === 'queries.ts' ||
      basename(dirname(file)) === 'finding'
    )
      continue
    for (const { to, line, names } of imports) {
      if (to !== 'packages/server/src/platform/postgres/sql.ts' || !/\bsql\b/.test(names)) continue
      yield {
        where: `${file}:${line}`,
        wrong:
          'imports the sql tag. All SQL is in queries.ts files, in folders named finding, and in the platform.',
        instead: 'Make the statement a function of the queries.ts beside, one statement a function.',
      }
    }
  }
}

const readersOfTheEnvironment = [
  'packages/server/src/compose/config.ts',
  'packages/cli/src/access/settings.ts',
  'packages/embedded-postgres/src/process.ts', // passes PATH to PostgreSQL
]

function* oneFileReadsTheEnvironment(): Iterable<Finding> {
  for (const { file, text } of product) {
    if (readersOfTheEnvironment.includes(file)) continue
    for (const { index } of text.matchAll(/\bprocess\.env\b|\benv\b[^'\n]*from 'node:process'/g)) {
      yield {
        where: `${file}:${lineAt(text, index)}`,
        wrong:
          'reads the environment. Only packages/server/src/compose/config.ts does, so that each setting is checked and documented.',
        instead: 'Add a setting to Config and take it as an argument.',
      }
    }
  }
}

function* migrationsAreNumbered(): Iterable<Finding> {
  const files = glob('packages/server/migrations/*')
  const instead = `Rename it; ${String(files.length).padStart(4, '0')} is the last number of ${files.length} migrations.`
  for (const [i, file] of files.entries()) {
    const expected = String(i + 1).padStart(4, '0')
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(basename(file))) {
      yield { where: file, wrong: 'is not named like 0001_what_it_does.sql.', instead }
    } else if (!basename(file).startsWith(expected)) {
      const wrong = `should be number ${expected}: numbers are unique, without a gap.`
      yield { where: file, wrong, instead }
    }
  }
}

function* noDefaultExports(): Iterable<Finding> {
  for (const { file, text } of sources) {
    if (/^packages\/server\/src\/support\/(?:[^/]+\/){1,2}index\.ts$/.test(file)) continue
    for (const { index } of text.matchAll(/^export default\b|^export \{[^}]*\bas default\b/gm)) {
      yield {
        where: `${file}:${lineAt(text, index)}`,
        wrong: "exports a default. Only a resource's index.ts does.",
        instead: 'Give it a name, so that it is called the same everywhere.',
      }
    }
  }
}

const maxLines = 400

function* filesStaySmall(): Iterable<Finding> {
  for (const { file, text } of sources) {
    if (file.endsWith('generated.ts')) continue
    const lines = text.split('\n').length - 1
    if (lines <= maxLines) continue
    yield {
      where: file,
      wrong: `has ${lines} lines; ${maxLines} are the limit, 200 the aim.`,
      instead: 'Look for the seam: two reasons to change, or a table of facts that can stand alone.',
    }
  }
}

const maxColumns = 120

/** CONTRIBUTING.md has the rules for prose; this rule checks two of them. */
function* commentsArePlain(): Iterable<Finding> {
  for (const { file, text } of sources) {
    if (file.endsWith('generated.ts')) continue
    for (const [i, line] of text.split('\n').entries()) {
      if (line.length <= maxColumns || !/^\s*(?:\/\/|\/?\*)|\s\/\/ /.test(line)) continue
      yield {
        where: `${file}:${i + 1}`,
        wrong: `has a comment on a line of ${line.length} columns; ${maxColumns} are the limit.`,
        instead: 'Wrap it, or move it above the line. Reasons that need more room belong in an ADR.',
      }
    }
    for (const { index, 1: opener } of text.matchAll(/\/\*\*?[\s*]*\b(What|Who|Whoever|Of|By)\b/g)) {
      yield {
        where: `${file}:${lineAt(text, index)}`,
        wrong: `begins a comment with "${opener}".`,
        instead: 'Begin with the name of the thing, or with a verb that says what the function does.',
      }
    }
  }
}

const maxWords = 600

function* decisionsFitOnAPage(): Iterable<Finding> {
  for (const where of glob('docs/adr/[0-9]*.md')) {
    const text = readFileSync(join(root, where), 'utf8')
    const words = text.split(/\s+/).filter((word) => /\w/.test(word)).length
    if (words <= maxWords) continue
    yield {
      where,
      wrong: `has ${words} words; ${maxWords} are the limit.`,
      instead: 'Move what is reference to the documentation, and a second decision to an ADR of its own.',
    }
  }
}

const findings = [
  packagesImportWhatTheyMay,
  importsGoDown,
  contributorsFindAllFloors,
  nothingFormsACircle,
  sqlStaysInItsPlace,
  oneFileReadsTheEnvironment,
  migrationsAreNumbered,
  noDefaultExports,
  filesStaySmall,
  commentsArePlain,
  decisionsFitOnAPage,
].flatMap((rule) => [...rule()])

for (const { where, wrong, instead } of findings) console.error(`${where} ${wrong}\n  → ${instead}\n`)
if (findings.length > 0) {
  console.error(`${findings.length} broken boundaries (test/boundaries.ts says why they are there)`)
  process.exit(1)
}
