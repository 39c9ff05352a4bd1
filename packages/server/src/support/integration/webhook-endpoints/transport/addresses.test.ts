import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { ok, type Receiver, receiver } from '@backline/test/receivers.ts'
import { addressList } from '../../../../platform/kernel/networks.ts'
import { openTransport } from '../transport.ts'
import type { TransportLimits } from './limits.ts'

/* Requests go only to allowed addresses, whatever DNS answers. */

type Options = { allowed?: string[]; limits?: Partial<TransportLimits>; closing?: boolean }

/** A receiver on 127.0.0.1, and a transport whose DNS lookups return `answers`, one each. */
async function world(t: TestContext, answers: (string[] | Error)[], options: Options = {}) {
  const { allowed = ['127.0.0.1'], limits = {}, closing = false } = options
  const local = await receiver(t, (socket) => (closing ? socket.end(ok()) : socket.write(ok())))
  const asked: string[] = []
  const transport = openTransport({
    allowed: addressList(allowed),
    limits,
    resolve: async (name) => {
      const answer = answers[asked.push(name) - 1]
      if (answer instanceof Error) throw answer
      return answer ?? assert.fail(`${name} was looked up once more`)
    },
  })
  t.after(() => transport.close())
  const post = async (url = `http://receiver.test:${local.port}/`) => {
    const { status, error } = await transport.post({ url, headers: {}, body: '' })
    return status ?? error
  }
  return { local, asked, post }
}

const untouched = ({ sockets }: Receiver) => assert.equal(sockets.length, 0)

/** Forbidden addresses that a name may resolve to; nothing connects to them. */
const forbidden = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.1.2.3',
  '169.254.1.1',
  '172.16.0.1',
  '192.0.0.8',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::7f00:1',
  '2001:2::1',
  '2001:10::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00::1',
  'fe80::1',
  'fe80::1%lo',
  'ff02::1',
]

const metadata = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fe80::a9fe:a9fe',
]

describe('a name', () => {
  for (const address of [...forbidden, ...metadata]) {
    test(`that resolves to ${address} is not connected to`, async (t) => {
      const { local, post } = await world(t, [[address]], { allowed: [] })
      assert.equal(await post(`https://receiver.test:${local.port}/`), `forbidden address ${address}`)
      untouched(local)
    })
  }

  for (const address of metadata) {
    test(`that resolves to ${address} is not connected to, even if its network is allowed`, async (t) => {
      const { local, post } = await world(t, [[address]], { allowed: ['0.0.0.0/0', '::/0'] })
      assert.equal(await post(), `forbidden address ${address}`)
      untouched(local)
    })
  }

  const spelt = [
    'localhost.localdomain',
    '127.0.0.1.nip.io',
    'a.internal',
    'router.local',
    'intranet',
    'xn--bcher-kva.test',
  ]
  for (const name of spelt) {
    test(`such as ${name} is judged by its address`, async (t) => {
      const { local, asked, post } = await world(t, [['127.0.0.1']], { allowed: [] })
      assert.equal(await post(`https://${name}:${local.port}/`), 'forbidden address 127.0.0.1')
      assert.deepEqual(asked, [name])
      untouched(local)
    })
  }

  test('of which one address among others is forbidden is not connected to', async (t) => {
    for (const addresses of [
      ['127.0.0.1', '10.0.0.1'],
      ['10.0.0.1', '127.0.0.1'],
      ['127.0.0.1', '8.8.8.8', '2606:4700::1111', '10.0.0.1'],
    ]) {
      const { local, post } = await world(t, [addresses])
      assert.equal(await post(`https://receiver.test:${local.port}/`), 'forbidden address 10.0.0.1')
      untouched(local)
    }
  })

  test('is resolved once per connection, and later answers apply to later connections', async (t) => {
    const { local, asked, post } = await world(t, [['127.0.0.1'], ['169.254.169.254']], { closing: true })
    assert.equal(await post(), 200)
    assert.equal(asked.length, 1)
    assert.equal(await post(), 'forbidden address 169.254.169.254')
    assert.equal(asked.length, 2)
    assert.equal(local.sockets.length, 1)
  })

  test('is not resolved again while its connection lasts', async (t) => {
    const { asked, post } = await world(t, [['127.0.0.1'], ['169.254.169.254']])
    for (const _ of [1, 2, 3]) assert.equal(await post(), 200)
    assert.equal(asked.length, 1)
  })

  test('is looked up without its trailing dot', async (t) => {
    const { local, asked, post } = await world(t, [['127.0.0.1']])
    assert.equal(await post(`http://receiver.test.:${local.port}/`), 200)
    assert.deepEqual(asked, ['receiver.test'])
  })

  test('is reached at its next address when one refuses', async (t) => {
    const { local, post } = await world(t, [['127.0.0.2', '127.0.0.1']], { allowed: ['127.0.0.0/8'] })
    assert.equal(await post(), 200)
    assert.equal(local.sockets.length, 1)
  })

  test('is refused as unknown when it has no address', async (t) => {
    const { post } = await world(t, [[]])
    assert.equal(await post(), 'name not found')
  })

  const errors: [code: string, text: string][] = [
    ['ENOTFOUND', 'name not found'],
    ['ENODATA', 'name not found'],
    ['ESERVFAIL', 'name resolution failed'],
    ['ETIMEOUT', 'name resolution timed out'],
    ['ODD', 'request failed: ODD'],
  ]
  for (const [code, text] of errors) {
    test(`whose resolution fails with ${code} is reported as: ${text}`, async (t) => {
      const { post } = await world(t, [Object.assign(new Error('queryA secret.example'), { code })])
      assert.equal(await post(), text)
    })
  }

  test('whose resolution does not end times out', async (t) => {
    const transport = openTransport({
      allowed: addressList([]),
      limits: { connectMs: 100 },
      resolve: () => new Promise(() => undefined),
    })
    t.after(() => transport.close())
    const { error } = await transport.post({ url: 'https://receiver.test/', headers: {}, body: '' })
    assert.equal(error, 'name resolution timed out after 0.1 s')
  })
})

describe('plain http', () => {
  test('goes to no address outside the allow-list, and to none if one of several is outside', async (t) => {
    for (const addresses of [['8.8.8.8'], ['127.0.0.1', '8.8.8.8']]) {
      const { local, post } = await world(t, [addresses])
      assert.equal(await post(), 'https required for 8.8.8.8')
      untouched(local)
    }
  })

  test('goes to an address on the allow-list, mapped too', async (t) => {
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1']) {
      const { post } = await world(t, [[address]])
      assert.equal(await post(), 200)
    }
  })
})

describe('localhost', () => {
  test('is reached at the allowed loopback address, without DNS', async (t) => {
    const { local, asked, post } = await world(t, [])
    for (const name of ['localhost', 'LOCALHOST.', 'app.localhost'])
      assert.equal(await post(`http://${name}:${local.port}/`), 200)
    assert.deepEqual(asked, [])
  })
})

describe('an address in the URL', () => {
  test('is connected to in any spelling if it is allowed, without DNS', async (t) => {
    const { local, asked, post } = await world(t, [])
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]'])
      assert.equal(await post(`http://${host}:${local.port}/`), 200)
    assert.deepEqual(asked, [])
  })

  test('is not connected to when it is forbidden', async (t) => {
    const { local, post } = await world(t, [], { allowed: ['10.0.0.0/8'] })
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433'])
      assert.match(
        String(await post(`http://${host}:${local.port}/`)),
        /^the URL must not be the forbidden address 127\.0\.0\.1;/,
      )
    untouched(local)
  })
})

test('a connection that has ended up at another address is not written to', async (t) => {
  const { local, post } = await world(t, [['10.0.0.1']], { allowed: ['10.0.0.0/8'] })
  const { connect } = net
  t.mock.method(net, 'connect', (options: net.TcpNetConnectOpts) =>
    connect({
      ...options,
      lookup: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    }),
  )
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  assert.equal(await post(), 'forbidden address 127.0.0.1')
  assert.equal(local.sockets.length, 1)
  assert.equal(local.requests.length, 0)
})
