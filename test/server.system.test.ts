import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { errorCatalogue } from '@backline/server/platform/kernel/errors.ts'
import type { Connection } from '@backline/server/platform/postgres/database.ts'
import { cloneDatabase, secretKey } from './databases.ts'
import {
  cleanUp,
  clusterOf,
  familyOf,
  freePort,
  isRunning,
  launch,
  launcher,
  patienceMs,
  postmasterPid,
  repository,
  type ServerProcess,
  signalAll,
  startServer,
  temporaryDirectory,
  until,
} from './processes.ts'

/* The server as an operator uses it: start, use, stop. */

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

  test('the first start writes both keys to a file of its owner, and prints none', async (t) => {
    const startedAt = performance.now()
    server = await startServer({ environment: { BACKLINE_DATA_DIR: dataDir, HOST: '0.0.0.0' } })
    t.diagnostic(`listening after ${Math.round(performance.now() - startedAt)} ms`)
    await until('the log says that it listens', () => server.stdout.includes('listening'))
    assert.equal(server.stdout.match(/listening/gi)?.length, 1, server.stdout)
    keys = await server.firstKeys()
    assert.equal(statSync(server.keyFile).mode & 0o777, 0o600)
    await until('the log names the file', () => server.stdout.includes(JSON.stringify(server.keyFile)))
    assert.doesNotMatch(server.output, /bkl_/)
    assert.equal(server.stderr, '')
    const response = await fetch(`${server.url}/v1/conversations`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keys.test}`,
        'content-type': 'application/json',
        'idempotency-key': 'first-conversation',
      },
      body: JSON.stringify({ external_user_id: 'user_42' }),
    })
    assert.equal(response.status, 201)
    firstAnswer = await response.text()
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
      if (url.protocol === 'data:') continue
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

describe('on a terminal', { skip: !existsSync('/usr/bin/script') && 'script is not installed' }, () => {
  const dataDir = temporaryDirectory()
  /** util-linux's `script` runs a command on a terminal of its own; lines end with a carriage return there. */
  const onTerminal = async () => {
    const command: [string, ...string[]] = [
      'script',
      '-qec',
      `${process.execPath} ${launcher} serve`,
      '/dev/null',
    ]
    const server = await startServer({ environment: { BACKLINE_DATA_DIR: dataDir }, command })
    const text = () => server.stdout.replaceAll('\r', '')
    await until('the addresses are printed', () => text().includes(`Backline is ready at ${server.url} `))
    return { server, text }
  }

  test('the first start prints both keys and a curl that works when it is pasted', async () => {
    const { server, text } = await onTerminal()
    const command = await until('a curl is printed', () => /^curl [\s\S]+?}'$/m.exec(text())?.[0])
    const paste = async () => (await promisify(execFile)('sh', ['-c', command])).stdout
    const answer = await paste()
    assert.equal(JSON.parse(answer).subject, 'Card declined')
    assert.equal(await paste(), answer) // pasted twice, executed once
    assert.match(text(), /^ {2}live {2}bkl_live_\w{38}$/m)
    assert.equal(existsSync(server.keyFile), false)
    await server.stop()
  })

  test('the second start prints the addresses, and no keys', async () => {
    const { server, text } = await onTerminal()
    await until('the link of the first administrator is printed', () =>
      /^console: http:\S+\/console#link=bkl_link_\w{38} \(one-time link /m.test(text()),
    )
    assert.match(text(), /API reference: http:\/\/127\.0\.0\.1:\d+\/docs/)
    assert.doesNotMatch(text(), /bkl_(live|test)_/)
    await server.stop()
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
  t.after(() => signalAll(family, 'SIGKILL'))
  assert.ok(family.length > 3, 'npm, the server, PostgreSQL and its processes')

  await t.test('when npm gets SIGTERM nothing of it goes on', async () => {
    npm.child.kill('SIGTERM')
    await until('all of them are gone', () => !family.some(isRunning), 8_000)
    assert.ok(isStopped(dataDir))
    assert.match(npm.stdout, /"msg":"stopped"/)
  })
})

describe('a port that somebody else has', () => {
  const dataDir = join(temporaryDirectory(), 'data')
  let server: ServerProcess

  test('exits with 1 before anything is created', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const PORT = String((other.address() as { port: number }).port)
    server = launch({ environment: { BACKLINE_DATA_DIR: dataDir, PORT } })
    assert.deepEqual(await server.ended(), { code: 1, signal: null })
    assert.equal(existsSync(dataDir), false)
    await new Promise((resolve) => other.close(resolve))
  })

  test('names the process and PORT in a line', () => {
    assertOneLine(server.stderr)
    assert.match(
      server.stderr,
      new RegExp(`:${server.environment.PORT!}\\b.*process ${process.pid}\\b.*set PORT`),
    )
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
  test('api serves the API, worker does not, and keys are created by the one that serves', async (t) => {
    const database = await emptyDatabase()
    t.after(database.drop)
    const start = (role: string) =>
      startServer({ environment: { DATABASE_URL: database.url, BACKLINE_ROLE: role } })
    const [api, worker] = await Promise.all([start('api'), start('worker')])
    const keys = await api.firstKeys()
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
    assert.equal(worker.keys, null)
  })

  test('a database that does not answer: one line, exit 1', async () => {
    const DATABASE_URL = `postgres://backline:geheim@127.0.0.1:${await freePort()}/backline`
    const server = launch({ environment: { DATABASE_URL, PORT: String(await freePort()) } })
    assert.deepEqual(await server.ended(), { code: 1, signal: null })
    assert.doesNotMatch(server.stderr + server.stdout, /geheim/)
    assertOneLine(server.stderr)
    assert.match(server.stderr, /DATABASE_URL.*ECONNREFUSED.*check that PostgreSQL is running/)
  })

  test('keys that cannot be written are not created, and the log says how to create one', async (t) => {
    const database = await emptyDatabase()
    t.after(database.drop)
    const file = join(temporaryDirectory(), 'a file')
    writeFileSync(file, '')
    const environment = {
      DATABASE_URL: database.url,
      BACKLINE_SECRET_KEY: secretKey,
      BACKLINE_FILES_DIR: temporaryDirectory(),
    }
    const server = await startServer({ environment: { ...environment, BACKLINE_DATA_DIR: file } })
    await until('the log says so', () => /no API keys were created.*keys create/.test(server.stdout))
    await server.stop()
    const next = await startServer({ environment })
    assert.ok(await next.firstKeys())
    await next.stop()
  })

  test('keys that a killed start has left in a draft are in the file after the next start', async (t) => {
    const database = await emptyDatabase()
    t.after(database.drop)
    const environment = {
      DATABASE_URL: database.url,
      BACKLINE_SECRET_KEY: secretKey,
      BACKLINE_DATA_DIR: temporaryDirectory(),
    }
    const killed = await startServer({ environment })
    const keys = await killed.firstKeys()
    await killed.stop()
    renameSync(killed.keyFile, `${killed.keyFile}.draft`)
    writeFileSync(`${killed.keyFile}.blank`, ' '.repeat(1_024))
    const next = await startServer({ environment })
    assert.deepEqual(await next.firstKeys(), keys)
    await next.stop()
  })

  test('the keys of another database in the same directory are kept', async (t) => {
    const BACKLINE_DATA_DIR = temporaryDirectory()
    const live: string[] = []
    for (const database of [await emptyDatabase(), await emptyDatabase()]) {
      t.after(database.drop)
      const environment = { DATABASE_URL: database.url, BACKLINE_SECRET_KEY: secretKey, BACKLINE_DATA_DIR }
      const server = await startServer({ environment })
      live.push(
        await until('its keys', () => server.keys && !live.includes(server.keys.live) && server.keys.live),
      )
      await server.stop()
    }
    const entries = readdirSync(BACKLINE_DATA_DIR, { withFileTypes: true }).filter((entry) => entry.isFile())
    const texts = entries.map(({ name }) => readFileSync(join(BACKLINE_DATA_DIR, name), 'utf8'))
    for (const key of live) assert.ok(texts.some((text) => text.includes(key)))
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
