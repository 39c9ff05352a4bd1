import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { until } from '@backline/test/processes.ts'
import fastify from 'fastify'
import { ApiError } from '../../kernel/errors.ts'
import { boundUnsent } from '../limits/unsent.ts'
import { openStreams } from './streaming.ts'

describe('responses that are sent piece by piece', () => {
  const app = fastify()
  const streams = openStreams({ most: 100, ofOne: 100 }, 20)
  boundUnsent(app, { most: 2 ** 20, ofOne: 2 ** 20 }, 300)
  let admitted = async () => undefined as unknown
  let produced = 0
  let finished = 0

  async function* pieces(signal: AbortSignal): AsyncGenerator<string> {
    try {
      while (!signal.aborted) {
        produced++
        yield 'x'.repeat(10_000)
      }
    } finally {
      finished++
    }
  }

  async function* refusing(): AsyncGenerator<string> {
    if (finished < 0) yield 'never'
    throw new ApiError('cursor_invalid')
  }

  before(async () => {
    app.decorateRequest('principal', null)
    const mediaType = 'text/plain'
    const audience = { id: 'all', holderId: 'key', admitted: () => admitted() }
    app.get('/', (_, reply) => streams.download(reply, audience, mediaType, pieces))
    app.get('/refused', (_, reply) => streams.download(reply, audience, mediaType, refusing))
    await app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(async () => {
    streams.endAll()
    app.server.closeAllConnections()
    await app.close()
  })

  /** A client that sends a request and then reads nothing. */
  async function asking(): Promise<Socket> {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    socket.pause()
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    return socket
  }

  test('a connection that reads nothing is closed, and its data is not buffered without limit', async () => {
    const socket = await asking()
    await until('it was let go', async () => finished === 1)
    assert.ok(produced < 2_000, `${produced} pieces of 10 kB, most of them in the sockets of the system`)
    socket.destroy()
  })

  test('ends when the reader may read no more, and stays while nobody can tell', async () => {
    const endedBefore = finished
    let asked = 0
    admitted = async () => {
      asked++
      throw asked < 3 ? new Error('the database is away') : new ApiError('api_key_invalid')
    }
    const socket = await asking()
    socket.resume()
    await once(socket, 'close')
    assert.ok(asked >= 3)
    await until('it has ended', async () => finished === endedBefore + 1)
    admitted = async () => undefined
  })

  test('ends when the client goes away', async () => {
    const endedBefore = finished
    const socket = await asking()
    socket.resume()
    await once(socket, 'data')
    socket.destroy()
    await until('it has ended', async () => finished === endedBefore + 1)
    assert.equal(streams.count, 0)
  })

  test('what is refused before the first piece is an error like any other', async () => {
    const { statusCode, json } = await app.inject('/refused')
    assert.equal(statusCode, 400)
    assert.match(json().message, /cursor/i)
    assert.equal(streams.count, 0)
  })

  test('all end when the server does', async () => {
    const socket = await asking()
    socket.resume()
    await once(socket, 'data')
    streams.endAll()
    await once(socket, 'close')
  })

  test('what is cut off before it begins does not look whole and empty', async () => {
    const socket = await asking()
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.resume()
    await once(socket, 'close')
    assert.equal(text, '')
  })
})
