#!/usr/bin/env node
/*
 * The command `backline`, in an installed package and in a checkout; without arguments it serves. Plain JavaScript, so
 * that a Node that is too old says so instead of failing at the first new word of the language.
 */
const { statSync } = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { engines, dependencies } = require('../package.json')

const installed = '../dist/packages/cli/src/main.js'
const checkout = '../../cli/src/main.ts'
const isCheckout = exists('../src/main.ts')

/** Keep memory small on large machines (docs/adr/0007-parts.md); NODE_OPTIONS takes precedence. */
const serverFlags = ['--no-parallel-scavenge', '--max-semi-space-size=16', '--max-old-space-size=512']
/** The same for the memory of native code: free memory goes back to the system. The environment takes precedence. */
const serverEnvironment = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }
/** Where Node keeps compiled code of a checkout: later starts are faster, and load no compiler of TypeScript. */
const compileCache = join(__dirname, '../../../node_modules/.cache/compiled')

/** The modules of a checkout as a few files, which `npm ci` writes (scripts/bundle.ts). */
const bundle = join(__dirname, '../../../node_modules/.cache/bundle')

/** True if no source has changed since the bundle was written. */
function isBundleCurrent() {
  try {
    const times = Object.entries(require(join(bundle, 'sources.json')))
    return times.every(([path, time]) => statSync(join(__dirname, '../../..', path)).mtimeMs === time)
  } catch {
    return false // there is none, or a source is no more
  }
}

/** False if no such module is installed; a package that only `import` finds is. */
function exists(module) {
  try {
    return require.resolve(module) !== ''
  } catch (error) {
    return error.code !== 'MODULE_NOT_FOUND'
  }
}

/** One line about what is missing; null if nothing is. */
function faultOfInstallation() {
  const oldest = engines.node.replace('>=', '')
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [oldestMajor, oldestMinor] = oldest.split('.').map(Number)
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    const orElse = isCheckout
      ? ', or run npm ci without --omit=dev and --ignore-scripts, which installs it'
      : ''
    return `Backline needs Node ${oldest} or newer; this is ${process.version}. Install it from https://nodejs.org${orElse}.`
  }
  const missing = Object.keys(dependencies).filter((name) => !exists(name))
  if (missing.length === 0) return null
  return `Packages are not installed: ${missing.join(', ')}. Run npm ${isCheckout ? 'ci' : 'install'}.`
}

/** Replaces this process by one with the flags of a server: same process id, no parent that has to pass on signals. */
function restartWithFlags(args) {
  // Node takes `_` for `-`.
  const given = `${process.env.NODE_OPTIONS || ''} ${process.execArgv.join(' ')}`.replaceAll('_', '-')
  const missing = serverFlags.filter((flag) => !given.includes(flag.split('=')[0]))
  const command = [process.execPath, ...process.execArgv, ...missing, process.argv[1], ...args]
  const cache = isCheckout ? { NODE_COMPILE_CACHE: compileCache } : {}
  process.execve(process.execPath, command, { ...serverEnvironment, ...cache, ...process.env }) // does not return
}

/** npx starts a shell, which does not pass on the signals that end npx and itself. */
function stopWithNpx() {
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 200)
  watch.unref()
}

const fault = faultOfInstallation()
if (fault) {
  console.error(`error: ${fault}`)
  process.exitCode = 1
} else {
  const args = process.argv.length > 2 ? process.argv.slice(2) : ['serve']
  const hasFlags = process.execArgv.includes(serverFlags[0])
  if (args.includes('serve') && !hasFlags && process.execve) restartWithFlags(args) // not on Windows
  if (process.env.npm_command === 'exec') stopWithNpx()
  const main = isCheckout
    ? isBundleCurrent()
      ? pathToFileURL(join(bundle, 'main.js')).href
      : checkout
    : installed
  void import(main).then(({ main }) => main(args))
}
