import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { patienceMs, until } from '@backline/test/processes.ts'
import { drip, ok, pour, type Received, receiver } from '@backline/test/receivers.ts'
import { addressList } from '../../../../platform/kernel/networks.ts'
import { openTransport } from '../transport.ts'
import type { TransportLimits } from './limits.ts'

/* The responses that receivers may send, and the ways in which they may fail. */

/** Posts once to a receiver that responds with this. */
async function answerOf(
  t: TestContext,
  answer: (socket: Socket, request: Received) => unknown,
  limits: Partial<TransportLimits> = {},
) {
  const { port, requests, sockets } = await receiver(t, answer)
  const transport = openTransport({ allowed: addressList(['127.0.0.1']), limits })
  t.after(() => transport.close())
  const { durationMs, ...result } = await transport.post({
    url: `http://127.0.0.1:${port}/hook?a=b`,
    headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
    body: '{"id":"evt_1"}',
  })
  assert.ok(Number.isInteger(durationMs) && durationMs >= 0)
  return { result, requests, sockets }
}

const answered = (status: number, body: string, retryAfter: string | null = null) => ({
  status,
  body,
  error: null,
  retryAfter,
})
const failed = (error: string) => ({ status: null, body: null, error, retryAfter: null })

function* forever(piece: string) {
  for (;;) yield piece
}

describe('an answer', () => {
  test('comes to the request as it was given, and nothing besides', async (t) => {
    process.env.HTTP_PROXY = process.env.http_proxy = 'http://127.0.0.1:1'
    t.after(() => {
      delete process.env.HTTP_PROXY
      delete process.env.http_proxy
    })
    const { result, requests } = await answerOf(t, (socket) => socket.write(ok('thanks')))
    assert.deepEqual(result, answered(200, 'thanks'))
    const [request] = requests
    assert.equal(request?.body, '{"id":"evt_1"}')
    assert.deepEqual(request?.head.replace(/:\d+$/m, ':1').split('\r\n'), [
      'POST /hook?a=b HTTP/1.1',
      'host: 127.0.0.1:1',
      'connection: keep-alive',
      'content-type: application/json',
      'webhook-id: evt_1',
      'content-length: 14',
    ])
  })

  const wellFormed: [name: string, bytes: string, expected: object][] = [
    ['204 without a body', 'HTTP/1.1 204 No Content\r\n\r\n', answered(204, '')],
    ['an empty body', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', answered(200, '')],
    ['no reason phrase', 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok', answered(200, 'ok')],
    [
      'chunks and trailers',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntrailer: x-sum\r\n\r\n3;a=b\r\nfir\r\n2\r\nst\r\n0\r\nx-sum: 5\r\n\r\n',
      answered(200, 'first'),
    ],
    [
      'interim answers before',
      'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nok',
      answered(201, 'ok'),
    ],
    [
      'an error and when to come back',
      'HTTP/1.1 503 Busy\r\nRetry-After: 120\r\ncontent-length: 4\r\n\r\nbusy',
      answered(503, 'busy', '120'),
    ],
    [
      'two opinions of when',
      'HTTP/1.1 429 Slow\r\nretry-after: Fri, 31 Dec 2027 23:59:59 GMT\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n',
      answered(429, '', 'Fri, 31 Dec 2027 23:59:59 GMT'),
    ],
    [
      'the offer of another protocol',
      'HTTP/1.1 200 OK\r\nupgrade: h2,h2c\r\nconnection: Upgrade, Keep-Alive\r\ncontent-length: 2\r\n\r\nok',
      answered(200, 'ok'),
    ],
    ['410', 'HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n', answered(410, '')],
    ['a status that nobody knows', 'HTTP/1.1 799 Odd\r\ncontent-length: 0\r\n\r\n', answered(799, '')],
  ]
  for (const [name, bytes, expected] of wellFormed) {
    test(`may have ${name}`, async (t) => {
      const { result } = await answerOf(t, (socket) => socket.write(bytes))
      assert.deepEqual(result, expected)
    })

    test(`may have ${name}, byte by byte`, async (t) => {
      const { result } = await answerOf(t, (socket) => drip(socket, bytes))
      assert.deepEqual(result, expected)
    })
  }

  test('may follow an unexpected 100 Continue', async (t) => {
    const { port, requests } = await receiver(t, (socket) =>
      socket.write(`HTTP/1.1 100 Continue\r\n\r\n${ok()}`),
    )
    const transport = openTransport({ allowed: addressList(['127.0.0.1']) })
    t.after(() => transport.close())
    for (const _ of [1, 2]) {
      const { status } = await transport.post({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' })
      assert.equal(status, 200)
    }
    assert.deepEqual(
      requests.map(({ connection }) => connection),
      [1, 1],
    )
  })

  test('of HTTP/1.0 ends with the connection', async (t) => {
    const { result } = await answerOf(t, (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nto the end'))
    assert.deepEqual(result, answered(200, 'to the end'))
  })

  for (const status of [301, 302, 303, 307, 308]) {
    test(`${status} is not followed`, async (t) => {
      const other = await receiver(t, (socket) => socket.write(ok()))
      for (const target of [`http://127.0.0.1:${other.port}/`, 'http://169.254.169.254/latest/meta-data/']) {
        const head = `HTTP/1.1 ${status} Elsewhere\r\nlocation: ${target}\r\ncontent-length: 0\r\n\r\n`
        const { result } = await answerOf(t, (socket) => socket.write(head))
        assert.deepEqual(result, answered(status, ''))
      }
      assert.equal(other.sockets.length, 0)
    })
  }

  test('sets no cookie for the next request', async (t) => {
    const { port, requests } = await receiver(t, (socket) =>
      socket.write('HTTP/1.1 200 OK\r\nset-cookie: a=b\r\ncontent-length: 0\r\n\r\n'),
    )
    const transport = openTransport({ allowed: addressList(['127.0.0.1']) })
    t.after(() => transport.close())
    for (const _ of [1, 2]) await transport.post({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '' })
    assert.equal(requests.length, 2)
    assert.ok(requests.every(({ head }) => !/cookie/i.test(head)))
  })
})

describe('a body is stored', () => {
  const kept: [name: string, bytes: Buffer, text: string][] = [
    ['as text', Buffer.from('größe ✓'), 'größe ✓'],
    ['with replacements for what is no UTF-8', Buffer.from([0x61, 0xff, 0xc3, 0x62]), 'a\ufffd\ufffdb'],
    ['without NUL characters', Buffer.from('a\0b\0\0c'), 'abc'],
    ['with its byte order mark', Buffer.from('\ufeffa'), '\ufeffa'],
    ['up to the limit', Buffer.from('abcdefghijklmnop'), 'abcdefghijkl'],
    ['without half a character at the limit', Buffer.from('abcdefghij🙂'), 'abcdefghij'],
    ['up to the limit, replacements included', Buffer.alloc(12, 0xff), '\ufffd'.repeat(4)],
  ]
  for (const [name, bytes, text] of kept) {
    test(name, async (t) => {
      const answer = (socket: Socket) =>
        socket.write(
          Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`), bytes]),
        )
      const { result } = await answerOf(t, answer, { storedBodyBytes: 12 })
      assert.deepEqual(result, answered(200, text))
    })
  }
})

describe('an answer whose header has arrived counts', () => {
  const head = 'HTTP/1.1 200 OK\r\n'

  test('when its body breaks off', async (t) => {
    const { result } = await answerOf(t, (socket) => socket.end(`${head}content-length: 100\r\n\r\nabc`))
    assert.deepEqual(result, answered(200, 'abc'))
  })

  test('when the connection is reset in its body', async (t) => {
    const headerRead = new EventEmitter()
    const tell = () => headerRead.emit('read')
    subscribe('http.client.response.finish', tell)
    t.after(() => unsubscribe('http.client.response.finish', tell))
    const { result } = await answerOf(t, (socket) => {
      headerRead.once('read', () => socket.resetAndDestroy())
      socket.write(`${head}content-length: 100\r\n\r\n`)
    })
    assert.deepEqual(result, answered(200, ''))
  })

  test('when its body is malformed', async (t) => {
    const { result } = await answerOf(t, (socket) =>
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\nnonsense\r\n`),
    )
    assert.deepEqual(result, answered(200, 'abc'))
  })

  test('when its body drips on past the time limit', async (t) => {
    const { result } = await answerOf(
      t,
      (socket) => {
        socket.write(`${head}content-length: 1000000\r\n\r\nabc`)
        drip(socket, forever('d'))
      },
      { attemptMs: 2_000 },
    )
    assert.match(result.body ?? '', /^abcd*$/)
    assert.deepEqual(result, answered(200, result.body!))
  })

  const endless: [name: string, head: string, piece: Buffer][] = [
    ['its body never ends', 'content-length: 1073741824\r\n\r\n', Buffer.alloc(65_536, 'x')],
    ['its body has no length and never ends', '\r\n', Buffer.alloc(65_536, 'x')],
    [
      'its chunks never end',
      'transfer-encoding: chunked\r\n\r\n',
      Buffer.from('4\r\nxxxx\r\n'.repeat(5_000)),
    ],
    ['a chunk header never ends', 'transfer-encoding: chunked\r\n\r\n1;', Buffer.alloc(65_536, 'x')],
  ]
  for (const [name, rest, piece] of endless) {
    test(`when ${name}, and no more is read than the limit`, async (t) => {
      const { result, sockets } = await answerOf(t, (socket) => {
        socket.write(head + rest)
        pour(socket, piece)
      })
      assert.deepEqual(result, answered(200, 'x'.repeat(result.body!.length)))
      assert.ok(result.body!.length <= 8192)
      await until('the connection is ended', () => sockets[0]!.destroyed)
      const passed = sockets[0]!.bytesWritten
      assert.ok(passed < 32 * 1024 * 1024, `${passed} bytes, most of them in the buffers of the system`)
    })
  }

  test('as soon as its body exceeds the limit', { timeout: patienceMs }, async (t) => {
    const limits = { responseBytes: 10, attemptMs: 10 * patienceMs }
    const answer = (socket: Socket) => socket.write(`${head}content-length: 100\r\n\r\nhello hello`)
    const { result } = await answerOf(t, answer, limits)
    assert.deepEqual(result, answered(200, 'hello hello'))
  })

  test('when its trailers never end', async (t) => {
    const { result, sockets } = await answerOf(t, (socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n`)
      pour(socket, `x-trailer: ${'x'.repeat(1_000)}\r\n`)
    })
    assert.deepEqual(result, answered(200, 'ok'))
    await until('the connection is ended', () => sockets[0]!.destroyed)
  })
})

describe('there is no answer', () => {
  const failures: [name: string, answer: (socket: Socket) => unknown, error: string][] = [
    ['the connection is reset', (s) => s.resetAndDestroy(), 'connection reset'],
    ['the connection is closed', (s) => s.end(), 'connection closed without a response'],
    [
      'it breaks off in the header',
      (s) => s.end('HTTP/1.1 200 OK\r\nconte'),
      'connection closed without a response',
    ],
    ['it is no HTTP', (s) => s.write('SSH-2.0-OpenSSH_9.6\r\n'), 'malformed response'],
    ['it is HTTP/0.9', (s) => s.end('<html>hello</html>'), 'malformed response'],
    ['it is binary', (s) => s.write(Buffer.from([0, 1, 2, 254, 255])), 'malformed response'],
    ['its header is malformed', (s) => s.write('HTTP/1.1 200 OK\r\nno colon\r\n\r\n'), 'malformed response'],
    [
      'it has two lengths',
      (s) => s.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na'),
      'malformed response',
    ],
    [
      'it changes the protocol',
      (s) => s.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
      'malformed response',
    ],
    [
      'it changes the protocol and does not say to which',
      (s) => s.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
      'malformed response',
    ],
    [
      'its header is too large',
      (s) => pour(s, `HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(40_000)}`),
      'response header too large',
    ],
    [
      'its header has too many lines',
      (s) => {
        s.write('HTTP/1.1 200 OK\r\n')
        pour(s, 'x-many: 1\r\n')
      },
      'response header too large',
    ],
    [
      'its reason phrase never ends',
      (s) => {
        s.write('HTTP/1.1 200 ')
        pour(s, Buffer.alloc(65_536, 'x'))
      },
      'response header too large',
    ],
    [
      'interim answers never end',
      (s) => pour(s, 'HTTP/1.1 103 Early\r\nx: y\r\n\r\n'.repeat(500)),
      'response too large',
    ],
  ]
  for (const [name, answer, error] of failures) {
    test(`when ${name}`, async (t) => {
      const { result, requests, sockets } = await answerOf(t, answer)
      assert.deepEqual(result, failed(error))
      assert.equal(requests.length, 1)
      await until('the connection is ended', () => sockets[0]!.destroyed)
    })
  }

  test('when the receiver is silent', async (t) => {
    const { result, sockets } = await answerOf(t, () => undefined, { attemptMs: 200 })
    assert.deepEqual(result, failed('timed out after 0.2 s'))
    await until('the connection is ended', () => sockets[0]!.destroyed)
  })

  test('when the header drips on past the time limit', async (t) => {
    const drops = `HTTP/1.1 200 OK\r\n${'x-drop: 1\r\n'.repeat(1_000)}`
    const { result } = await answerOf(t, (socket) => drip(socket, drops), { attemptMs: 300 })
    assert.deepEqual(result, failed('timed out after 0.3 s'))
  })

  test('when the request is never read', async (t) => {
    const { port } = await receiver(t, () => undefined, { connected: (socket) => socket.pause() })
    const transport = openTransport({ allowed: addressList(['127.0.0.1']), limits: { attemptMs: 300 } })
    t.after(() => transport.close())
    const body = Buffer.alloc(16 * 1024 * 1024)
    const { error } = await transport.post({ url: `http://127.0.0.1:${port}/`, headers: {}, body })
    assert.equal(error, 'timed out after 0.3 s')
  })

  test('when nothing listens on the port', async (t) => {
    const transport = openTransport({ allowed: addressList(['127.0.0.1']) })
    t.after(() => transport.close())
    const answer = await transport.post({ url: 'http://127.0.0.1:1/', headers: {}, body: '' })
    assert.deepEqual({ ...answer, durationMs: 0 }, { ...failed('connection refused'), durationMs: 0 })
  })

  test('when the request cannot be sent, and post() does not throw', async (t) => {
    const { port, requests } = await receiver(t, (socket) => socket.write(ok()))
    const transport = openTransport({ allowed: addressList(['127.0.0.1']) })
    t.after(() => transport.close())
    const post = (headers: Record<string, string>) =>
      transport.post({ url: `http://127.0.0.1:${port}/`, headers, body: '' })
    const invalid: Record<string, string>[] = [
      { 'x-a': 'b\r\nx-smuggled: 1' },
      { 'x-a': 'b\nc' },
      { 'x-a': 'b\0' },
      { 'x-a': '✓' },
      { 'x a': 'b' },
      { 'x-a:': 'b' },
      { '': 'b' },
      { 'transfer-encoding': 'chunked' },
      { expect: '100-continue' },
      { upgrade: 'h2c' },
      { 'keep-alive': 'timeout=100' },
      { 'content-length': 'many' },
      { connection: 'a b' },
      { Host: 'other.test' },
    ]
    for (const headers of invalid)
      assert.equal((await post(headers)).error, 'invalid request header', JSON.stringify(headers))
    assert.equal(requests.length, 0)
    assert.equal((await post({ 'x-a': 'ü' })).status, 200)
    assert.match(requests[0]!.head, /^x-a: ü$/m)
  })

  test('when the URL is not allowed, with the reason', async (t) => {
    const transport = openTransport({ allowed: addressList([]) })
    t.after(() => transport.close())
    const errorOf = async (url: string) => (await transport.post({ url, headers: {}, body: '' })).error
    assert.equal(await errorOf('nonsense'), 'the URL must be an absolute https:// URL')
    assert.equal(await errorOf('http://example.com/'), 'the URL must begin with https://')
    assert.match(
      (await errorOf('https://0x7f.1/'))!,
      /^the URL must not be the forbidden address 127\.0\.0\.1;/,
    )
    assert.match(
      (await errorOf('https://[fe80::1]/'))!,
      /^the URL must not be the forbidden address fe80::1;/,
    )
    assert.equal(await errorOf('https://metadata/'), 'the URL must not be the metadata service metadata')
  })
})
