import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fromConsole, linkOf, signedIn } from '@backline/test/console.ts'
import { keyWith } from '@backline/test/contract/keys.ts'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, type Service, service } from '@backline/test/harness.ts'
import { pino } from 'pino'

/** The documentation networks of RFC 5737 and RFC 3849 are clients, those of RFC 1918 proxies. */
const forwarded = (value: string) => ({ 'x-forwarded-for': value })

/** The address that the audit log has for a request with these headers. */
async function addressOf(client: Client, headers: Record<string, string>): Promise<string | null> {
  const { id } = succeeded(await client.post('/v1/tags', { name: `Tag ${++made}` }, headers))
  return succeeded(await client.get(`/v1/audit_log?target_id=${id}`)).data[0].ip
}
let made = 0

describe('behind trusted proxies', () => {
  const api = service({
    environment: {
      BACKLINE_TRUSTED_PROXIES: '127.0.0.0/8, ::1/128, 10.0.0.0/8, fd00::/8',
      BACKLINE_SESSIONS_PER_MINUTE: '', // the default
    },
  })

  for (const [what, header, address] of [
    ['the client of one proxy', '203.0.113.7', '203.0.113.7'],
    ['the client of several proxies', '203.0.113.7, 10.1.2.3,10.0.0.9', '203.0.113.7'],
    [
      'the last address that is no proxy, whatever the client wrote before',
      '192.0.2.1, 203.0.113.7, 10.0.0.9',
      '203.0.113.7',
    ],
    ['an address without its port', '203.0.113.7:50123', '203.0.113.7'],
    ['an IPv6 address', '2001:db8::7', '2001:db8::7'],
    ['an IPv6 address without brackets and port', '[2001:db8::7]:50123, [fd00::1]:443', '2001:db8::7'],
    ['an IPv4 address in the form of IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
    ['an address without a zone', 'fe80::1%eth0', 'fe80::1'],
    ['the first of a path of proxies alone', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['the proxy that tells of something else', 'unknown, 10.0.0.9', '10.0.0.9'],
    ['the peer, if its whole header is something else', '_hidden', '127.0.0.1'],
    ['the peer, if its header is empty', ' , ,', '127.0.0.1'],
    ['no address from an overlong entry', `${'1'.repeat(5000)}, 10.0.0.9`, '10.0.0.9'],
  ] as const)
    test(`the address of a request is ${what}`, async () => {
      const { test: client } = await api.world()
      assert.equal(await addressOf(client, forwarded(header)), address)
    })

  test('without the header it is that of the peer, whatever other headers say', async () => {
    const { test: client } = await api.world()
    const others = { forwarded: 'for=203.0.113.7', 'x-real-ip': '203.0.113.7', 'client-ip': '203.0.113.7' }
    assert.equal(await addressOf(client, others), '127.0.0.1')
  })

  test('lines of the header count as one list', async () => {
    const { test: client } = await api.world()
    const name = 'In two lines'
    const lines = new Headers([
      ['authorization', `Bearer ${client.key}`],
      ['idempotency-key', 'lines'],
      ['content-type', 'application/json'],
      ['x-forwarded-for', '192.0.2.1, 203.0.113.7'],
      ['x-forwarded-for', '10.0.0.9'],
    ])
    const body = JSON.stringify({ name })
    const { id } = (await (
      await fetch(`${api.url}/v1/tags`, { method: 'POST', headers: lines, body })
    ).json()) as Body
    assert.equal(succeeded(await client.get(`/v1/audit_log?target_id=${id}`)).data[0].ip, '203.0.113.7')
  })

  test('a key with allowed_cidrs is let in from there alone', async () => {
    const { environments } = await api.world()
    const { key } = await keyWith(api, environments.test, {
      allowed_cidrs: ['203.0.113.0/24', '2001:db8::/32'],
    })
    const status = async (headers: object) =>
      (await api.client(key).get('/v1/tags', headers as Record<string, string>)).status
    for (const inside of ['203.0.113.7', '192.0.2.1, 203.0.113.7', '[2001:db8::1]:443'])
      assert.equal(await status(forwarded(inside)), 200, inside)
    for (const outside of ['192.0.2.1', '203.0.113.7, 192.0.2.1', '203.0.113.7, nonsense', '203.0.113'])
      assert.equal(await status(forwarded(outside)), 403, outside)
    assert.equal(await status({}), 403)
  })

  test('each client has its own limit of sessions', async () => {
    const { test: client } = await api.world()
    const page = api.client(
      succeeded(await client.post('/v1/api_keys', { name: 'Page', kind: 'publishable' })).secret,
    )
    const statuses = async (address: string) => {
      const found: number[] = []
      for (let i = 0; i < 11; i++)
        found.push((await page.post('/v1/end_user_sessions/anonymous', {}, forwarded(address))).status)
      return found.filter((status) => status === 201).length
    }
    assert.equal(await statuses('203.0.113.20'), 10)
    assert.equal(await statuses('203.0.113.20, 203.0.113.21'), 10)
    assert.equal(await statuses('2001:db8::20'), 10)
    assert.equal(await statuses('2001:db8::21'), 0) // the same network of 64 bits
  })

  test('a session of the console has the address of the browser', async () => {
    const world = await api.world()
    const { email } = await signedIn(api, world, 'admin')
    const token = await linkOf(api, world, email)
    const headers = { 'backline-console': 'test', ...forwarded('203.0.113.30') }
    succeeded(await fromConsole(api, 'POST', '/console/api/sign_in/link', headers, { token }))
    const { data } = succeeded(await world.test.get('/v1/console_sessions'))
    assert.deepEqual(data.map(({ ip }: Body) => ip).toSorted(), ['127.0.0.1', '203.0.113.30'])
  })

  test('the scheme and the host of a request do not come from headers', async () => {
    const { test: client } = await api.world()
    const claimed = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
      ...forwarded('203.0.113.7'),
    }
    const plain = await client.get('/v1/nothing')
    const answer = await client.get('/v1/nothing', claimed)
    assert.equal(answer.body.type, plain.body.type)
    assert.ok(!answer.text.includes('evil.example'))
  })
})

describe('without trusted proxies', () => {
  const lines: Body[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const api = service({ log })

  test('the address is that of the peer, and the log warns of the header once', async () => {
    const { test: client } = await api.world()
    assert.equal(await addressOf(client, {}), '127.0.0.1')
    assert.deepEqual(lines, [])
    for (const header of ['203.0.113.7', '203.0.113.8', '127.0.0.1'])
      assert.equal(await addressOf(client, forwarded(header)), '127.0.0.1')
    assert.deepEqual(
      lines.map(({ peer, msg }) => [peer, msg]),
      [
        [
          '127.0.0.1',
          'X-Forwarded-For is ignored, because BACKLINE_TRUSTED_PROXIES does not contain the address of the peer',
        ],
      ],
    )
  })
})

for (const [title, environment] of [
  ['without trusted proxies', {}],
  ['behind trusted proxies', { BACKLINE_TRUSTED_PROXIES: '127.0.0.1' }],
] as const)
  describe(`metrics ${title}`, () => {
    const api: Service = service({ environment })
    const status = async (headers: Record<string, string> = {}) =>
      (await fetch(`${api.url}/metrics`, { headers })).status

    test('are open to loopback, and not to those for whom a proxy on this machine asks', async () => {
      assert.equal(await status(), 200)
      for (const header of ['203.0.113.7', '127.0.0.1', '203.0.113.7, 127.0.0.1', ''])
        assert.equal(await status(forwarded(header)), 401)
    })
  })
