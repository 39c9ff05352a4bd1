import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { after, describe, test } from 'node:test'
import { type Client, service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'

/** More than the limit of 400 concurrent requests, and than the 300 of one key. */
const [ofOneKey, inAll] = [410, 430]

const api = service({
  environment: {
    BACKLINE_MAX_STREAMS: String(inAll),
    BACKLINE_MAX_STREAMS_PER_KEY: String(ofOneKey),
  },
})
const open: IncomingMessage[] = []
after(() => {
  for (const each of open) each.destroy()
})

const streamOf = ({ key }: Client) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    const request = get(`${api.url}/v1/events/stream`, { headers, agent: false }, (response) => {
      if (response.statusCode === 200) open.push(response)
      response.on('error', () => undefined).resume()
      resolve(response)
    })
    request.on('error', reject)
  })

/** In portions: a server accepts one connection per turn of its loop. */
async function openMany(client: Client, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 50) {
    const opened = await Promise.all(Array.from({ length: Math.min(50, left) }, () => streamOf(client)))
    for (const { statusCode } of opened) assert.equal(statusCode, 200)
  }
}

const openStreams = async () =>
  Number(/^backline_http_streams_open (\d+)$/m.exec(await (await fetch(`${api.url}/metrics`)).text())?.[1])

describe('many open streams', () => {
  test('do not keep requests from being answered; beyond the limits of key and process they are refused', async () => {
    const one = await api.world()
    const other = await api.world()
    await openMany(one.test, ofOneKey)
    assert.equal(await openStreams(), ofOneKey)
    assert.equal((await one.test.get('/v1/conversations')).status, 200)
    assert.equal((await other.test.get('/v1/conversations')).status, 200)

    const refused = await streamOf(one.test)
    assert.equal(refused.statusCode, 503)
    assert.match(refused.headers['retry-after'] ?? '', /^\d+$/)
    await openMany(other.test, inAll - ofOneKey)
    assert.equal((await streamOf(other.live)).statusCode, 503)
    assert.equal((await one.test.get('/v1/conversations')).status, 200)

    for (const each of open.splice(0)) each.destroy()
    await until('their places are free', async () => (await openStreams()) === 0)
    await openMany(one.test, 1)
  })

  test('a stream whose client closes its sending side ends', async () => {
    const { test } = await api.world()
    const before = await openStreams()
    const stream = await streamOf(test)
    stream.socket.end()
    await until('it is closed', async () => (await openStreams()) === before)
  })
})
