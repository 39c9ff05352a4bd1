import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readMigrations } from '@backline/server/platform/postgres/migrate.ts'
import { type Environment, expectations, newKey, type Result, statusWith } from './command-line.ts'
import { cloneDatabase, secretKey, urlOf } from './databases.ts'
import {
  cleanUp,
  freePort,
  isRunning,
  launch,
  postmasterPid,
  type ServerProcess,
  temporaryDirectory,
  until,
} from './processes.ts'

/* Commands in separate processes. */

async function runProcess(environment: Environment, ...args: string[]): Promise<Result> {
  const process = commandLine(environment, ...args)
  const { code } = await process.ended()
  return { code, stdout: process.stdout, stderr: process.stderr }
}

const commandLine = (environment: Environment, ...args: string[]): ServerProcess =>
  launch({ environment, command: [process.execPath, 'packages/cli/src/main.ts', ...args] })

const { succeed, json, diagnose } = expectations(runProcess)

const npm = (environment: Environment, ...args: string[]): ServerProcess =>
  launch({ environment, command: ['npm', 'run', '-s', 'backline', '--', ...args] })

after(cleanUp)

describe('on a database of DATABASE_URL', { concurrency: 1 }, () => {
  let environment: Environment
  let server: ServerProcess
  let drop = async (): Promise<unknown> => undefined
  before(async () => {
    const database = await cloneDatabase()
    drop = database.drop
    const PORT = String(await freePort())
    const DATABASE_URL = urlOf(database.connection)
    const BACKLINE_DATA_DIR = temporaryDirectory()
    environment = { DATABASE_URL, PORT, BACKLINE_DATA_DIR, BACKLINE_SECRET_KEY: secretKey }
    server = await commandLine(environment, 'serve', '--json').ready()
  })
  after(async () => {
    await server?.stop()
    await drop()
  })

  test('serve prints lines of JSON without the first keys, and says which file contains them', async () => {
    const { live, test } = await server.firstKeys()
    assert.equal(await statusWith(server.url, test), 200)
    const lines = await until('the log names the file', () => {
      const printed = server.stdout.trim().split('\n')
      return printed.some((line) => line.includes(server.keyFile)) && printed
    })
    for (const line of lines) JSON.parse(line)
    assert.ok(!server.output.includes(live) && !server.output.includes(test))
  })

  test('by way of npm, a printed key is all that is printed, and opens the API at once', async () => {
    const command = npm(environment, ...newKey('--workspace', 'default', '--environment', 'live'))
    assert.equal((await command.ended()).code, 0)
    assert.match(command.stdout, /^bkl_live_\w{38}\n$/)
    assert.equal(command.stderr, '')
    assert.equal(await statusWith(server.url, command.stdout.trim()), 200)
  })

  test('by way of npm, 2 when it is typed wrongly', async () => {
    const command = npm({}, '--json', 'keys', 'lost')
    assert.equal((await command.ended()).code, 2)
    const { error } = JSON.parse(command.stderr)
    assert.deepEqual([error.code, error.exit_code, command.stdout], ['usage', 2, ''])
  })

  test('a reader that has seen enough is no failure', async () => {
    const script = 'set -o pipefail; node packages/cli/src/main.ts openapi | head -c 1'
    const command = launch({ command: ['bash', '-c', script] })
    assert.equal((await command.ended()).code, 0, command.output)
    assert.equal(command.stdout, '{')
  })
})

describe('on the embedded PostgreSQL', { concurrency: 1 }, () => {
  let dataDir: string
  let environment: Environment
  before(async () => {
    dataDir = temporaryDirectory()
    environment = { BACKLINE_DATA_DIR: dataDir, PORT: String(await freePort()) }
  })
  let liveKey: string
  const isStopped = async () => (await postmasterPid(dataDir)) === null

  test('every command works without a server, and stops what it has started', async () => {
    assert.equal((await json(environment, 'migrate')).applied.length, readMigrations().length)
    await succeed(environment, 'workspaces', 'create', 'Acme')
    const secret = await succeed(environment, ...newKey('--workspace', 'Acme', '--environment', 'live'))
    liveKey = secret.trim()
    const other = await json(environment, ...newKey('--workspace', 'Acme', '--environment', 'test'))
    await succeed(environment, 'keys', 'revoke', other.id)
    // Both run at once: one waits for the other.
    const [{ data }, list] = await Promise.all([
      json(environment, 'keys', 'list', '--workspace', 'Acme'),
      succeed(environment, 'workspaces', 'list'),
    ])
    assert.deepEqual(
      data.map((key: Environment) => [key.environment, key.revoked_at !== null]),
      [
        ['live', false],
        ['live', false],
        ['test', true],
        ['test', false],
      ],
    )
    assert.match(list, /^ID .*\nws_\w+ .* Acme\n$/)
    const { code, check } = await diagnose(environment)
    assert.equal(code, 0)
    assert.match(check('embedded server').detail, /no server is using/)
    assert.match(check('database').detail, /PostgreSQL 18/)
    assert.match(check('port').detail, /is free$/)
    assert.ok(await isStopped())
  })

  test('Ctrl-C in the middle leaves no PostgreSQL running', async () => {
    const command = commandLine(environment, 'workspaces', 'list')
    const pid = await until('PostgreSQL is being started', () => postmasterPid(dataDir))
    await command.stop('SIGINT')
    await until('PostgreSQL has ended', () => !isRunning(pid))
    assert.match(await succeed(environment, 'workspaces', 'list'), /Acme/)
  })

  test('commands use the PostgreSQL of a server that runs, is only just starting, or was killed', async () => {
    const server = commandLine(environment, 'serve')
    const early = succeed(environment, 'workspaces', 'list')
    await server.ready()
    assert.match(await early, /Acme/)
    assert.equal(await statusWith(server.url, liveKey), 200)

    const key = await json(environment, ...newKey('--workspace', 'Acme', '--environment', 'test'))
    assert.equal(await statusWith(server.url, key.secret), 200)
    await succeed(environment, 'keys', 'revoke', key.id)
    await until(
      'the revoked key is refused',
      async () => (await statusWith(server.url, key.secret)) === 401,
      1_000,
    )
    const second = await runProcess({ ...environment, PORT: '0' }, 'serve')
    assert.equal(second.code, 1)
    assert.match(second.stderr, new RegExp(`^error: .*process ${server.pid}\\) is already using .*\\n$`))

    const healthy = await diagnose(environment)
    assert.equal(healthy.code, 0)
    assert.equal(healthy.check('embedded server').facts.server_pid, server.pid)
    assert.match(healthy.check('port').detail, new RegExp(`process ${server.pid}\\), which is ready`))

    await server.stop('SIGKILL')
    const { code, check } = await diagnose(environment)
    assert.equal(code, 0)
    assert.equal(check('embedded server').status, 'warning')
    assert.match(check('embedded server').detail, /PostgreSQL \(process \d+\) is still running/)
    assert.equal(check('migrations').status, 'ok')
    const { code: listed, stdout, stderr } = await runProcess(environment, 'workspaces', 'list', '--json')
    assert.equal(listed, 0)
    assert.equal(JSON.parse(stdout).data[0].name, 'Acme')
    assert.match(JSON.parse(stderr).warning, /left running by a Backline process that was killed/)
    assert.ok(await isStopped())
  })
})
