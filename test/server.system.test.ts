import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from '@backline/server/compose/config.ts'
import { errorCatalogue } from '@backline/server/platform/kernel/errors.ts'
import type { Connection } from '@backline/server/platform/postgres/database.ts'
import { cloneDatabase } from './databases.ts'
import {
  cleanUp,
  clusterOf,
  familyOf,
  freePort,
  isRunning,
  killAll,
  launch,
  patienceMs,
  postmasterPid,
  repository,
  type ServerProcess,
  startServer,
  temporaryDirectory,
  until,
} from './processes.ts'

/* The server as an operator uses it: start, use, stop, invalid settings. */

after(cleanUp)

/** Asserts that the text is one line without a stack. */
function assertOneLine(text: string): void {
  assert.match(text, /^[^\n]+\n$/)
  assert.doesNotMatch(text, /\bat .+:\d+:\d+|node:|Error:/)
}

const isStopped = (dataDir: string) => !existsSync(join(clusterOf(dataDir), 'postmaster.pid'))

const get = (server: ServerProcess, path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })

const isRefused = (port: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true))
    socket.once('connect', () => socket.destroy())
  })

describe('a data directory, from its first start on', () => {
  const dataDir = join(temporaryDirectory(), 'support desk "ü"')
  let server: ServerProcess
  let keys: { live: string; test: string }
  let firstAnswer = ''

  test('the first start prints both keys and a curl that works when it is pasted', async (t) => {
    const startedAt = performance.now()
    server = await startServer({ environment: { BACKLINE_DATA_DIR: dataDir } })
    t.diagnostic(`listening after ${Math.round(performance.now() - startedAt)} ms`)
    keys = await server.firstKeys()
    assert.equal(server.stdout.split(keys.live).length, 2, 'the live key is printed once')
    assert.equal(server.stderr, '')
    const command = await until('a curl is printed', () => /^curl [\s\S]+?[^\\]$/m.exec(server.stdout)?.[0])
    const paste = async () => (await promisify(execFile)('sh', ['-c', command])).stdout
    firstAnswer = await paste()
    assert.match(JSON.parse(firstAnswer).id, /^conv_/)
    assert.equal(JSON.parse(firstAnswer).subject, 'Card declined')
    assert.equal(await paste(), firstAnswer) // pasted twice, executed once
  })

  test('a second server on it says so in a line, exits with 1 and disturbs nobody', async () => {
    const postmaster = await postmasterPid(dataDir)
    const second = launch({ environment: { BACKLINE_DATA_DIR: dataDir, PORT: String(await freePort()) } })
    assert.deepEqual(await second.ended(), { code: 1, signal: null })
    assertOneLine(second.stderr)
    assert.ok(second.stderr.includes(dataDir) && second.stderr.includes(String(server.pid)), second.stderr)
    assert.equal(await postmasterPid(dataDir), postmaster)
    assert.equal((await get(server, '/readyz')).status, 200)
  })

  test('what needs no key is there: health, metrics, API description, reference, error codes', async () => {
    assert.deepEqual(await (await get(server, '/healthz')).json(), { status: 'ok' })
    assert.equal((await get(server, '/readyz')).status, 200)
    const metrics = await get(server, '/metrics')
    assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain/)
    assert.match(await metrics.text(), /^# TYPE \w+ histogram$/m)
    const document = await get(server, '/v1/openapi.json')
    assert.match(((await document.json()) as { openapi: string }).openapi, /^3\.1\./)
  })

  test('the reference page loads nothing from beyond the server', async () => {
    const page = await fetch(`${server.url}/docs`)
    const html = await page.text()
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    const loaded = [
      ...html.matchAll(/<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)\s*=\s*["']?([^"'\s>]+)/gi),
    ]
    assert.ok(loaded.length > 0)
    for (const [, reference = ''] of loaded) {
      const url = new URL(reference, page.url)
      assert.equal(url.origin, server.url, reference)
      assert.equal((await fetch(url)).status, 200, reference)
    }
    assert.doesNotMatch(html, /@import|url\(\s*["']?(https?:)?\/\/|@font-face/i)
  })

  test('every error code is explained, as HTML to a browser and as JSON otherwise', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
    for (const path of ['/problems', ...Object.keys(errorCatalogue).map((code) => `/problems/${code}`)]) {
      const page = await get(server, path, browser)
      assert.equal(page.status, 200, path)
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/, path)
      assert.match(await page.text(), new RegExp(path.split('/')[2] ?? 'not_found'))
      const json = await get(server, path)
      assert.match(json.headers.get('content-type') ?? '', /^application\/json/, path)
      const body = (await json.json()) as { code?: string; data?: unknown[] }
      if (path === '/problems') assert.equal(body.data?.length, Object.keys(errorCatalogue).length)
      else assert.equal(body.code, path.slice('/problems/'.length))
    }
    for (const code of ['nope', '__proto__', 'toString']) {
      const unknown = await get(server, `/problems/${code}`, browser)
      assert.equal(unknown.status, 404)
      assert.match(unknown.headers.get('content-type') ?? '', /^application\/problem\+json/)
    }
  })

  test('413 reaches a client that sends all of its body before it listens', async () => {
    const body = JSON.stringify({ subject: 'x'.repeat(8_000_000) })
    for (let i = 0; i < 20; i++) {
      const headers = { authorization: `Bearer ${keys.test}`, 'content-type': 'application/json' }
      const response = await fetch(`${server.url}/v1/conversations`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': `large ${i}` },
        body,
      })
      assert.equal(response.status, 413)
    }
  })

  test('SIGTERM: running requests are finished, new ones refused, PostgreSQL is stopped, exit code 0', async (t) => {
    const port = server.environment.PORT!
    const idle = connect(Number(port), '127.0.0.1')
    const isIdleClosed = new Promise((resolve) => idle.once('close', resolve))
    idle.resume().write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    const uploads = await Promise.all(
      Array.from({ length: 6 }, (_, i) => beginUpload(port, keys.test, `upload ${i}`)),
    )
    server.child.kill('SIGTERM')
    await until('new connections are refused', () => isRefused(port))
    assert.equal(server.exit, null)
    const answers = await Promise.all(uploads.map((upload) => upload.finish()))
    for (const [i, answer] of answers.entries()) {
      assert.match(answer, /^HTTP\/1\.1 201 /)
      assert.match(answer, new RegExp(uploads[i]!.user))
    }
    assert.deepEqual(await server.ended(), { code: 0, signal: null })
    await isIdleClosed
    assert.ok(isStopped(dataDir))
    assert.equal(server.stderr, '')
    await t.test('the connections of requests that have finished are closed', () => {
      for (const answer of answers) assert.match(answer, /^connection: close\r$/im)
    })
  })

  test('the second start prints no keys, and everything is still there', async () => {
    server = await startServer({ environment: { BACKLINE_DATA_DIR: dataDir } })
    const list = await get(server, '/v1/conversations?limit=100', { authorization: `Bearer ${keys.test}` })
    const { data } = (await list.json()) as { data: { id: string; external_user_id: string }[] }
    assert.ok(data.some(({ id }) => id === JSON.parse(firstAnswer).id))
    assert.equal(data.filter(({ external_user_id }) => external_user_id.startsWith('upload ')).length, 6)
    assert.deepEqual(await server.stop('SIGINT'), { code: 0, signal: null })
    assert.ok(isStopped(dataDir))
    assert.doesNotMatch(server.stdout, /bkl_/)
  })
})

/** Begins a request with half of its body; the server has responded 100 Continue. */
async function beginUpload(port: string, key: string, user: string) {
  const socket: Socket = connect(Number(port), '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text) => {
    received += text
  })
  const body = JSON.stringify({ external_user_id: user })
  const head = [
    'POST /v1/conversations HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${key}`,
    `Idempotency-Key: ${user}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const goOn = 'HTTP/1.1 100 Continue\r\n\r\n'
  await until(`${user} is begun`, () => received.startsWith(goOn))
  socket.write(body.slice(0, 9))
  return {
    user,
    /** Sends the rest and returns the response. */
    finish: async () => {
      socket.write(body.slice(9))
      const answer = await until(
        `${user} is answered`,
        () => /}$/.test(received) && received.slice(goOn.length),
      )
      socket.destroy()
      return answer
    },
  }
}

test('npm start in a directory with spaces serves from ./data', async (t) => {
  const directory = join(temporaryDirectory(), 'help desk')
  for (const name of ['packages', 'package.json']) {
    cpSync(join(repository, name), join(directory, name), { recursive: true })
  }
  symlinkSync(join(repository, 'node_modules'), join(directory, 'node_modules'))
  const npm = await startServer({ directory, command: ['npm', 'start'] })
  assert.ok(await npm.firstKeys())
  const dataDir = join(directory, 'data')
  const family = [...familyOf(npm.pid), ...familyOf((await postmasterPid(dataDir))!)]
  t.after(() => killAll(family))
  assert.ok(family.length > 3, 'npm, the server, PostgreSQL and its processes')

  await t.test('when npm gets SIGTERM nothing of it goes on', async () => {
    npm.child.kill('SIGTERM')
    await until('all of them are gone', () => !family.some(isRunning), 8_000)
    assert.ok(isStopped(dataDir))
    assert.match(npm.stdout, /"msg":"stopped"/)
  })
})

describe('a port that somebody else has', () => {
  const dataDir = temporaryDirectory()
  let server: ServerProcess

  test('exits with 1 and leaves no PostgreSQL behind', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const PORT = String((other.address() as { port: number }).port)
    server = launch({ environment: { BACKLINE_DATA_DIR: dataDir, PORT } })
    assert.deepEqual(await server.ended(), { code: 1, signal: null })
    assert.ok(isStopped(dataDir))
    await new Promise((resolve) => other.close(resolve))
  })

  test('says so in a line', () => {
    assertOneLine(server.stderr)
    assert.match(server.stderr, new RegExp(server.environment.PORT!))
  })

  test('the next start prints the keys, which nobody has seen yet', async () => {
    const next = await startServer({ environment: { BACKLINE_DATA_DIR: dataDir } })
    assert.ok(await next.firstKeys())
    await next.stop()
  })
})

test('SIGTERM while it starts: exit code 0 and no PostgreSQL is left behind', async () => {
  const dataDir = temporaryDirectory()
  const server = launch({ environment: { BACKLINE_DATA_DIR: dataDir, PORT: String(await freePort()) } })
  const postmaster = await until('PostgreSQL starts', () => postmasterPid(dataDir))
  assert.deepEqual(await server.stop(), { code: 0, signal: null })
  await until('PostgreSQL has ended', () => !isRunning(postmaster))
})

describe('one database for several processes', () => {
  test('api serves the API, worker does not, and of two first starts at once one prints keys', async (t) => {
    const database = await emptyDatabase()
    t.after(database.drop)
    const start = (role: string) =>
      startServer({ environment: { DATABASE_URL: database.url, BACKLINE_ROLE: role } })
    const [api, worker] = await Promise.all([start('api'), start('worker')])
    const keys = await until('the keys are printed', () => api.keys ?? worker.keys)
    const headers = { authorization: `Bearer ${keys.live}` }
    assert.equal((await get(api, '/v1/conversations', headers)).status, 200)
    const refused = await get(worker, '/v1/conversations', headers)
    assert.equal(refused.status, 404)
    assert.match(refused.headers.get('content-type') ?? '', /^application\/problem\+json/)
    for (const server of [api, worker]) {
      for (const path of ['/healthz', '/readyz', '/metrics'])
        assert.equal((await get(server, path)).status, 200)
      assert.deepEqual(await server.stop(), { code: 0, signal: null })
    }
    assert.ok(api.keys === null || worker.keys === null, 'both have printed keys')
  })

  test('a database that does not answer: one line, exit 1', async () => {
    const DATABASE_URL = `postgres://backline:geheim@127.0.0.1:${await freePort()}/backline`
    const server = launch({ environment: { DATABASE_URL, PORT: String(await freePort()) } })
    assert.deepEqual(await server.ended(), { code: 1, signal: null })
    assert.doesNotMatch(server.stderr + server.stdout, /geheim/)
    assertOneLine(server.stderr)
  })
})

/** Creates a migrated database without rows on the tests' PostgreSQL; returns its URL. */
async function emptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const { connection, drop } = await cloneDatabase()
  return { url: urlOf(connection), drop }
}

function urlOf(connection: Connection): string {
  if (typeof connection === 'string') return connection
  const { host, port, user, database } = connection
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

describe('a setting that is not valid is refused at start by its name', { concurrency: 3 }, () => {
  const file = join(temporaryDirectory(), 'a file')
  writeFileSync(file, '')
  type Case = { environment: Record<string, string>; named: string[] }
  const one = (name: string, value: string): Case => ({ environment: { [name]: value }, named: [name] })
  const cases: Case[] = [
    one('HOST', 'not a host'),
    one('PORT', '65536'),
    one('DATABASE_URL', 'mysql://user:geheim@localhost/backline'),
    one('BACKLINE_DATA_DIR', file),
    one('BACKLINE_SECRET_KEY', 'geheim'),
    one('BACKLINE_PUBLIC_URL', 'support.example.com'),
    one('BACKLINE_LOG_LEVEL', 'verbose'),
    one('BACKLINE_LOG_FORMAT', 'xml'),
    one('BACKLINE_ROLE', 'both'),
    one('BACKLINE_RATE_LIMIT_PER_SECOND', '-1'),
    one('BACKLINE_RATE_LIMIT_BURST', '0'),
    one('BACKLINE_MAX_STREAMS', '0'),
    one('BACKLINE_MAX_STREAMS_PER_KEY', 'many'),
    one('BACKLINE_MAX_UNSENT_MB', '15'),
    one('BACKLINE_WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/8,localhost'),
    one('BACKLINE_WEBHOOK_RETRY_SECONDS', '5,,30'),
    one('BACKLINE_V2_RELEASED_AT', '2026-02-30'),
    one('BACKLINE_V1_RETIRES_AT', 'tomorrow'),
    { environment: { BACKLINE_V1_RETIRES_AT: '2030-01-01' }, named: ['BACKLINE_V1_RETIRES_AT'] },
    {
      environment: { BACKLINE_V2_RELEASED_AT: '2029-01-02', BACKLINE_V1_RETIRES_AT: '2030-01-01' },
      named: ['BACKLINE_V1_RETIRES_AT'],
    },
    one('BACKLINE_IDEMPOTENCY_RETENTION_HOURS', '23'),
    { environment: { PORT: 'x', BACKLINE_ROLE: 'y' }, named: ['PORT', 'BACKLINE_ROLE'] },
  ]
  test('every setting there is has a line in this table', () => {
    const asked = new Set<string>()
    readConfig(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }))
    const tried = new Set(cases.flatMap((each) => each.named))
    asked.delete('BACKLINE_METRICS_TOKEN') // any text is valid
    const own = [...asked].filter((name) => !name.startsWith('OTEL_')) // telemetry.system.test.ts has these
    assert.deepEqual(own.sort(), [...tried].sort())
  })
  for (const { environment, named } of cases) {
    const title = Object.entries(environment).map(([name, value]) => `${name}=${value.replace(file, 'file')}`)
    test(title.join(' '), async () => {
      const dataDir = join(temporaryDirectory(), 'unused')
      const server = launch({ environment: { BACKLINE_DATA_DIR: dataDir, PORT: '0', ...environment } })
      assert.deepEqual(await server.ended(), { code: 1, signal: null })
      const lines = server.stderr.trimEnd().split('\n')
      assert.equal(lines.length, named.length, server.stderr)
      for (const [i, name] of named.entries()) assert.match(lines[i]!, new RegExp(`\\b${name}\\b`))
      assert.doesNotMatch(server.output, /geheim/)
      assert.equal(existsSync(dataDir), false, 'nothing was made')
    })
  }
})
