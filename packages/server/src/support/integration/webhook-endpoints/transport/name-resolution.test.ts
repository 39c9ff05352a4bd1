import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { describe, type TestContext, test } from 'node:test'
import { nameResolver, systemNames } from './name-resolution.ts'

type Type = 'A' | 'AAAA'
/** Addresses as bytes, a response code (RFC 1035, section 4.1.1), or silence. */
type DnsAnswer = number[][] | 'SERVFAIL' | 'NXDOMAIN' | 'silence'

/** Starts a name server with one answer; returns its address and the queries that it received. */
async function nameServer(t: TestContext, answer: (type: Type, name: string) => DnsAnswer) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = []
    let end = 12
    for (; query[end] !== 0; end += query[end]! + 1)
      labels.push(query.toString('latin1', end + 1, end + 1 + query[end]!))
    const type = query.readUInt16BE(end + 1) === 28 ? 'AAAA' : 'A'
    const name = labels.join('.')
    asked.push(`${type} ${name}`)
    const known = answer(type, name)
    if (known === 'silence') return
    const records = typeof known === 'string' ? [] : known
    const head = Buffer.from(query.subarray(0, end + 5))
    head.writeUInt16BE(0x8180 + (known === 'SERVFAIL' ? 2 : known === 'NXDOMAIN' ? 3 : 0), 2)
    head.writeUInt16BE(records.length, 6)
    head.writeUInt32BE(0, 8) // no authority and no additional records
    const bodies = records.map((bytes) =>
      Buffer.from([0xc0, 12, 0, type === 'A' ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
    )
    socket.send(Buffer.concat([head, ...bodies]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  t.after(() => socket.close())
  return { servers: [`127.0.0.1:${socket.address().port}`], asked }
}

const ipv6 = (last: number) => [0x20, 1, 0xd, 0xb8, ...Array<number>(11).fill(0), last]
const signal = new AbortController().signal

describe('a name', () => {
  test('has the addresses of both families', async (t) => {
    const { servers, asked } = await nameServer(t, (type) =>
      type === 'A'
        ? [
            [192, 0, 2, 1],
            [192, 0, 2, 2],
          ]
        : [ipv6(1)],
    )
    const resolve = nameResolver({ system: null, servers })
    assert.deepEqual(await resolve('receiver.test', signal), ['192.0.2.1', '192.0.2.2', '2001:db8::1'])
    assert.deepEqual(asked.sort(), ['A receiver.test', 'AAAA receiver.test'])
  })

  for (const broken of ['SERVFAIL', 'NXDOMAIN', 'silence'] as const) {
    test(`has the addresses of one family when the answer for the other is ${broken}`, async (t) => {
      const { servers } = await nameServer(t, (type) => (type === 'A' ? [[192, 0, 2, 1]] : broken))
      const resolve = nameResolver({ system: systemNames, servers })
      assert.deepEqual(await resolve('receiver.test', signal), ['192.0.2.1'])
    })
  }

  test('may have addresses of IPv6 alone', async (t) => {
    const { servers } = await nameServer(t, (type) => (type === 'A' ? [] : [ipv6(7)]))
    assert.deepEqual(await nameResolver({ system: null, servers })('receiver.test', signal), ['2001:db8::7'])
  })

  const failures: [answer: DnsAnswer, code: string][] = [
    ['NXDOMAIN', 'ENOTFOUND'],
    [[], 'ENODATA'],
    ['SERVFAIL', 'ESERVFAIL'],
    ['silence', 'ETIMEOUT'],
  ]
  for (const [answer, code] of failures) {
    test(`fails with ${code} when the answer is ${JSON.stringify(answer)}`, async (t) => {
      const { servers } = await nameServer(t, () => answer)
      await assert.rejects(nameResolver({ system: null, servers })('receiver.test', signal), { code })
    })
  }

  test('unknown to DNS is resolved by the system if the option is set', async (t) => {
    const { servers } = await nameServer(t, () => 'NXDOMAIN')
    await assert.rejects(nameResolver({ system: null, servers })('localhost', signal), {
      code: 'ENOTFOUND',
    })
    const addresses = await nameResolver({ system: systemNames, servers })('localhost', signal)
    assert.ok(addresses.length > 0 && addresses.every((address) => /^(127\.|::1$)/.test(address)))
  })

  test('is resolved no longer than its caller waits', async (t) => {
    const stop = new AbortController()
    const { servers } = await nameServer(t, () => {
      stop.abort()
      return 'silence'
    })
    const resolving = nameResolver({ system: systemNames, servers })('receiver.test', stop.signal)
    await assert.rejects(resolving, { code: 'ECANCELLED' })
  })
})

test('names with silent servers delay no other', async (t) => {
  const { servers } = await nameServer(t, (_, name) =>
    name.startsWith('silent') ? 'silence' : [[192, 0, 2, 1]],
  )
  const stop = new AbortController()
  const resolve = nameResolver({ system: systemNames, servers })
  let ended = 0
  const silent = Array.from({ length: 50 }, (_, i) =>
    resolve(`silent${i}.test`, stop.signal).catch(() => {
      ended++
    }),
  )
  for (let i = 0; i < 5; i++) assert.deepEqual(await resolve(`healthy${i}.test`, signal), ['192.0.2.1'])
  assert.equal(ended, 0)
  stop.abort()
  await Promise.all(silent)
})
