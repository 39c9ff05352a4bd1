import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { certificate, ok, receiver } from '@backline/test/receivers.ts'
import { addressList } from '../../../../platform/kernel/networks.ts'
import { openTransport } from '../transport.ts'

/* TLS verifies that the receiver is the host of the URL. */

type Options = { presents?: string; trusts?: string[] | undefined; protocols?: string[] }

async function postTo(t: TestContext, host: string, options: Options = {}) {
  const { presents = 'receiver.test', trusts = [certificate('authority')], protocols } = options
  const { port, requests, sockets } = await receiver(t, (socket) => socket.write(ok()), {
    certificate: presents,
    ...(protocols && { protocols }),
  })
  const transport = openTransport({
    allowed: addressList(['127.0.0.1']),
    resolve: async () => ['127.0.0.1'],
    ...(trusts.length > 0 && { certificateAuthorities: trusts }),
  })
  t.after(() => transport.close())
  const post = async () => {
    const { status, error } = await transport.post({
      url: `https://${host}:${port}/`,
      headers: {},
      body: '{}',
    })
    return status ?? error
  }
  return { post, requests, sockets: sockets as TLSSocket[] }
}

describe('a receiver', () => {
  test('with a valid certificate for its name receives requests over one connection', async (t) => {
    const { post, requests, sockets } = await postTo(t, 'receiver.test')
    for (const _ of [1, 2, 3]) assert.equal(await post(), 200)
    assert.equal(requests.length, 3)
    assert.equal(sockets.length, 1)
    assert.equal((sockets[0] as TLSSocket & { servername: string }).servername, 'receiver.test')
  })

  test('is asked for HTTP/1.1 alone', async (t) => {
    const { post, sockets } = await postTo(t, 'receiver.test', { protocols: ['h2', 'http/1.1'] })
    assert.equal(await post(), 200)
    assert.equal(sockets[0]!.alpnProtocol, 'http/1.1')
  })

  test('may be named with a trailing dot, or by its address', async (t) => {
    for (const host of ['receiver.test.', 'RECEIVER.test', '127.0.0.1']) {
      const { post } = await postTo(t, host)
      assert.equal(await post(), 200, host)
    }
  })

  const refused: [name: string, host: string, options: Options, error: string][] = [
    ['whose certificate is for another name', 'other.test', {}, 'certificate: host name does not match'],
    [
      'whose certificate is for its domain alone',
      'a.receiver.test',
      {},
      'certificate: host name does not match',
    ],
    ['whose certificate has expired', 'expired.test', { presents: 'expired.test' }, 'certificate: expired'],
    [
      'that made its certificate itself',
      'self-signed.test',
      { presents: 'self-signed.test' },
      'certificate: self-signed',
    ],
    [
      'whose certificate nobody vouches for',
      'receiver.test',
      { trusts: [] },
      'certificate: issuer missing or not trusted',
    ],
    ['that speaks HTTP/2 alone', 'receiver.test', { protocols: ['h2'] }, 'TLS failed'],
  ]
  for (const [name, host, options, error] of refused) {
    test(`${name} is sent nothing`, async (t) => {
      const { post, requests } = await postTo(t, host, options)
      assert.equal(await post(), error)
      assert.equal(requests.length, 0)
    })
  }

  test('is not trusted because of environment variables', async (t) => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    t.after(() => {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    })
    const { post, requests } = await postTo(t, 'self-signed.test', { presents: 'self-signed.test' })
    assert.equal(await post(), 'certificate: self-signed')
    assert.equal(requests.length, 0)
  })

  test('without TLS gives an error that says so', async (t) => {
    const { port } = await receiver(t, (socket) => socket.write(ok()), {
      connected: (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
    })
    const transport = openTransport({ allowed: addressList(['127.0.0.1']) })
    t.after(() => transport.close())
    const { error } = await transport.post({ url: `https://127.0.0.1:${port}/`, headers: {}, body: '' })
    assert.equal(error, 'TLS failed')
  })

  test('that never finishes the handshake times out', async (t) => {
    const { port } = await receiver(t, () => undefined)
    const transport = openTransport({ allowed: addressList(['127.0.0.1']), limits: { connectMs: 200 } })
    t.after(() => transport.close())
    const { error } = await transport.post({ url: `https://127.0.0.1:${port}/`, headers: {}, body: '' })
    assert.equal(error, 'connection timed out after 0.2 s')
  })
})
