const { rmSync } = require('node:fs')
const { enableCompileCache } = require('node:module')
const { join } = require('node:path')

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
  import('./bundle.ts').then(loadBundle, loadSources).catch(() => undefined)
}

async function loadBundle({ bundle }) {
  const { run } = await import(join(bundle, 'main.js'))
  await run(['serve', '--help'])
  const { loadResources } = await import(join(bundle, 'resources.js'))
  await loadResources()
}

async function loadSources() {
  await import('../packages/cli/src/main.ts')
  await import('../packages/cli/src/serve.ts')
  const { loadResources } = await import('../packages/server/src/compose/resources.ts')
  await loadResources()
}
