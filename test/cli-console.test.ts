import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { firstLinkFile, writeFirstLink } from '@backline/server/compose/first-link.ts'
import { pino } from 'pino'
import { type Environment, expectations, run } from './command-line.ts'
import { consolePath, fromConsole } from './console.ts'
import { secretKey, urlOf } from './databases.ts'
import { succeeded } from './desk.ts'
import { service, type World } from './harness.ts'
import { cleanUp, temporaryDirectory } from './processes.ts'

/* Links to the console: from the command line, and from the first start. */

const { succeed, json, refuse } = expectations(run)
const api = service({})
const publicUrl = 'https://desk.example.com'

const newEmail = () => `${randomUUID()}@example.com`

const signIn = (url: string, more: object = {}) =>
  fromConsole(
    api,
    'POST',
    `${consolePath}/sign_in/link`,
    { 'backline-console': 'test' },
    { token: /#link=(\w+)$/.exec(url)?.[1], ...more },
  )

after(cleanUp)

describe('links to the console', { concurrency: 1 }, () => {
  let world: World
  let name: string
  let environment: Environment
  before(async () => {
    world = await api.world()
    name = succeeded(await world.test.get('/v1/workspace')).name
    environment = {
      DATABASE_URL: urlOf(api.connection),
      BACKLINE_SECRET_KEY: secretKey,
      BACKLINE_PUBLIC_URL: publicUrl,
    }
  })
  const link = (...more: string[]) => ['console', 'link', '--workspace', name, ...more] as const

  const lines: { file?: string; msg: string }[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })

  test('a start without an administrator writes a link for the owner of the file alone', async () => {
    const dataDir = join(temporaryDirectory(), 'data')
    await writeFirstLink(api.db, { dataDir, publicUrl }, log)
    const file = firstLinkFile(dataDir)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const text = readFileSync(file, 'utf8')
    assert.match(text, /^https:\/\/desk\.example\.com\/console#link=bkl_link_[0-9A-Za-z]{38}\n$/)
    assert.deepEqual(
      lines.splice(0).map(({ file, msg }) => [file, /first administrator/.test(msg), /bkl_/.test(msg)]),
      [[file, true, false]],
    )
    await writeFirstLink(api.db, { dataDir, publicUrl }, log)
    assert.notEqual(readFileSync(file, 'utf8'), text)
    lines.length = 0
  })

  test('a start that cannot write the file goes on without a link', async () => {
    await writeFirstLink(api.db, { dataDir: '/dev/null/data', publicUrl }, log)
    assert.match(lines.splice(0)[0]!.msg, /no place for the link .*; run: .* console link$/)
  })

  test('console link prints the link of the first administrator, until there is one', async () => {
    const url = (await succeed(environment, ...link())).trim()
    assert.match(url, /^https:\/\/desk\.example\.com\/console#link=bkl_link_[0-9A-Za-z]{38}$/)
    assert.equal((await signIn(url, { name: 'Grace', email: 'grace@example.com' })).status, 200)
    await refuse(
      1,
      /has an administrator; name the operator to sign in with --operator EMAIL/,
      environment,
      ...link(),
    )
  })

  test('console link --operator prints a link that signs in the operator', async () => {
    const email = newEmail()
    const { id } = succeeded(await world.live.post('/v1/operators', { name: 'Ada', email }))
    const printed = await json(environment, ...link('--operator', email.toUpperCase()))
    assert.partialDeepStrictEqual(printed, { object: 'console_link', operator: email.toUpperCase() })
    const { body } = await signIn(printed.url)
    assert.deepEqual([body.environments.live.operator.id, body.environments.test], [id, null])
    succeeded(await world.live.patch(`/v1/operators/${id}`, { archived: true }))
    for (const each of [email, 'nobody@example.com'])
      await refuse(1, /has no operator with the e-mail address/, environment, ...link('--operator', each))
  })

  test('operators invite prints a link by the API, for both environments with a live key', async () => {
    const email = newEmail()
    const { id } = succeeded(await world.live.post('/v1/operators', { name: 'Ada', email }))
    const access = {
      BACKLINE_URL: api.url,
      BACKLINE_API_KEY: world.live.key,
      XDG_CONFIG_HOME: '/nonexistent',
    }
    const invite = ['operators', 'invite', email] as const
    const { expires_at, created_at } = await json(access, ...invite, '--expires-in', '900')
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 900_000)
    const url = (await succeed(access, ...invite)).trim()
    const { environments } = (await signIn(url)).body
    assert.deepEqual([environments.live.operator.id, environments.test.operator.email], [id, email])
    await refuse(1, /no operator .* has the e-mail address/, access, 'operators', 'invite', newEmail())
    await refuse(1, /422 validation_failed/, access, ...invite, '--expires-in', '60')
    await refuse(2, /--expires-in must be a number/, access, ...invite, '--expires-in', 'soon')
  })

  test('the page for signing in is told the command as it is called here', async () => {
    const { body } = await fromConsole(api, 'GET', `${consolePath}/sign_in`)
    assert.equal(body.link_command, 'npm run -s backline -- console link')
  })

  test('a start with an administrator removes the file of an earlier one', async () => {
    const dataDir = temporaryDirectory()
    writeFileSync(firstLinkFile(dataDir), 'a link')
    await writeFirstLink(api.db, { dataDir, publicUrl }, log)
    assert.equal(existsSync(firstLinkFile(dataDir)), false)
  })
})
