const { rmSync } = require('node:fs')
const { enableCompileCache } = require('node:module')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

/*
 * Runs after `npm ci`. Plain JavaScript, because npm may run it with a Node that is too old.
 */
const modules = join(__dirname, '../node_modules')

// The package `node` brings the binary that its own dependency has brought already.
rmSync(join(modules, 'node/node_modules'), { recursive: true, force: true })

// Bundles the modules of the server and loads them, so that the compile cache has them: a start reads few files and
// compiles little (docs/adr/0007-parts.md). An installation without development packages has no bundler: its cache has
// the modules as JavaScript, without which a start loads a compiler of TypeScript of 20 MB.
const cache = join(modules, '.cache/compiled')
rmSync(cache, { recursive: true, force: true })
if (process.features.typescript) {
  enableCompileCache(cache)
  loadBundle()
    .catch(() => {
      rmSync(join(modules, '.cache/bundle'), { recursive: true, force: true })
      return loadSources()
    })
    .catch(() => undefined)
}

async function loadBundle() {
  const { bundle } = await import('./bundle.ts')
  const load = (file) => import(pathToFileURL(join(bundle, file)).href)
  const { run } = await load('main.js')
  await run(['serve', '--help'])
  const { loadResources } = await load('resources.js')
  await loadResources()
}

async function loadSources() {
  await import('../packages/cli/src/main.ts')
  await import('../packages/cli/src/serve.ts')
  const { loadResources } = await import('../packages/server/src/compose/resources.ts')
  await loadResources()
}
