const { execFileSync } = require('node:child_process')
const { join } = require('node:path')

/*
 * Runs at the end of `npm ci`: builds the console, which the server then serves. An installation without development
 * packages goes without. Plain JavaScript, because npm may run it with a Node that is too old.
 */
const console = join(__dirname, '../packages/console')

function find(module) {
  try {
    return require.resolve(module, { paths: [console] })
  } catch {
    return null
  }
}

const manifest = find('vite/package.json')
if (manifest) {
  const vite = join(manifest, '..', require(manifest).bin.vite)
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: console, stdio: 'inherit' })
}
