const { rmSync } = require('node:fs')
const { enableCompileCache } = require('node:module')
const { join } = require('node:path')

/*
 * Runs after `npm ci`. Plain JavaScript, because npm may run it with a Node that is too old.
 */
const modules = join(__dirname, '../node_modules')

// The package `node` brings the binary that its own dependency has brought already.
rmSync(join(modules, 'node/node_modules'), { recursive: true, force: true })

// Loads the modules of the server, so that the compile cache has them as JavaScript: the first start then loads no
// compiler of TypeScript, which takes 20 MB (docs/adr/0007-parts.md). An incomplete installation goes without.
if (process.features.typescript) {
  enableCompileCache(join(modules, '.cache/compiled'))
  load().catch(() => undefined)
}

async function load() {
  await import('../packages/cli/src/main.ts')
  await import('../packages/cli/src/serve.ts')
  const { loadResources } = await import('../packages/server/src/compose/resources.ts')
  await loadResources()
}
