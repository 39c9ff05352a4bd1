import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { newKeySecret } from '@backline/server/support/vocabulary/credentials.ts'
import { type Environment, expectations, run, runWithInput } from './command-line.ts'
import { service, type World } from './harness.ts'
import { cleanUp, freePort, temporaryDirectory } from './processes.ts'

/* Stored API keys: login, logout, profiles, and which key a command uses. */

const { succeed, json, refuse } = expectations(run)

after(cleanUp)

describe('profiles', { concurrency: 1 }, () => {
  const api = service()
  let world: World
  let directory: string
  let environment: Environment
  const file = () => join(directory, 'backline', 'config.json')
  const login = (key: string, ...args: string[]) =>
    runWithInput(`${key}\n`, environment, 'login', '--url', api.url, ...args)

  before(async () => {
    world = await api.world()
    directory = join(temporaryDirectory(), 'config')
    environment = { XDG_CONFIG_HOME: directory }
  })

  test('login checks the key and stores it where only its owner can read it', async () => {
    const { code, stdout, stderr } = await login(world.test.key, '--json')
    assert.equal(code, 0, stderr)
    const { body: workspace } = await world.test.get('/v1/workspace')
    assert.deepEqual(JSON.parse(stdout), {
      object: 'profile',
      name: 'default',
      url: api.url,
      workspace: workspace.name,
      environment: 'test',
      scopes: ['*'],
      file: file(),
    })
    assert.equal(statSync(file()).mode & 0o777, 0o600)
    assert.equal(statSync(join(directory, 'backline')).mode & 0o777, 0o700)
    assert.equal((await json(environment, 'api', 'get', 'workspace')).id, workspace.id)
  })

  test('a live key is stored with a warning, and a narrow one without its scopes', async () => {
    const live = await login(world.live.key, '--profile', 'live')
    assert.deepEqual([live.code, live.stdout.includes('live environment')], [0, true])
    assert.match(live.stderr, /^warning: this is a live key/)
    const narrow = await world.withScopes('tags:read')
    const { code, stdout } = await login(narrow.key, '--profile', 'narrow')
    assert.equal(code, 0)
    assert.match(stdout, /Logged in to a workspace, test environment/)
    assert.match(stdout, /Scopes {3}not shown; reading them needs api_keys:read/)
  })

  test('profiles are listed without their keys, and one of them is the current one', async () => {
    const list = await succeed(environment, 'profiles', 'list')
    assert.match(list, /^ +NAME +ENVIRONMENT +KEY +WORKSPACE +URL\n/)
    assert.match(list, /^\* +narrow +test +bkl_test_…\w{4} +- /m)
    for (const { key } of [world.test, world.live]) assert.ok(!list.includes(key))
    assert.match(await succeed(environment, 'profiles', 'use', 'default'), /now use the profile default/)
    const { data } = await json(environment, 'profiles', 'list')
    assert.deepEqual(
      data.filter(({ current }: { current: boolean }) => current).map(({ name }: { name: string }) => name),
      ['default'],
    )
    await refuse(
      1,
      /profile "liv" does not exist; did you mean live\?/,
      environment,
      'profiles',
      'use',
      'liv',
    )
  })

  test('--profile comes before BACKLINE_API_KEY, which comes before the current profile', async () => {
    const other = await api.world()
    const idWith = async (given: Environment, ...args: string[]) =>
      (await json({ ...environment, ...given }, 'api', 'get', 'workspace', ...args)).id
    const [mine, theirs] = await Promise.all(
      [world.test, other.test].map(async (client) => (await client.get('/v1/workspace')).body.id),
    )
    const given = { BACKLINE_API_KEY: other.test.key, BACKLINE_URL: api.url }
    assert.equal(await idWith({}), mine)
    assert.equal(await idWith(given), theirs)
    assert.equal(await idWith(given, '--profile', 'default'), mine)
  })

  test('a key of a profile is not sent to the server of BACKLINE_URL', async () => {
    const elsewhere = { ...environment, BACKLINE_URL: `http://127.0.0.1:${await freePort()}` }
    await refuse(2, /BACKLINE_URL is .*, and profile default is for /, elsewhere, 'api', 'get', 'workspace')
  })

  test('a key of the environment is not sent to the server of a profile', async () => {
    const elsewhere = { ...environment, BACKLINE_API_KEY: world.test.key, PORT: String(await freePort()) }
    await refuse(1, /cannot reach http:\/\/127\.0\.0\.1:\d+: /, elsewhere, 'api', 'get', 'workspace')
  })

  test('what cannot be a key, or is none of the server, is not stored and not repeated', async () => {
    const before = readFileSync(file(), 'utf8')
    const unknown = newKeySecret('test')
    for (const [key, code, message] of [
      ['hello', 2, /^error: this is not a complete API key/],
      ['', 2, /^error: this is not a complete API key/],
      [unknown.slice(0, -1), 2, /^error: this is not a complete API key/],
      [unknown, 1, /^error: .* returned 401 api_key_invalid: .*\n$/],
    ] as const) {
      const result = await login(key, '--profile', 'wrong')
      assert.equal(result.code, code)
      assert.match(result.stderr, message)
      if (key !== '') assert.ok(!result.stderr.includes(key))
    }
    assert.equal(readFileSync(file(), 'utf8'), before)
  })

  test('a file that others can read is refused, with the command that corrects it', async () => {
    chmodSync(file(), 0o640)
    await refuse(
      1,
      /other users can access it; run: chmod 600 '.*config\.json'/,
      environment,
      'profiles',
      'list',
    )
    const { code, stderr } = await login(world.test.key)
    assert.equal(code, 1)
    assert.match(stderr, /chmod 600/)
    chmodSync(file(), 0o600)
  })

  test('logout forgets the current profile, and all of them', async () => {
    assert.match(await succeed(environment, 'logout'), /^Removed default\. .*\nNo profile is current now/)
    await refuse(
      1,
      /no profile is selected; run: .* profiles use live, narrow/,
      environment,
      'api',
      'get',
      'tags',
    )
    await refuse(1, /profile "x" does not exist/, environment, 'logout', '--profile', 'x')
    assert.deepEqual((await json(environment, 'logout', '--all')).removed, ['live', 'narrow'])
    await refuse(1, /no API key; run: .* login, or set BACKLINE_API_KEY/, environment, 'api', 'get', 'tags')
    assert.ok(existsSync(file()))
  })

  test('the signing secret of listen stays when the key of a profile is replaced', async () => {
    await login(world.test.key)
    const secretOf = () => JSON.parse(readFileSync(file(), 'utf8')).profiles.default.listen_secret
    const before = secretOf()
    assert.match(before, /^whsec_[A-Za-z0-9+/]{43}=$/)
    await login((await world.withScopes('*')).key)
    assert.equal(secretOf(), before)
  })
})
