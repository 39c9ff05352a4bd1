import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { until } from '@backline/test/processes.ts'
import fastify, { type FastifyRequest } from 'fastify'
import { boundUnsent } from './unsent.ts'

const kib = 1024
const mib = 1024 * kib
/** Larger than the operating system's buffers between two sockets. */
const large = 'x'.repeat(24 * mib)

type App = ReturnType<typeof fastify>

/** A server with limited responses. Clients send their key as `Authorization`. */
function serving(readerMs?: number, keepAliveTimeout = 60_000) {
  const app: App = fastify({ keepAliveTimeout })
  const unsent = boundUnsent(app, { most: 100 * mib, ofOne: 60 * mib }, readerMs)
  let port = 0
  before(async () => {
    app.decorateRequest('principal', null)
    app.addHook('onRequest', async (request: FastifyRequest) => {
      const id = request.headers.authorization
      if (id) request.principal = { holderId: id } as never
    })
    app.get('/large', async () => large)
    app.post('/large', async () => large)
    app.get('/small', async () => 'small')
    await app.listen({ host: '127.0.0.1', port: 0 })
    port = (app.server.address() as AddressInfo).port
  })
  after(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  return {
    app,
    unsent,
    /** Sends a request and reads nothing. */
    async ask(request: string, key: string): Promise<Socket> {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.pause()
      socket.on('error', () => undefined)
      socket.write(`${request} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nContent-Length: 0\r\n\r\n`)
      return socket
    },
    async statusOf(path: string, authorization: string) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization } })
      await response.text()
      return response.status
    },
    waiting: (bytes: number) =>
      until(`${bytes} bytes wait, not ${unsent.bytes}`, async () => unsent.bytes === bytes),
  }
}

describe('responses that wait for their clients', () => {
  const { unsent, ask, statusOf, waiting } = serving()

  test('are counted by key: beyond its share one is refused, and others are not', async () => {
    for (const count of [1, 2]) {
      await ask('GET /large', 'one')
      await waiting(count * large.length)
    }
    assert.equal(await statusOf('/large', 'one'), 503)
    assert.equal(await statusOf('/small', 'one'), 200)
    assert.ok(unsent.hasRoom('one'))
    assert.equal(await statusOf('/large', 'other'), 200)

    const write = await ask('POST /large', 'one') // its effect is committed
    await waiting(3 * large.length)
    assert.ok(!unsent.hasRoom('one'))
    write.destroy()
    await waiting(2 * large.length)
    assert.ok(unsent.hasRoom('one'))
  })

  test('are counted for the process: beyond its share large ones are refused, and small ones are not', async () => {
    for (const key of ['two', 'three']) await ask('GET /large', key)
    await waiting(4 * large.length)
    assert.equal(await statusOf('/large', 'four'), 503)
    assert.equal(await statusOf('/small', 'four'), 200)
  })

  test('do not count any more when their clients have gone', async () => {
    const before = unsent.bytes
    const socket = await ask('GET /small', 'gone')
    socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3))
    socket.destroy()
    await waiting(before)
  })
})

describe('responses that are not yet known', () => {
  const { unsent } = serving()

  test('have their room kept, so that what has no room is not read', () => {
    const request = { principal: { holderId: 'other' } } as never
    unsent.reserve(request, 40 * mib)
    assert.throws(() => unsent.reserve(request, 40 * mib), { code: 'unavailable' })
    unsent.reserve({ principal: { holderId: 'another' } } as never, 10 * mib)
  })
})

describe('a request that reads on after its response', () => {
  const { unsent, app, statusOf } = serving()
  const { promise: answered, resolve } = Promise.withResolvers<FastifyRequest>()
  app.get('/early', async (request: FastifyRequest) => {
    resolve(request)
    return 'early'
  })

  test('keeps no room', async () => {
    assert.equal(await statusOf('/early', 'one'), 200)
    const request = await answered
    for (let i = 0; i < 10; i++) unsent.reserve(request, 40 * mib)
    assert.equal(unsent.bytes, 0)
  })
})

describe('a client that reads slowly', () => {
  const { ask, waiting } = serving(3_000)

  test('is disconnected when it takes nothing for a while', async () => {
    const socket = await ask('GET /large', 'one')
    await waiting(large.length)
    await waiting(0)
    socket.resume()
    await once(socket, 'close')
  })

  test('gets its response to the end when it takes some of it now and then', async () => {
    const socket = await ask('GET /large', 'slow')
    let taken = 0
    let rest = 5 * mib
    for await (const piece of socket) {
      taken += piece.length
      rest -= piece.length
      if (taken > large.length) break
      if (rest > 0) continue
      await setTimeout(1_000) // shorter than the limit, longer in total
      rest = 5 * mib
    }
    assert.ok(taken > large.length)
    await waiting(0)
  })
})

describe('a connection without a request', () => {
  const { ask } = serving(60_000, 200)

  test('is closed after the keep-alive time', async () => {
    const socket = await ask('GET /small', 'one')
    socket.resume()
    await once(socket, 'close')
  })
})
