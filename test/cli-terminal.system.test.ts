import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { type Environment, runWithInput } from './command-line.ts'
import { service, type World } from './harness.ts'
import { cleanUp, launch, repository, temporaryDirectory, until } from './processes.ts'

/* Commands on a terminal, which `script` of util-linux provides, and a whole demo, which is stopped on the way. */

const hasTerminal = spawnSync('script', ['--version']).status === 0

after(cleanUp)

describe('on a terminal', { skip: hasTerminal ? false : 'script (bsdutils) is not installed' }, () => {
  const api = service()
  let world: World
  let environment: Environment
  before(async () => {
    world = await api.world()
    environment = { BACKLINE_URL: api.url, XDG_CONFIG_HOME: join(temporaryDirectory(), 'config') }
  })
  const file = () => join(environment.XDG_CONFIG_HOME!, 'backline', 'config.json')

  /** Types into a command once it shows `prompt`. @returns everything that the terminal has shown */
  async function typed(t: TestContext, input: string, prompt: string, ...args: string[]): Promise<string> {
    const line = [process.execPath, 'packages/cli/src/main.ts', ...args].join(' ')
    const terminal = spawn('script', ['-qec', line, '/dev/null'], {
      cwd: repository,
      env: { PATH: process.env.PATH, ...environment },
    })
    t.after(() => terminal.kill('SIGKILL'))
    let shown = ''
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text
    })
    await until('the prompt', () => shown.includes(prompt))
    if (input !== '') terminal.stdin.write(input)
    await until('the end', () => terminal.exitCode !== null)
    return shown
  }

  test('login does not show the key that is typed', async (t) => {
    const shown = await typed(t, `${world.test.key}\r`, 'bkl_live_…): ', 'login')
    assert.match(shown, /Logged in to the workspace /)
    assert.ok(!shown.includes(world.test.key.slice(-10)))
    assert.equal(JSON.parse(readFileSync(file(), 'utf8')).profiles.default.key, world.test.key)
  })

  test('Ctrl-C at the prompt stores nothing', async (t) => {
    const shown = await typed(t, 'bkl_test_abc\u0003', 'bkl_live_…): ', 'login', '--profile', 'second')
    assert.match(shown, /error: cancelled; nothing was stored/)
    assert.ok(existsSync(file()) && !readFileSync(file(), 'utf8').includes('second'))
  })

  test('responses are indented', async (t) => {
    const shown = await typed(t, '', '"object": "workspace"', 'api', 'get', 'workspace')
    assert.match(shown, /^\{\r\n {2}"id": "ws_\w+",\r\n {2}"object": "workspace",\r\n/)
  })
})

describe('a demo of 600 conversations', () => {
  const api = service({ works: true })

  test('that is stopped revokes its keys, and another run completes it', async () => {
    const { test: client } = await api.world()
    const environment = {
      BACKLINE_URL: api.url,
      BACKLINE_API_KEY: client.key,
      XDG_CONFIG_HOME: '/nonexistent',
    }
    const first = launch({
      environment,
      command: [process.execPath, 'packages/cli/src/main.ts', 'demo', '--conversations', '600'],
    })
    const count = async () => {
      const { body } = await client.get('/v1/conversations?limit=100')
      return body.has_more ? 101 : body.data.length
    }
    await until('it has begun', async () => (await count()) > 50)
    first.child.kill('SIGINT')
    assert.equal((await first.ended()).code, 1)
    assert.match(first.stderr, /^error: stopped; run the same command again to continue\n$/)
    const keys = (await client.get('/v1/api_keys')).body.data
    const left = keys.filter(({ revoked_at }: { revoked_at: string | null }) => revoked_at === null)
    assert.deepEqual([keys.length, left.length], [5, 1])

    const { code, stdout, stderr } = await runWithInput(
      '',
      environment,
      'demo',
      '--conversations',
      '600',
      '--json',
    )
    assert.equal(code, 0, stderr)
    const made = JSON.parse(stdout)
    assert.ok(made.existing > 50)
    assert.equal(made.conversations + made.existing, 600)
    const again = await runWithInput('', environment, 'demo', '--conversations', '600')
    assert.match(again.stdout, /^Nothing to do: all 600 conversations/)
  })
})
