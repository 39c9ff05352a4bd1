const { execFileSync, spawnSync } = require('node:child_process')
const { statSync } = require('node:fs')
const { join } = require('node:path')

const checks = join(__dirname, '../checks')

/** False if nothing is installed, or something older than `package-lock.json`. */
function isInstalled() {
  const timeOf = (path) => statSync(join(checks, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return timeOf('node_modules/.package-lock.json') >= timeOf('package-lock.json')
}

/** Runs a command of tools/checks: 100 MB that only a change of the code needs, so `npm ci` does not install them. */
exports.run = (name) => {
  const command = join(checks, 'node_modules/.bin', name)
  if (!isInstalled()) execFileSync('npm', ['ci', '--prefix', checks], { stdio: ['ignore', 2, 2] })
  const { status } = spawnSync(command, process.argv.slice(2), { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
