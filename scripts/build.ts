import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin, stripTypeScriptTypes } from 'node:module'
import { dirname, join, posix, relative } from 'node:path'

/*
 * `npm run build` compiles the server, its command line and its supervisor of PostgreSQL to JavaScript in
 * packages/server/dist, for `npm pack`. The directory has the layout of the checkout. Node strips the types, as it does
 * in development, so that lines keep their numbers; `npm run verify` checks them.
 */

const root = join(import.meta.dirname, '..')
const dist = join(root, 'packages/server/dist')

/** The modules that no other one imports by name. */
const entries = [
  'packages/cli/src/main.ts',
  'packages/server/src/platform/kernel/thread.ts',
  'packages/server/src/support/**/index.ts',
]
/** Files that are read at run time. */
const assets = [
  'docs/*.md',
  'packages/console/dist/**',
  'packages/server/assets/*',
  'packages/server/migrations/*.sql',
  'packages/server/package.json',
]

const filesOf = (patterns: string[]) =>
  patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))

const specifier = /(\bfrom |\bimport |\bimport\()'([^']+)'/g

/** Resolves an import; null for packages of others and of Node. */
function resolve(from: string, to: string): string | null {
  if (to.startsWith('.')) return posix.join(posix.dirname(from), to)
  if (!to.startsWith('@backline/')) return null
  const [, name = '', ...path] = to.split('/')
  return posix.join('packages', name, 'src', path.length === 0 ? 'index.ts' : path.join('/'))
}

/** The specifier of a module in `dist`. */
function compiled(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to).replace(/\.ts$/, '.js')
  return path.startsWith('.') ? path : `./${path}`
}

const nameOf = (to: string): string => to.split('/', to.startsWith('@') ? 2 : 1).join('/')

/** Compiles the modules and those that they import. @returns the packages that they import */
function compile(modules: string[]): Set<string> {
  const foreign = new Set<string>()
  const all = new Set(modules)
  for (const module of all) {
    if (module.endsWith('.json')) {
      cpSync(join(root, module), join(dist, module))
      continue
    }
    const source = stripTypeScriptTypes(readFileSync(join(root, module), 'utf8'))
    const text = source.replace(specifier, (whole, keyword: string, to: string) => {
      const found = resolve(module, to)
      if (found) all.add(found)
      else if (!isBuiltin(to)) foreign.add(nameOf(to))
      return found ? `${keyword}'${compiled(module, found)}'` : whole
    })
    const file = join(dist, module.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return foreign
}

type Manifest = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> }

const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))

/** The faults of packages/server/package.json, which is that of the compiled packages too. */
function* faultsOfManifest(imported: Set<string>): Iterable<string> {
  const { dependencies = {}, optionalDependencies = {} } = manifestOf('server')
  const listed = new Set(Object.keys(dependencies))
  for (const name of imported.difference(listed)) yield `${name} is imported, but not in dependencies`
  for (const name of listed.difference(imported)) yield `${name} is in dependencies, but not imported`
  for (const from of ['cli', 'embedded-postgres']) {
    const theirs = manifestOf(from)
    for (const [name, version] of Object.entries(theirs.dependencies ?? {})) {
      if (name.startsWith('@backline/') || dependencies[name] === version) continue
      yield `${name} has to be in dependencies as ${version}, like in packages/${from}`
    }
    for (const [name, version] of Object.entries(theirs.optionalDependencies ?? {})) {
      if (optionalDependencies[name] === version) continue
      yield `${name} has to be in optionalDependencies as ${version}, like in packages/${from}`
    }
  }
}

rmSync(dist, { recursive: true, force: true })
const imported = compile(filesOf(entries))
for (const file of filesOf(assets)) cpSync(join(root, file), join(dist, file))
copyFileSync(join(root, 'LICENSE'), join(root, 'packages/server/LICENSE'))
const faults = [...faultsOfManifest(imported)].map((fault) => `packages/server/package.json: ${fault}`)
if (!existsSync(join(root, 'packages/console/dist/index.html')))
  faults.push('packages/console is not built; run npm run build --workspace packages/console')
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0
