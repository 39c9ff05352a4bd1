import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { cloneDatabase, secretKey, urlOf } from './databases.ts'
import {
  cleanUp,
  freePort,
  launch,
  launcher,
  repository,
  startServer,
  temporaryDirectory,
} from './processes.ts'

/* The package that is deployed: packed, installed in an empty directory and run by the oldest Node, without TypeScript. */

const { engines } = JSON.parse(readFileSync(join(repository, 'packages/server/package.json'), 'utf8'))
const oldestNode = `${engines.node.replace('>=', '')}.0`
const workspace = temporaryDirectory()

/** Runs npm. @returns its messages */
async function npm(node: string | null, directory: string, ...args: string[]): Promise<string> {
  mkdirSync(directory, { recursive: true })
  const path = [...(node ? [node] : []), process.env.PATH].join(':')
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=warn']
  const { stderr } = await promisify(execFile)('npm', [...args, ...options], {
    cwd: directory,
    env: { ...process.env, PATH: path },
  })
  return stderr
}

let oldest: string
let tarball: string
const full = join(workspace, 'full')
const slim = join(workspace, 'slim')
const warnings: string[] = []

before(async () => {
  const tools = join(workspace, 'tools')
  const [name] = await Promise.all([
    npm(null, repository, 'pack', '--workspace=packages/server', `--pack-destination=${workspace}`),
    npm(null, tools, 'install', `node@${oldestNode}`),
  ]).then(() => readdirSync(workspace).filter((each) => each.endsWith('.tgz')))
  oldest = join(tools, 'node_modules/.bin')
  tarball = join(workspace, name!)
  warnings.push(
    await npm(oldest, full, 'install', tarball),
    await npm(oldest, slim, 'install', '--omit=optional', tarball),
  )
})
after(cleanUp)

const environmentOf = async (settings: Record<string, string>) => ({
  PATH: `${oldest}:${process.env.PATH}`,
  npm_config_userconfig: '/dev/null', // its messages are not ours
  PORT: String(await freePort()),
  ...settings,
})

const npx = async (directory: string, settings: Record<string, string>, ...args: string[]) =>
  launch({ directory, command: ['npx', 'backline', ...args], environment: await environmentOf(settings) })

/** The size of the files of a directory in MB. */
function megabytesOf(directory: string): number {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
  const bytes = files
    .filter((file) => file.isFile())
    .map((file) => statSync(join(file.parentPath, file.name)).size)
  return bytes.reduce((sum, size) => sum + size, 0) / 1e6
}

test('npm installs the package and the workspace on the oldest Node without a warning about engines', async (t) => {
  const ofWorkspace = await npm(oldest, repository, 'ci', '--dry-run', '--ignore-scripts')
  assert.doesNotMatch([...warnings, ofWorkspace].join(''), /EBADENGINE/)
  t.diagnostic(
    `${Math.round(megabytesOf(full))} MB with the embedded database, ${Math.round(megabytesOf(slim))} without`,
  )
})

test('the package contains JavaScript, migrations and no TypeScript', () => {
  const files = readdirSync(join(slim, 'node_modules/@backline/server'), {
    recursive: true,
    encoding: 'utf8',
  })
  assert.ok(files.includes('dist/packages/server/migrations/0001_journal.sql'))
  assert.deepEqual(
    files.filter((file) => /\.ts$|\.test\./.test(file)),
    [],
  )
})

describe('on the oldest Node', () => {
  test('npx backline serves the API and its reference, and SIGTERM stops everything', async () => {
    const environment = await environmentOf({ BACKLINE_DATA_DIR: join(workspace, 'data') })
    const server = await startServer({ directory: full, command: ['npx', 'backline'], environment })
    const { test: key } = await server.firstKeys()
    const answer = await fetch(`${server.url}/v1/conversations`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': 'packed',
      },
      body: JSON.stringify({ external_user_id: 'user_42', subject: 'Card declined' }),
    })
    assert.equal(answer.status, 201)
    for (const path of [
      '/',
      '/console',
      '/docs',
      '/guides/operating',
      '/v1/openapi.json',
      '/readyz',
      '/problems',
    ])
      assert.equal((await fetch(server.url + path)).status, 200, path)
    await server.stop()
    assert.match(server.stdout, new RegExp(`"node":"v${oldestNode}"[^]*"msg":"stopped"`))
    assert.equal(server.stderr, '')
  })

  test('without the embedded PostgreSQL, a start says what to do', async () => {
    const server = await npx(slim, { BACKLINE_DATA_DIR: join(workspace, 'slim data') })
    assert.equal((await server.ended()).code, 1)
    assert.match(server.stderr, /^error: .*no embedded PostgreSQL.*set DATABASE_URL[^\n]*\n$/)
  })

  test('without the embedded PostgreSQL, it serves from the database of DATABASE_URL', async (t) => {
    const { connection, drop } = await cloneDatabase()
    t.after(drop)
    const settings = { DATABASE_URL: urlOf(connection), BACKLINE_SECRET_KEY: secretKey }
    const environment = await environmentOf({ ...settings, BACKLINE_DATA_DIR: join(workspace, 'keys') })
    const server = await startServer({ directory: slim, command: ['npx', 'backline'], environment })
    assert.ok(await server.firstKeys())
    await server.stop()
  })

  test('without the console, nothing leads to it, and the log and doctor say how to get it', async (t) => {
    const bare = join(workspace, 'bare')
    cpSync(slim, bare, { recursive: true, verbatimSymlinks: true })
    rmSync(join(bare, 'node_modules/@backline/server/dist/packages/console'), { recursive: true })
    const { connection, drop } = await cloneDatabase()
    t.after(drop)
    const BACKLINE_DATA_DIR = join(workspace, 'bare data')
    const settings = {
      DATABASE_URL: urlOf(connection),
      BACKLINE_SECRET_KEY: secretKey,
      BACKLINE_DATA_DIR,
    }
    const environment = await environmentOf(settings)
    const server = await startServer({ directory: bare, command: ['npx', 'backline'], environment })
    await server.firstKeys()
    const advice = /The console is not installed\. In a checkout, npm ci without --omit=dev/
    assert.match(server.stdout, advice)
    assert.equal(existsSync(join(BACKLINE_DATA_DIR, 'console-link.txt')), false)
    const get = async (path: string, accept: string) =>
      (await fetch(server.url + path, { headers: { accept } })).text()
    assert.equal(JSON.parse(await get('/', 'application/json')).links.console, null)
    const page = await get('/', 'text/html')
    assert.match(page, advice)
    assert.doesNotMatch(page, /href="console"/)
    assert.match(await get('/console/', 'application/json'), advice)
    const linking = await npx(bare, settings, 'console', 'link')
    assert.equal((await linking.ended()).code, 1)
    assert.match(linking.stderr, advice)
    const checking = await npx(bare, settings, 'doctor')
    assert.equal((await checking.ended()).code, 0, checking.output)
    assert.match(checking.stdout, /warning\s+console\s+not installed\s+→ The console is not installed/)
    await server.stop()
  })

  test('commands name themselves as they are typed', async () => {
    const help = await npx(slim, {}, '--help')
    assert.equal((await help.ended()).code, 0)
    assert.match(help.stdout, /^Usage: npx backline /)
    assert.equal(help.stderr, '')
  })
})

describe('what is missing is said in a line', () => {
  test('on a Node that is too old', async () => {
    const old = join(workspace, 'old.cjs')
    writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })")
    for (const [directory, command, advice] of [
      [slim, 'node_modules/@backline/server/bin/backline.cjs', /Install it from https:\/\/nodejs\.org\.\n$/],
      [repository, launcher, /or run npm ci without --omit=dev and --ignore-scripts, which installs it\.\n$/],
    ] as const) {
      const server = launch({ directory, command: [process.execPath, '--require', old, command] })
      assert.equal((await server.ended()).code, 1)
      assert.match(server.stderr, /^error: Backline needs Node 22\.18 or newer; this is [^\n]*\n$/)
      assert.match(server.stderr, advice)
    }
  })

  test('in a checkout without packages', async () => {
    const checkout = join(workspace, 'checkout')
    for (const name of ['packages/server', 'packages/cli', 'package.json'])
      cpSync(join(repository, name), join(checkout, name), { recursive: true })
    const server = launch({ directory: checkout, command: ['npm', '-s', 'start'] })
    assert.equal((await server.ended()).code, 1)
    assert.match(server.stderr, /^error: Packages are not installed: [^\n]*fastify[^\n]* Run npm ci\.\n$/)
  })
})

test('README.md and docs/operating.md name the oldest Node of package.json', () => {
  for (const file of ['README.md', 'docs/operating.md'])
    assert.match(
      readFileSync(join(repository, file), 'utf8'),
      new RegExp(`Node ${engines.node.slice(2)}\\b`),
      file,
    )
})

test('the files that the Containerfile copies are enough to build', async () => {
  const context = join(workspace, 'context')
  const copied = readFileSync(join(repository, 'Containerfile'), 'utf8').matchAll(/^COPY (?!--)(.+) \S+$/gm)
  for (const name of [...copied].flatMap(([, names]) => names!.split(' ')))
    cpSync(join(repository, name), join(context, name), {
      recursive: true,
      filter: (file) => !/\/dist$/.test(file),
    })
  symlinkSync(join(repository, 'node_modules'), join(context, 'node_modules'))
  await npm(null, context, 'run', 'build', '--workspace', 'packages/console')
  await npm(null, context, 'run', 'build')
  assert.ok(statSync(join(context, 'packages/server/dist/packages/console/dist/index.html')).isFile())
  assert.ok(statSync(join(context, 'packages/server/dist/packages/cli/src/main.js')).isFile())
})
