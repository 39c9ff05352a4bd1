import assert from 'node:assert/strict'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { commands } from '@backline/cli/commands.ts'
import { readConfig } from '@backline/server/compose/config.ts'
import { openSecretBox } from '@backline/server/compose/secret-key.ts'
import type { Connection } from '@backline/server/platform/postgres/database.ts'
import { readMigrations } from '@backline/server/platform/postgres/migrate.ts'
import pg from 'pg'
import { type Environment, expectations, newKey, run, statusWith } from './command-line.ts'
import { cloneDatabase, inDatabase, secretKey, urlOf } from './databases.ts'
import { service } from './harness.ts'
import { cleanUp, temporaryDirectory, until } from './processes.ts'

/* Commands, run in this process. cli.system.test.ts tests signals and the embedded server, which need a process. */

const { succeed, json, refuse, diagnose } = expectations(run)

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

/** Creates a database without tables on the server of the tests. */
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

describe('how commands are typed', { concurrency: 1 }, () => {
  const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:1/none' }

  test('--help lists every command, and explains each with its options', async () => {
    const [all, list, one] = await Promise.all([
      json({}, '--help'),
      succeed({}, 'help'),
      succeed({}, 'help', 'keys', 'create'),
    ])
    const names = all.commands.map(({ name }: { name: string }) => name)
    assert.deepEqual(
      names,
      commands.map(({ name }) => name),
    )
    for (const { name, summary } of commands) assert.match(list, new RegExp(`^  ${name} +${summary}$`, 'm'))
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

  test('what is not a command, an option or all that is needed is said in a line', async () => {
    const says = (message: RegExp, ...args: string[]) => refuse(2, message, nowhere, ...args)
    await says(/a command is required; available commands: serve, migrate, /)
    await says(/unknown command 'kyes' \(Did you mean keys\?\)/, 'kyes', 'list')
    await says(/unknown command 'keys list'/, 'keys list')
    await says(/a command is required; available commands: keys create, keys list, keys revoke/, 'keys')
    await says(/unknown command 'drop'/, 'keys', 'drop')
    await says(
      /unknown option '--workspace'; options of a command come after the command/,
      '--workspace',
      'x',
      'keys',
      'list',
    )
    await says(/come after keys and its command/, 'keys', '--workspace', 'x', 'list')
    await says(
      /unknown option '--wrkspace' \(Did you mean --workspace\?\)/,
      'keys',
      'list',
      '--wrkspace',
      'x',
    )
    await says(/unknown option '-w'/, 'keys', 'list', '-w', 'x')
    await says(/unknown option '--json=yes'/, 'keys', 'list', '--json=yes')
    await says(/option '--workspace <NAME>' argument missing/, 'keys', 'list', '--workspace')
    await says(/--workspace must be given only once/, 'keys', 'list', '--workspace', 'a', '--workspace', 'b')
    await says(/--environment and --scopes are required/, 'keys', 'create', '--name', 'x')
    await says(/missing required argument 'ID'/, 'keys', 'revoke')
    await says(/too many arguments .*: a, b\./, 'workspaces', 'create', 'a', 'b')
    await says(/must be live or test, not "prod"/, ...newKey('--workspace', 'x', '--environment', 'prod'))
    const { stderr } = await run(nowhere, 'keys', 'list', '--workspace', '--json')
    assert.match(JSON.parse(stderr).error.message, /'--workspace <NAME>' argument missing/)
  })

  test('2 with a hint when it is typed wrongly', async () => {
    await refuse(2, /unknown option '--x'/, nowhere, 'keys', 'list', '--x')
    await refuse(2, /NAME must not be empty/, nowhere, 'workspaces', 'create', '')
    const { code, stderr } = await run(nowhere, '--json', 'keys', 'lost')
    const { error } = JSON.parse(stderr)
    assert.deepEqual([code, error.code, error.exit_code], [2, 'usage', 2])
  })

  test('2 and every faulty argument of a key, by the rules of the API', async () => {
    const given = ['--workspace', 'x', '--environment', 'test', '--scopes', 'kb:read,tga:read', '--name', '']
    const { code, stderr } = await run(nowhere, '--json', 'keys', 'create', ...given)
    const { error } = JSON.parse(stderr)
    assert.equal(code, 2)
    assert.match(error.message, /^--name must .*; --scopes "tga:read" .* did you mean tags:read\?$/)
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
      refuse(
        1,
        /cannot use the database of DATABASE_URL: .*ECONNREFUSED/,
        nowhere,
        'keys',
        'list',
        '--workspace',
        'x',
      ),
    ])
    assert.equal(JSON.parse(away.stderr).error.code, 'unavailable')
    assert.equal(code, 1)
    assert.match(stderr, /^error: PORT must be .*\nDATABASE_URL must be .*\n$/)
    assert.doesNotMatch(stderr, /geheim/)
  })
})

describe('on a database of DATABASE_URL, beside a running server', { concurrency: 1 }, () => {
  const api = service({})
  let environment: Environment
  before(async () => {
    environment = {
      DATABASE_URL: urlOf(api.connection),
      PORT: new URL(api.url).port,
      BACKLINE_SECRET_KEY: secretKey,
    }
    await openSecretBox(api.db, readConfig(environment)) // as a server does when it starts
  })

  test('a workspace is created, found in the list, and not created twice', async () => {
    assert.match(
      await succeed(environment, 'workspaces', 'create', 'Acme'),
      /^Created workspace Acme \(ws_\w{26}\)\n\nSave [^\n]+\n {2}live {2}bkl_live_\w{38}\n {2}test {2}bkl_test_\w{38}\n$/,
    )
    const created = JSON.parse(await succeed(environment, '--json', 'workspaces', 'create', '--', '--Zoo'))
    assert.deepEqual([created.name, created.object], ['--Zoo', 'workspace'])
    const { live, test } = created.keys
    assert.deepEqual(await Promise.all([live, test].map((key) => statusWith(api.url, key))), [200, 200])
    const [list] = await Promise.all([
      json(environment, 'workspaces', 'list'),
      refuse(1, /workspace "acme" already exists/, environment, 'workspaces', 'create', 'acme'),
    ])
    assert.deepEqual(
      list.data.map(({ name }: { name: string }) => name),
      ['Acme', '--Zoo'],
    )
  })

  test('a printed key is all that is printed, opens the API at once, and no longer when it is revoked', async () => {
    const args = newKey('--workspace', 'acme', '--environment', 'live')
    const printed = await succeed(environment, ...args)
    assert.match(printed, /^bkl_live_\w{38}\n$/)
    const secret = printed.trim()
    assert.equal(await statusWith(api.url, secret), 200)

    const [{ data }, text] = await Promise.all([
      json(environment, 'keys', 'list', '--workspace', 'Acme'),
      succeed(environment, 'keys', 'list', '--workspace', 'Acme'),
    ])
    assert.equal(data.length, 3)
    const [{ id, environment: kind, object, scopes }] = data
    assert.deepEqual({ kind, object, scopes }, { kind: 'live', object: 'api_key', scopes: ['*'] })
    assert.match(text, new RegExp(`^ID .*\\n${id}  live .* active .*cli\\n`))

    assert.equal(await succeed(environment, 'keys', 'revoke', id), `Revoked ${id} (cli)\n`)
    await until('the revoked key is refused', async () => (await statusWith(api.url, secret)) === 401, 1_000)
    assert.match(await succeed(environment, 'keys', 'revoke', id), /was already revoked at \d{4}-/)

    const journal = await query<{ type: string; actor_type: string; actor_id: string | null }>(
      api.connection,
      `select e.type, e.actor_type, e.actor_id from events e join api_keys k on k.id = e.resource_id
       where k.name = 'cli' order by e.created_at`,
    )
    const bySystem = { actor_type: 'system', actor_id: null }
    assert.deepEqual(journal, [
      { type: 'api_key.created', ...bySystem },
      { type: 'api_key.revoked', ...bySystem },
    ])
  })

  test('keys are listed and created in the only workspace; with several, one must be named', async () => {
    const { connection, drop } = await emptyDatabase()
    const alone = { ...environment, DATABASE_URL: urlOf(connection) }
    try {
      await succeed(alone, 'migrate')
      await refuse(
        1,
        /there is no workspace; create one with .* workspaces create NAME/,
        alone,
        'keys',
        'list',
      )
      const { keys } = await json(alone, 'workspaces', 'create', 'Solo')
      const key = await json(alone, ...newKey('--environment', 'test'))
      const { data } = await json(alone, 'keys', 'list')
      assert.deepEqual(data.map(({ name }: { name: string }) => name).sort(), [
        'First live key',
        'First test key',
        'cli',
      ])
      assert.ok(key.secret !== keys.test)
    } finally {
      await drop()
    }
    const message = /--workspace is required, because there are several; existing workspaces: Acme, --Zoo/
    await refuse(2, message, environment, 'keys', 'list')
    await refuse(2, message, environment, ...newKey('--environment', 'test'))
  })

  test('a key with an end and a network has both; --json shows the key with its secret', async () => {
    const where = newKey('--workspace', 'Acme', '--environment', 'test')
    const limits = (end: string, network: string) => ['--expires-at', end, '--allowed-cidrs', network]
    const good = limits('2099-01-31T01:00:00+01:00', '203.0.113.0/24, ::2')
    const wide = limits('2020-01-01T00:00:00Z', '10.0.0.0/33')
    const past = limits('2020-01-01T00:00:00Z', '10.0.0.0/8')
    const unset = [...where, '--allowed-cidrs', '']
    const ghost = newKey('--workspace', 'Ghost', '--environment', 'live')
    const unknown = ['keys', 'revoke', 'key_01kah1vgm0e1tbm5ye8n2m9q7c']
    const [key] = await Promise.all([
      json(environment, ...where, '--scopes', 'kb:read,tags:read', ...good, '--allowed-cidrs', '::1'),
      refuse(2, /--allowed-cidrs "10.0.0.0\/33" must be a CIDR /, environment, ...where, ...wide),
      refuse(2, /--expires-at must be in the future/, environment, ...where, ...past),
      refuse(2, /--allowed-cidrs "" must/, environment, ...unset),
      refuse(1, /workspace "Ghost" does not exist; existing workspaces: Acme/, environment, ...ghost),
      refuse(1, /API key key_0\w+ does not exist/, environment, ...unknown),
    ])
    assert.deepEqual(key.scopes, ['*', 'kb:read', 'tags:read'])
    assert.deepEqual(key.allowed_cidrs, ['203.0.113.0/24', '::2', '::1'])
    assert.equal(key.expires_at, '2099-01-31T00:00:00.000Z')
    assert.equal(await statusWith(api.url, key.secret), 403)
  })

  test('openapi prints what the server serves', async () => {
    const served = await (await fetch(`${api.url}/v1/openapi.json`)).json()
    assert.deepEqual(JSON.parse(await succeed({ ...environment, PORT: '' }, 'openapi')), served)
  })

  test('doctor finds nothing wrong, and who has the port', async () => {
    const { code, check } = await diagnose({ ...environment, BACKLINE_METRICS_TOKEN: 'geheim' })
    assert.equal(code, 0)
    assert.match(
      check('port').detail,
      new RegExp(`served by Backline \\(process ${process.pid}\\), which is ready`),
    )
    assert.equal(check('database').facts.kind, 'external')
    assert.match(check('settings').detail, /^BACKLINE_METRICS_TOKEN=\*\*\*$/m)
    assert.match(check('settings').detail, /^BACKLINE_SECRET_KEY=\*\*\*$/m)
    assert.match(
      check('secret key').detail,
      /^BACKLINE_SECRET_KEY, which encrypts the secrets in the database$/,
    )
    assert.ok(Math.abs(Number(check('clock').facts.offset_ms)) < 1000)
    assert.match(
      await succeed(environment, 'doctor'),
      /^ok +migrations +all \d+ are applied$.*^No problems found\.$/ms,
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
      /secret\.key, readable only by its owner, which encrypts the secrets/,
    )
    const faults: [Awaited<ReturnType<typeof diagnose>>, RegExp, RegExp][] = [
      [loose, /accessible to other users \(mode 0644\)/, /chmod 600/],
      [broken, /secret\.key does not contain a secret key/, /restore it from a backup/],
      [other, /encrypted with another key than the one in \/.*secret\.key/, /copy secret\.key into/],
      [set, /encrypted with another key than the one in BACKLINE_SECRET_KEY/, /set BACKLINE_SECRET_KEY to/],
      [lost, /\/.*secret\.key does not exist/, /copy secret\.key into/],
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
      assert.match(
        check('migrations').detail,
        /^\d+ migrations of \d+ not applied: \w+, \w+, \w+ and \d+ more$/,
      )
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

  test('an empty database is migrated by the first command that needs it', async () => {
    const { connection, drop } = await emptyDatabase()
    try {
      const listed = await succeed({ DATABASE_URL: urlOf(connection) }, 'workspaces', 'list')
      assert.equal(listed, 'There are no workspaces.\n')
    } finally {
      await drop()
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
      assert.match(newer.check('migrations').detail, /use a newer version/)
      assert.match(newer.check('migrations').advice!, /use the version of Backline/)
    } finally {
      await drop()
    }
  })
})

test('doctor names the other program on the port, and what is wrong with the settings', async () => {
  const dataDir = temporaryDirectory()
  const stranger = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
  try {
    await until('it listens', () => stranger.listening)
    const { port } = stranger.address() as AddressInfo
    const [taken, fresh, misspelt, wrong, unreachable] = await Promise.all([
      diagnose({ BACKLINE_DATA_DIR: `${dataDir}/fresh`, PORT: String(port) }),
      diagnose({ BACKLINE_DATA_DIR: `${dataDir}/fresh`, PORT: '0' }),
      diagnose({ PORT: '0', BACKLINE_ROLL: 'geheim', BACKLINE_API_KEY: 'geheim' }),
      diagnose({ PORT: '80a' }),
      diagnose({ DATABASE_URL: 'postgres://me:geheim@127.0.0.1:1/x?password=geheim', PORT: '0' }),
    ])
    assert.equal(taken.code, 1)
    assert.match(taken.check('port').detail, new RegExp(`served by .*\\(process ${process.pid}\\)`))
    assert.match(taken.check('port').advice!, /set PORT/)
    assert.equal(fresh.code, 0)
    assert.match(fresh.check('database').detail, /created at the first start/)
    assert.match(fresh.check('secret key').detail, /^none yet; the first start creates .*secret\.key$/)
    assert.ok(!existsSync(`${dataDir}/fresh`))
    assert.equal(misspelt.code, 1)
    assert.match(misspelt.check('settings').detail, /^BACKLINE_ROLL=\*\*\*$/m)
    assert.doesNotMatch(misspelt.check('settings').detail, /geheim/)
    assert.match(
      misspelt.check('settings').advice!,
      /BACKLINE_ROLL is not a setting: did you mean BACKLINE_ROLE\?/,
    )
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
