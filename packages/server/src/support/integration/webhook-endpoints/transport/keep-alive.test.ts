import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { createSecureContext } from 'node:tls'
import { until } from '@backline/test/processes.ts'
import { drip, ok, type Received, receiver } from '@backline/test/receivers.ts'
import { addressList } from '../../../../platform/kernel/networks.ts'
import { openTransport } from '../transport.ts'
import { openAgents } from './agents.ts'
import { exchange } from './exchange.ts'
import { defaultLimits, type TransportLimits } from './limits.ts'
import { openConnection } from './opening.ts'

/* A connection serves many requests, and its reuse loses none. */

const allowed = addressList(['127.0.0.1'])

function transportOf(t: TestContext, limits: Partial<TransportLimits> = {}) {
  const transport = openTransport({ allowed, limits, resolve: async () => ['127.0.0.1'] })
  t.after(() => transport.close())
  const post = (port: number, host = '127.0.0.1') =>
    transport.post({ url: `http://${host}:${port}/`, headers: {}, body: '{}' })
  return { transport, post }
}

function agentsWith(t: TestContext, limits: TransportLimits) {
  const options = {
    allowed,
    resolve: async () => ['127.0.0.1'],
    secureContext: createSecureContext(),
    connectMs: limits.connectMs,
  }
  const agents = openAgents((...target) => openConnection(options, ...target), limits)
  t.after(() => agents.close())
  return agents
}

/** A receiver with special behaviour for some requests, by their number. */
const receiving = (t: TestContext, special: Record<number, (socket: Socket, request: Received) => unknown>) =>
  receiver(t, (socket, request) =>
    request.number in special
      ? special[request.number]!(socket, request)
      : socket.write(ok(`${request.number}`)),
  )

const connectionsOf = (requests: Received[]) => requests.map(({ connection }) => connection)

describe('a connection', () => {
  test('serves one request after another', async (t) => {
    const { port, requests } = await receiving(t, {})
    const { post } = transportOf(t)
    for (const body of ['1', '2', '3', '4', '5']) assert.equal((await post(port)).body, body)
    assert.deepEqual(connectionsOf(requests), [1, 1, 1, 1, 1])
  })

  test('serves another after a body of the largest size that is read', async (t) => {
    const body = 'x'.repeat(defaultLimits.responseBytes)
    const { port, requests } = await receiving(t, { 1: (socket) => socket.write(ok(body)) })
    const { post } = transportOf(t)
    for (const _ of [1, 2]) assert.equal((await post(port)).status, 200)
    assert.deepEqual(connectionsOf(requests), [1, 1])
  })

  test('serves one request at a time', async (t) => {
    const { port, requests } = await receiver(t, (socket, { number }) => {
      if (number === 3) for (const { connection } of requests) assert.ok(connection <= 3)
      socket.write(ok())
    })
    const { post } = transportOf(t)
    await Promise.all([post(port), post(port), post(port)])
    assert.deepEqual(connectionsOf(requests).sort(), [1, 2, 3])
  })

  const unusable: [name: string, answer: string][] = [
    ['says that it closes', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok'],
    ['has more bytes than its length', `${ok()}HTTP/1.1 500 Other\r\ncontent-length: 0\r\n\r\n`],
    ['is one of two', `${ok()}${ok('forged')}`],
    ['has a body where none may be', 'HTTP/1.1 204 None\r\ncontent-length: 2\r\n\r\nno'],
    [
      'keeps the connection for a second',
      'HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 2\r\n\r\nok',
    ],
  ]
  for (const [name, answer] of unusable) {
    test(`is not used again when its answer ${name}`, async (t) => {
      const { port, requests } = await receiving(t, { 1: (socket) => socket.write(answer) })
      const { post } = transportOf(t)
      await post(port)
      assert.equal((await post(port)).body, '2')
      assert.deepEqual(connectionsOf(requests), [1, 2])
    })
  }

  test('is not used again, but closed, when its answer came before the request was sent', async (t) => {
    const { port, sockets } = await receiver(t, () => undefined, {
      connected: (socket) => {
        if (sockets.length > 1) return
        socket.pause()
        socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 5\r\n\r\nlarge')
      },
    })
    const { transport } = transportOf(t)
    const body = Buffer.alloc(16 * 1024 * 1024)
    const answer = await transport.post({ url: `http://127.0.0.1:${port}/`, headers: {}, body })
    assert.deepEqual([answer.status, answer.body], [413, 'large'])
    sockets[0]!.resume()
    await until('it is closed', () => sockets[0]!.destroyed)
    assert.ok(sockets[0]!.bytesRead < body.length)
  })

  test('that is reset while it is idle causes no error', async (t) => {
    const { port, requests, sockets } = await receiving(t, {})
    const { post } = transportOf(t)
    await post(port)
    sockets[0]!.resetAndDestroy()
    await post(port)
    assert.deepEqual((await post(port)).status, 200)
    assert.deepEqual(connectionsOf(requests), [1, 2, 2])
  })

  test('on which something arrives while it is idle is not used again', async (t) => {
    const { port, requests, sockets } = await receiving(t, {})
    const { post } = transportOf(t)
    await post(port)
    sockets[0]!.write(ok('forged'))
    await until('it is ended', () => sockets[0]!.destroyed)
    assert.equal((await post(port)).body, '2')
    assert.deepEqual(connectionsOf(requests), [1, 2])
  })

  test('that is idle is closed after a while', async (t) => {
    const { port, sockets } = await receiving(t, {})
    const { post } = transportOf(t, { idleMs: 50 })
    await post(port)
    await until('it is closed', () => sockets[0]!.readableEnded || sockets[0]!.destroyed)
  })

  test('that is idle is closed no later because the receiver would wait', async (t) => {
    const { port, sockets } = await receiving(t, {
      1: (socket) =>
        socket.write('HTTP/1.1 200 OK\r\nkeep-alive: timeout=600\r\ncontent-length: 2\r\n\r\nok'),
    })
    const { post } = transportOf(t, { idleMs: 50 })
    await post(port)
    await until('it is closed', () => sockets[0]!.readableEnded || sockets[0]!.destroyed)
  })

  test('that has lived long enough is not used again', async (t) => {
    const { port, requests } = await receiving(t, {})
    const { post } = transportOf(t, { connectionLifeMs: 0 })
    await post(port)
    assert.equal((await post(port)).body, '2')
    assert.deepEqual(connectionsOf(requests), [1, 2])
  })
})

describe('a connection that the receiver closes', () => {
  test('between two requests is replaced', async (t) => {
    const { port, requests, sockets } = await receiving(t, {})
    const { post } = transportOf(t)
    await post(port)
    sockets[0]!.end()
    await until('it is closed', () => sockets[0]!.destroyed)
    assert.equal((await post(port)).body, '2')
    assert.deepEqual(connectionsOf(requests), [1, 2])
  })

  const deaths: [name: string, die: (socket: Socket) => unknown][] = [
    ['closed', (socket) => socket.end()],
    ['reset', (socket) => socket.resetAndDestroy()],
  ]
  for (const [name, die] of deaths) {
    test(`in the moment of a request (${name}) has that sent once more, on a new one`, async (t) => {
      const { port, requests } = await receiving(t, { 2: die })
      const { post } = transportOf(t)
      await post(port)
      assert.deepEqual(
        { ...(await post(port)), durationMs: 0 },
        {
          status: 200,
          body: '3',
          error: null,
          retryAfter: null,
          durationMs: 0,
        },
      )
      assert.deepEqual(connectionsOf(requests), [1, 1, 2])
      assert.equal((await post(port)).body, '4')
      assert.deepEqual(connectionsOf(requests), [1, 1, 2, 2])
    })

    test(`in the moment of a request (${name}) has it sent no third time`, async (t) => {
      const { port, requests } = await receiving(t, { 2: die, 3: die })
      const { post } = transportOf(t)
      await post(port)
      assert.match((await post(port)).error ?? '', /^connection (reset|closed without a response)$/)
      assert.equal(requests.length, 3)
      assert.equal((await post(port)).body, '4')
    })

    test(`before its first answer (${name}) is a failure`, async (t) => {
      const { port, requests } = await receiving(t, { 1: die })
      const { post } = transportOf(t)
      assert.match((await post(port)).error ?? '', /^connection (reset|closed without a response)$/)
      assert.equal(requests.length, 1)
    })
  }

  test('between two requests, so that a new one serves, has nothing sent again', async (t) => {
    const { port, requests, sockets } = await receiving(t, { 2: (socket) => socket.end() })
    const { post } = transportOf(t)
    await post(port)
    sockets[0]!.end()
    await until('it is closed', () => sockets[0]!.destroyed)
    assert.equal((await post(port)).error, 'connection closed without a response')
    assert.deepEqual(connectionsOf(requests), [1, 2])
  })

  test('has the request repeated on a new one, not on another idle one', async (t) => {
    const { port, requests, sockets } = await receiver(t, (socket, { connection }) => {
      if (requests.length <= 3) {
        if (requests.length === 3) for (const [i, other] of sockets.entries()) other.write(ok(`${i + 1}`))
      } else if (connection <= 3) socket.end()
      else socket.write(ok('new'))
    })
    const { post } = transportOf(t)
    await Promise.all([post(port), post(port), post(port)])
    assert.equal((await post(port)).body, 'new')
    assert.deepEqual(connectionsOf(requests).slice(4), [4])
  })

  test('after the first bytes of an answer is a failure, and nothing is sent again', async (t) => {
    const { port, requests } = await receiving(t, { 2: (socket) => socket.end('HTTP/1.1 200 O') })
    const { post } = transportOf(t)
    await post(port)
    assert.equal((await post(port)).error, 'connection closed without a response')
    assert.equal(requests.length, 2)
  })

  test('after an interim answer is a failure, and nothing is sent again', async (t) => {
    const { port, requests } = await receiving(t, {
      2: (socket) => socket.end('HTTP/1.1 102 Working\r\n\r\n'),
    })
    const { post } = transportOf(t)
    await post(port)
    assert.equal((await post(port)).error, 'connection closed without a response')
    assert.equal(requests.length, 2)
  })

  test('shares one timeout between a request and its repetition', async (t) => {
    const { port, requests } = await receiving(t, { 2: (socket) => socket.end(), 3: () => undefined })
    const { post } = transportOf(t, { attemptMs: 1_000 })
    await post(port)
    assert.equal((await post(port)).error, 'timed out after 1 s')
    assert.equal(requests.length, 3)
  })
})

describe('many requests', () => {
  test('to one origin share a limited number of connections', async (t) => {
    const { port, requests, sockets } = await receiver(t, (socket) => drip(socket, ok()))
    const { post } = transportOf(t, { connectionsPerOrigin: 3 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(port)))
    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal(requests.length, 20)
    assert.ok(sockets.length <= 3, `${sockets.length} connections`)
  })

  test('that wait for a connection have not started their timeout', async (t) => {
    const { port } = await receiving(t, { 1: () => undefined, 2: () => undefined })
    const { post } = transportOf(t, { connectionsPerOrigin: 1, attemptMs: 1_500 })
    const answers = await Promise.all([post(port), post(port), post(port)])
    assert.deepEqual(
      answers.map(({ status, error }) => status ?? error),
      ['timed out after 1.5 s', 'timed out after 1.5 s', 200],
    )
  })

  test('to a silent origin delay no other', async (t) => {
    const silent = await receiver(t, () => undefined)
    const healthy = await receiving(t, {})
    const { transport, post } = transportOf(t)
    const waiting = Array.from({ length: 200 }, () => post(silent.port))
    for (let i = 0; i < 20; i++) assert.equal((await post(healthy.port)).status, 200)
    await transport.close()
    assert.ok((await Promise.all(waiting)).every(({ error }) => error === 'interrupted by shutdown'))
  })

  test('to many origins leave no entries in memory', async (t) => {
    const limits = { ...defaultLimits, idleMs: 50, attemptMs: 500 }
    const agents = agentsWith(t, limits)
    const { port, sockets } = await receiver(t, (socket, { number }) => {
      if (number % 4 === 0) socket.resetAndDestroy()
      else if (number % 4 === 1) socket.write(ok())
      else if (number % 4 === 2) socket.end(ok())
    })
    const send = (name: string) => {
      const message = { url: new URL(`http://${name}`), headers: {}, body: Buffer.alloc(0) }
      return exchange(agents, message, limits, AbortSignal.timeout(limits.attemptMs))
    }
    const names = Array.from({ length: 200 }, (_, i) => `r${i}.test:${port}`)
    await Promise.all([...names, ...names, `closed.test:1`].map(send))
    const { sockets: open, freeSockets, requests } = agents.of(new URL('http://r1.test'))
    await until('no origin is known', () =>
      [open, freeSockets, requests].every((known) => Object.keys(known).length === 0),
    )
    await until('no connection is open', () => sockets.every(({ destroyed }) => destroyed))
  })

  test('to names at the same address share no connection', async (t) => {
    const { port, requests } = await receiving(t, {})
    const { post } = transportOf(t)
    for (const host of ['a.test', 'b.test', 'a.test', 'b.test']) await post(port, host)
    assert.deepEqual(connectionsOf(requests), [1, 2, 1, 2])
  })

  test('keep no more connections than the limit for all origins, and those that were used last', async (t) => {
    const { port, requests, sockets } = await receiving(t, {})
    const { post } = transportOf(t, { idleConnections: 2 })
    for (const host of ['a.test', 'b.test', 'a.test', 'c.test']) await post(port, host)
    await until('one is closed', () => sockets[1]!.destroyed)
    for (const host of ['a.test', 'c.test', 'b.test']) await post(port, host)
    assert.deepEqual(connectionsOf(requests), [1, 2, 1, 3, 1, 3, 4])
  })
})

describe('close()', () => {
  test('ends idle connections, what is under way, and what waits; later requests are not sent', async (t) => {
    const { port, requests, sockets } = await receiving(t, { 2: () => undefined })
    const { transport, post } = transportOf(t, { connectionsPerOrigin: 1 })
    await post(port)
    const [underWay, waiting] = [post(port), post(port)]
    await until('one is under way', () => requests.length === 2)
    await transport.close()
    for (const answer of [await underWay, await waiting, await post(port)]) {
      assert.equal(answer.status, null)
      assert.equal(answer.error, 'interrupted by shutdown')
    }
    assert.equal(requests.length, 2)
    await until('no connection is open', () => sockets.every(({ destroyed }) => destroyed))
    await transport.close()
  })

  test('aborts name resolution', async () => {
    let asked = 0
    const transport = openTransport({
      allowed,
      resolve: () => {
        asked++
        return new Promise(() => undefined)
      },
    })
    const underWay = transport.post({ url: 'https://receiver.test/', headers: {}, body: '' })
    await until('the name is asked for', () => asked === 1)
    await transport.close()
    assert.equal((await underWay).error, 'interrupted by shutdown')
  })
})
