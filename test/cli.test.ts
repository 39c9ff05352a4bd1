import assert from 'node:assert/strict'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { readArguments } from '../src/cli/arguments.ts'
import { help } from '../src/cli/help.ts'
import { commands } from '../src/cli/main.ts'
import type { Connection } from '../src/db/database.ts'
import { readMigrations } from '../src/db/migrate.ts'
import { cloneDatabase, inDatabase, secretKey } from './databases.ts'
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

type Environment = Record<string, string>
type Result = { code: number | null; stdout: string; stderr: string }

/** Runs a command to its end, as a process of its own. */
async function run(environment: Environment, ...args: string[]): Promise<Result> {
  const process = commandLine(environment, ...args)
  const { code } = await process.ended()
  return { code, stdout: process.stdout, stderr: process.stderr }
}

const commandLine = (environment: Environment, ...args: string[]): ServerProcess =>
  launch({ environment, command: [process.execPath, 'src/cli/main.ts', ...args] })

async function succeed(environment: Environment, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(environment, ...args)
  assert.equal(code, 0, `${args.join(' ')}\n${stdout}${stderr}`)
  assert.equal(stderr, '')
  return stdout
}

// biome-ignore lint/suspicious/noExplicitAny: output is what the tests are about
const json = async (environment: Environment, ...args: string[]): Promise<any> =>
  JSON.parse(await succeed(environment, ...args, '--json'))

/** Fails with this exit code and one line that says so; without a stack. */
async function refuse(
  code: 1 | 2,
  message: RegExp,
  environment: Environment,
  ...args: string[]
): Promise<void> {
  const result = await run(environment, ...args)
  assert.equal(result.code, code, `${args.join(' ')}\n${result.stdout}${result.stderr}`)
  assert.equal(result.stdout, '')
  const [first, second, ...more] = result.stderr.trimEnd().split('\n')
  assert.match(first!, message)
  assert.match(first!, /^error: /)
  if (code === 2) assert.match(second!, /^try: npm run -s backline -- .*--help$/)
  else assert.equal(second, undefined)
  assert.deepEqual(more, [])
}

type Check = { name: string; status: string; detail: string; advice: string | null; facts: Environment }

async function diagnose(
  environment: Environment,
): Promise<{ code: number | null; check(name: string): Check }> {
  const { code, stdout, stderr } = await run(environment, 'doctor', '--json')
  assert.equal(stderr, '')
  const report = JSON.parse(stdout) as { ok: boolean; checks: Check[] }
  assert.equal(report.ok, code === 0)
  return {
    code,
    check: (name) => report.checks.find((check) => check.name === name) ?? assert.fail(`${name}\n${stdout}`),
  }
}

const newKey = (...more: string[]) => ['keys', 'create', '--scopes', '*', '--name', 'cli', ...more]

async function statusWith(server: ServerProcess, key: string): Promise<number> {
  const response = await fetch(`${server.url}/v1/workspace`, { headers: { authorization: `Bearer ${key}` } })
  await response.body?.cancel()
  return response.status
}

async function serve(environment: Environment): Promise<ServerProcess> {
  const settings = { PORT: String(await freePort()), ...environment }
  return commandLine(settings, 'serve').ready()
}

/** DATABASE_URL of a database; a socket directory goes into the query. */
function urlOf(connection: Connection): string {
  if (typeof connection === 'string') return connection
  const { user, database, host, port } = connection
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

async function query<Row extends object>(
  connection: Connection,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(connection)
  await client.connect()
  return client
    .query<Row>(text, values)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

let emptyDatabases = 0

/** A database without any table, on the server of the tests. */
async function emptyDatabase(): Promise<{ connection: Connection; drop(): Promise<unknown> }> {
  const server: Connection = JSON.parse(process.env.BACKLINE_TEST_CONNECTION!)
  const name = `backline_test_empty_${process.pid}_${++emptyDatabases}`
  await query(server, `create database ${name}`)
  return {
    connection: inDatabase(server, name),
    drop: () => query(server, `drop database if exists ${name} with (force)`),
  }
}

after(cleanUp)

describe('the command line', { concurrency: true }, () => {
  describe('how commands are typed', { concurrency: 1 }, () => {
    const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:1/none' }

    test('--help lists every command, and explains each with its options', async () => {
      const [all, one] = await Promise.all([json({}, '--help'), succeed({}, 'keys', 'create', '--help')])
      const names = all.commands.map(({ name }: { name: string }) => name)
      assert.deepEqual(
        names,
        commands.map(({ name }) => name),
      )
      for (const { name } of commands) assert.match(help(commands, null).text, new RegExp(`^  ${name} `, 'm'))
      for (const option of [
        'workspace',
        'environment',
        'scopes',
        'name',
        'expires-at',
        'allowed-cidrs',
        'json',
      ])
        assert.match(one, new RegExp(`^  --${option} `, 'm'))
    })

    test('what is not a command, an option or all that is needed is said in a line', () => {
      const says = (message: RegExp, ...args: string[]) =>
        assert.throws(() => readArguments(commands, args), { name: 'UsageError', message })
      says(/a command is missing; there are: serve, /)
      says(/a command is missing/, '--json')
      says(/no command "kyes"/, 'kyes', 'list')
      says(/no command "keys list"/, 'keys list')
      says(/keys is not a whole command; there are: keys create, keys list, keys revoke/, 'keys')
      says(/no command "keys drop"/, 'keys', 'drop')
      says(/the command comes first, then --workspace/, '--workspace', 'x', 'keys', 'list')
      says(/keys list has no option --wrkspace; it has --workspace, /, 'keys', 'list', '--wrkspace', 'x')
      says(/keys list has no option -w; /, 'keys', 'list', '-w', 'x')
      says(/--json takes no value/, 'keys', 'list', '--json=yes')
      says(/--workspace needs a value/, 'keys', 'list', '--workspace')
      says(/--workspace needs a value/, 'keys', 'list', '--workspace', '--json')
      says(/--workspace is given twice/, 'keys', 'list', '--workspace', 'a', '--workspace', 'b')
      says(/--workspace, --environment and --scopes are missing/, 'keys', 'create', '--name', 'x')
      says(/ID is missing/, 'keys', 'revoke')
      says(/"b" is one argument too many/, 'workspaces', 'create', 'a', 'b')
      says(/must be live or test, not "prod"/, ...newKey('--workspace', 'x', '--environment', 'prod'))
    })

    test('2 with a hint when it is typed wrongly, also by way of npm', async () => {
      const npm = launch({ command: ['npm', 'run', '-s', 'backline', '--', '--json', 'keys', 'lost'] })
      const [exit] = await Promise.all([
        npm.ended(),
        refuse(2, /keys list has no option --x/, nowhere, 'keys', 'list', '--x'),
        refuse(2, /NAME must have at least 1 character/, nowhere, 'workspaces', 'create', ''),
      ])
      assert.equal(exit.code, 2)
      const { error } = JSON.parse(npm.stderr)
      assert.deepEqual([error.code, error.exit_code, npm.stdout], ['usage', 2, ''])
    })

    test('2 and every faulty argument of a key, by the rules of the API', async () => {
      const given = [
        '--workspace',
        'x',
        '--environment',
        'test',
        '--scopes',
        'kb:read,tga:read',
        '--name',
        '',
      ]
      const { code, stderr } = await run(nowhere, '--json', 'keys', 'create', ...given)
      const { error } = JSON.parse(stderr)
      assert.equal(code, 2)
      assert.match(error.message, /^--name must .*; --scopes "tga:read" must be one of /)
      assert.deepEqual(
        error.errors.map((fault: { argument: string; code: string }) => [fault.argument, fault.code]),
        [
          ['--name', 'too_short'],
          ['--scopes', 'not_allowed'],
        ],
      )
    })

    test('the secret of a key is not repeated when it is given in place of the id', async () => {
      const secret = 'bkl_live_TWBKT20tSzuHWyc7G12J3WOc1qo8Wbyg0ZBLtN'
      const { code, stderr } = await run(nowhere, 'keys', 'revoke', secret)
      assert.equal(code, 2)
      assert.ok(!stderr.includes(secret), stderr)
    })

    test('1 and a line when the database is away or a setting is wrong', async () => {
      const wrong = { DATABASE_URL: 'mysql://me:geheim@somewhere/x', PORT: '80a' }
      const [away, { code, stderr }] = await Promise.all([
        run(nowhere, 'migrate', '--json'),
        run(wrong, 'migrate'),
        refuse(1, /cannot use the database: .*ECONNREFUSED/, nowhere, 'keys', 'list', '--workspace', 'x'),
      ])
      assert.equal(JSON.parse(away.stderr).error.code, 'unavailable')
      assert.equal(code, 1)
      assert.match(stderr, /^error: PORT must be .*\nDATABASE_URL must be .*\n$/)
      assert.doesNotMatch(stderr, /geheim/)
    })
  })

  describe('on a database of DATABASE_URL, beside a running server', { concurrency: 1 }, () => {
    let environment: Environment
    let connection: Connection
    let server: ServerProcess
    let drop = async (): Promise<unknown> => undefined
    before(async () => {
      const database = await cloneDatabase()
      drop = database.drop
      connection = database.connection
      const PORT = String(await freePort())
      environment = { DATABASE_URL: urlOf(connection), PORT, BACKLINE_SECRET_KEY: secretKey }
      server = await serve(environment)
    })
    after(async () => {
      await server?.stop()
      await drop()
    })

    test('a workspace is created, found in the list, and not created twice', async () => {
      assert.match(
        await succeed(environment, 'workspaces', 'create', 'Acme'),
        /^Created workspace Acme \(ws_\w{26}\)\n$/,
      )
      const created = JSON.parse(await succeed(environment, '--json', 'workspaces', 'create', '--', '--Zoo'))
      assert.deepEqual([created.name, created.object], ['--Zoo', 'workspace'])
      const [list] = await Promise.all([
        json(environment, 'workspaces', 'list'),
        refuse(1, /workspace "acme" is there already/, environment, 'workspaces', 'create', 'acme'),
      ])
      assert.deepEqual(
        list.data.map(({ name }: { name: string }) => name),
        ['default', 'Acme', '--Zoo'],
      )
    })

    test('a printed key is all that is printed, opens the API at once, and no longer when it is revoked', async () => {
      const args = newKey('--workspace', 'acme', '--environment', 'live')
      const npm = launch({ environment, command: ['npm', 'run', '-s', 'backline', '--', ...args] })
      assert.equal((await npm.ended()).code, 0)
      assert.match(npm.stdout, /^bkl_live_\w{38}\n$/)
      assert.equal(npm.stderr, '')
      const secret = npm.stdout.trim()
      assert.equal(await statusWith(server, secret), 200)

      const [{ data }, text] = await Promise.all([
        json(environment, 'keys', 'list', '--workspace', 'Acme'),
        succeed(environment, 'keys', 'list', '--workspace', 'Acme'),
      ])
      assert.equal(data.length, 1)
      const [{ id, environment: kind, object, scopes }] = data
      assert.deepEqual({ kind, object, scopes }, { kind: 'live', object: 'api_key', scopes: ['*'] })
      assert.match(text, new RegExp(`^ID .*\\n${id}  live .* active .*cli\\n$`))

      assert.equal(await succeed(environment, 'keys', 'revoke', id), `Revoked ${id} (cli)\n`)
      await until('the revoked key is refused', async () => (await statusWith(server, secret)) === 401, 1_000)
      assert.match(await succeed(environment, 'keys', 'revoke', id), /was revoked at \d{4}-/)

      const journal = await query<{ type: string; actor_type: string; actor_id: string | null }>(
        connection,
        `select e.type, e.actor_type, e.actor_id from events e join api_keys k on k.id = e.resource_id
         where k.name = 'cli' order by e.created_at`,
      )
      const bySystem = { actor_type: 'system', actor_id: null }
      assert.deepEqual(journal, [
        { type: 'api_key.created', ...bySystem },
        { type: 'api_key.revoked', ...bySystem },
      ])
    })

    test('a key with an end and a network has both; --json shows the key with its secret', async () => {
      const where = newKey('--workspace', 'default', '--environment', 'test')
      const limits = (end: string, network: string) => ['--expires-at', end, '--allowed-cidrs', network]
      const good = limits('2099-01-31T01:00:00+01:00', '203.0.113.0/24, ::2')
      const bad = limits('2020-01-01T00:00:00Z', '10.0.0.0/33')
      const unset = [...where, '--allowed-cidrs', '']
      const faults = /--allowed-cidrs "10.0.0.0\/33" must be a CIDR .*; --expires-at must be in the future/
      const ghost = newKey('--workspace', 'Ghost', '--environment', 'live')
      const unknown = ['keys', 'revoke', 'key_01kah1vgm0e1tbm5ye8n2m9q7c']
      const [key] = await Promise.all([
        json(environment, ...where, '--scopes', 'kb:read,tags:read', ...good, '--allowed-cidrs', '::1'),
        refuse(2, faults, environment, ...where, ...bad),
        refuse(2, /--allowed-cidrs "" must/, environment, ...unset),
        refuse(1, /no workspace "Ghost"; there are: default/, environment, ...ghost),
        refuse(1, /there is no key key_0/, environment, ...unknown),
      ])
      assert.deepEqual(key.scopes, ['*', 'kb:read', 'tags:read'])
      assert.deepEqual(key.allowed_cidrs, ['203.0.113.0/24', '::2', '::1'])
      assert.equal(key.expires_at, '2099-01-31T00:00:00.000Z')
      assert.equal(await statusWith(server, key.secret), 403)
    })

    test('openapi prints what the server serves', async () => {
      const served = await (await fetch(`${server.url}/v1/openapi.json`)).json()
      assert.deepEqual(JSON.parse(await succeed(environment, 'openapi')), served)
    })

    test('doctor finds nothing wrong, and who has the port', async () => {
      const { code, check } = await diagnose({ ...environment, BACKLINE_METRICS_TOKEN: 'geheim' })
      assert.equal(code, 0)
      assert.match(
        check('port').detail,
        new RegExp(`served by Backline \\(process ${server.pid}\\), which is ready`),
      )
      assert.equal(check('database').facts.kind, 'external')
      assert.match(check('settings').detail, /^BACKLINE_METRICS_TOKEN=\*\*\*$/m)
      assert.match(check('settings').detail, /^BACKLINE_SECRET_KEY=\*\*\*$/m)
      assert.match(check('secret key').detail, /^BACKLINE_SECRET_KEY, by which the secrets .* are encrypted$/)
      assert.ok(Math.abs(Number(check('clock').facts.offset_ms)) < 1000)
      assert.match(
        await succeed(environment, 'doctor'),
        /^ok +migrations +all \d+ are applied$.*^Nothing is wrong\.$/ms,
      )
    })

    test('doctor says where the secret key comes from, and what is wrong with it', async () => {
      const keptIn = (text: string, mode: number) => {
        const dataDir = temporaryDirectory()
        writeFileSync(`${dataDir}/secret.key`, text)
        chmodSync(`${dataDir}/secret.key`, mode)
        return diagnose({ ...environment, BACKLINE_SECRET_KEY: '', BACKLINE_DATA_DIR: dataDir })
      }
      const otherKey = Buffer.alloc(32, 'other').toString('base64')
      const missing = { ...environment, BACKLINE_SECRET_KEY: '', BACKLINE_DATA_DIR: temporaryDirectory() }
      const [right, loose, broken, other, set, lost] = await Promise.all([
        keptIn(secretKey, 0o600),
        keptIn(secretKey, 0o644),
        keptIn('geheim', 0o600),
        keptIn(otherKey, 0o600),
        diagnose({ ...environment, BACKLINE_SECRET_KEY: otherKey }),
        diagnose(missing),
      ])
      assert.equal(right.code, 0)
      assert.match(
        right.check('secret key').detail,
        /secret\.key, open to its owner alone, by which the secrets/,
      )
      const faults: [Awaited<ReturnType<typeof diagnose>>, RegExp, RegExp][] = [
        [loose, /open to other users \(mode 0644\)/, /chmod 600/],
        [broken, /secret\.key holds no secret key/, /restore it from a backup/],
        [other, /encrypted with another key than that of \/.*secret\.key/, /put the secret\.key .* into/],
        [set, /encrypted with another key than that of BACKLINE_SECRET_KEY/, /set BACKLINE_SECRET_KEY to/],
        [lost, /there is no \/.*secret\.key/, /put the secret\.key .* into/],
      ]
      for (const [{ code, check }, detail, advice] of faults) {
        assert.equal(code, 1)
        assert.equal(check('secret key').status, 'fault')
        assert.match(check('secret key').detail, detail)
        assert.match(check('secret key').advice!, advice)
        assert.doesNotMatch(JSON.stringify(check('secret key')), /geheim/)
      }
    })
  })

  describe('on a database whose schema is not that of this version', { concurrency: 1 }, () => {
    test('migrate applies what is missing; doctor tells before', async () => {
      const { connection, drop } = await emptyDatabase()
      const environment = { DATABASE_URL: urlOf(connection), PORT: '0' }
      try {
        const { code, check } = await diagnose(environment)
        assert.equal(code, 1)
        assert.equal(check('migrations').status, 'fault')
        assert.match(check('migrations').advice!, /run npm run -s backline -- migrate/)
        const names = readMigrations().map(({ name }) => `Applied ${name}\n`)
        assert.equal(await succeed(environment, 'migrate'), names.join(''))
        const [again, healthy] = await Promise.all([json(environment, 'migrate'), diagnose(environment)])
        assert.deepEqual(again, { applied: [], total: names.length })
        assert.equal(healthy.code, 0)
      } finally {
        await drop()
      }
    })

    test('an empty database is migrated by the first command that needs it; serve --json shows the first keys', async () => {
      const [first, second] = [await emptyDatabase(), await emptyDatabase()]
      try {
        assert.equal(
          await succeed({ DATABASE_URL: urlOf(first.connection) }, 'workspaces', 'list'),
          'There is no workspace.\n',
        )
        const PORT = String(await freePort())
        const settings = { DATABASE_URL: urlOf(second.connection), PORT, BACKLINE_SECRET_KEY: secretKey }
        const server = await commandLine(settings, 'serve', '--json').ready()
        const shown = await until('the keys', () => /^\{"url".*$/m.exec(server.stdout)?.[0])
        assert.equal(await statusWith(server, JSON.parse(shown).keys.test), 200)
        for (const line of server.stdout.trim().split('\n')) JSON.parse(line)
        await server.stop()
      } finally {
        await first.drop()
        await second.drop()
      }
    })

    test('a database that others may use is not migrated in passing', async () => {
      const { connection, drop } = await cloneDatabase()
      const environment = { DATABASE_URL: urlOf(connection), PORT: '0' }
      const last = readMigrations().at(-1)!
      try {
        await query(connection, 'delete from migrations where number = $1', [last.number])
        const [{ code, check }] = await Promise.all([
          diagnose(environment),
          refuse(
            1,
            new RegExp(`not applied .*${last.name}.*run .* migrate`),
            environment,
            'workspaces',
            'list',
          ),
        ])
        assert.equal(code, 1)
        assert.deepEqual(check('migrations').facts.pending, [last.name])
        await query(connection, `insert into migrations values ($1, 'future', '')`, [last.number + 1])
        const newer = await diagnose(environment)
        assert.match(newer.check('migrations').detail, /start the newer version/)
        assert.match(newer.check('migrations').advice!, /use the version of Backline/)
      } finally {
        await drop()
      }
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
      // Both at once: one waits for the other.
      const [{ data }, list] = await Promise.all([
        json(environment, 'keys', 'list', '--workspace', 'Acme'),
        succeed(environment, 'workspaces', 'list'),
      ])
      assert.deepEqual(
        data.map((key: Environment) => [key.environment, key.revoked_at !== null]),
        [
          ['live', false],
          ['test', true],
        ],
      )
      assert.match(list, /^ID .*\nws_\w+ .* Acme\n$/)
      const { code, check } = await diagnose(environment)
      assert.equal(code, 0)
      assert.match(check('embedded server').detail, /no server is running/)
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
      assert.equal(await statusWith(server, liveKey), 200)

      const key = await json(environment, ...newKey('--workspace', 'Acme', '--environment', 'test'))
      assert.equal(await statusWith(server, key.secret), 200)
      await succeed(environment, 'keys', 'revoke', key.id)
      await until(
        'the revoked key is refused',
        async () => (await statusWith(server, key.secret)) === 401,
        1_000,
      )
      const second = await run(environment, 'serve')
      assert.equal(second.code, 1)
      assert.match(second.stderr, new RegExp(`^error: .*process ${server.pid}\\) already serves .*\\n$`))

      const healthy = await diagnose(environment)
      assert.equal(healthy.code, 0)
      assert.equal(healthy.check('embedded server').facts.server_pid, server.pid)
      assert.match(healthy.check('port').detail, new RegExp(`process ${server.pid}\\), which is ready`))

      await server.stop('SIGKILL')
      const { code, check } = await diagnose(environment)
      assert.equal(code, 0)
      assert.equal(check('embedded server').status, 'warning')
      assert.match(check('embedded server').detail, /left PostgreSQL running \(process \d+\)/)
      assert.equal(check('migrations').status, 'ok')
      const { code: listed, stdout, stderr } = await run(environment, 'workspaces', 'list', '--json')
      assert.equal(listed, 0)
      assert.equal(JSON.parse(stdout).data[0].name, 'Acme')
      assert.match(JSON.parse(stderr).warning, /a killed Backline left behind/)
      assert.ok(await isStopped())
    })

    test('doctor names the other program on the port, and what is wrong with the settings', async () => {
      const stranger = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
      try {
        await until('it listens', () => stranger.listening)
        const { port } = stranger.address() as AddressInfo
        const [taken, misspelt, wrong, unreachable] = await Promise.all([
          diagnose({ BACKLINE_DATA_DIR: `${dataDir}/fresh`, PORT: String(port) }),
          diagnose({ BACKLINE_DATA_DIR: `${dataDir}/fresh`, PORT: '0', BACKLINE_ROLL: 'geheim' }),
          diagnose({ PORT: '80a' }),
          diagnose({ DATABASE_URL: 'postgres://me:geheim@127.0.0.1:1/x?password=geheim', PORT: '0' }),
        ])
        assert.equal(taken.code, 1)
        assert.match(taken.check('port').detail, new RegExp(`served by .*\\(process ${process.pid}\\)`))
        assert.match(taken.check('port').advice!, /set PORT/)
        assert.equal(misspelt.code, 0)
        assert.match(misspelt.check('database').detail, /the first start makes it/)
        assert.match(misspelt.check('secret key').detail, /^none yet; the first start makes .*secret\.key$/)
        assert.match(misspelt.check('settings').detail, /^BACKLINE_ROLL=\*\*\*$/m)
        assert.ok(!existsSync(`${dataDir}/fresh`))
        assert.match(misspelt.check('settings').advice!, /no setting is called BACKLINE_ROLL/)
        assert.equal(wrong.code, 1)
        assert.match(wrong.check('settings').advice!, /PORT must be a port number/)
        assert.equal(unreachable.code, 1)
        assert.match(unreachable.check('database').detail, /ECONNREFUSED/)
        assert.equal(
          unreachable.check('settings').detail,
          'DATABASE_URL=postgres://me:***@127.0.0.1:1/x?password=***\nPORT=0',
        )
      } finally {
        stranger.close()
      }
    })
  })
})
