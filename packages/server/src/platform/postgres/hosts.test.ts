import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { urlOf } from '@backline/test/databases.ts'
import { service } from '@backline/test/harness.ts'
import pg from 'pg'
import { type Database, openDatabase } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import { latestHost, parseHosts } from './hosts.ts'
import { openSession, usualLimits } from './session.ts'
import { type Sql, sql } from './sql.ts'

const api = service()

type Parameters = { host: string; port: number; user: string; password: string; database: string }

const parametersOf = (url: string) =>
  parseHosts(url)
    .inOrder()
    .map(({ address }) => new pg.Client(address) as unknown as Parameters)

const forms: [url: string, places: string][] = [
  ['postgres://me:p%2Cw@a,b/backline', 'a 5432, b 5432'],
  ['postgresql://me:p%2Cw@a:5433,b/backline', 'a 5433, b 5432'],
  ['postgres://me:p,w@a:5433,b:5434,c.test:5435/backline', 'a 5433, b 5434, c.test 5435'],
  ['postgres://me:p%2Cw@[::1]:5433,[fe80::1]/backline', '::1 5433, fe80::1 5432'],
  ['postgres://me:p%2Cw@/backline?host=a,b&port=5433,5434', 'a 5433, b 5434'],
  ['postgres://me:p%2Cw@c/backline?host=a,b&port=5433', 'a 5433, b 5433'],
  ['postgres://me:p%2Cw@:5433/backline?host=a,::1', 'a 5433, ::1 5433'],
  ['postgres://me:p%2Cw@/backline?host=%2Fvar%2Frun%2Cb', '/var/run 5432, b 5432'],
  ['postgres://me:p%2Cw@%2Fvar%2Frun,b/backline', '/var/run 5432, b 5432'],
]
for (const [url, expected] of forms)
  test(`the hosts of ${url} are ${expected}`, () => {
    const all = parametersOf(url)
    assert.equal(all.map(({ host, port }) => `${host} ${port}`).join(', '), expected)
    for (const { user, password, database } of all)
      assert.deepEqual([user, password, database], ['me', 'p,w', 'backline'])
  })

test('other parameters apply to each host', () => {
  const hosts = parseHosts('postgres://me@a,b/backline?sslmode=no-verify&connect_timeout=7').inOrder()
  for (const { address } of hosts) {
    assert.equal(address.connectionTimeoutMillis, 7_000)
    assert.deepEqual((new pg.Client(address) as unknown as { ssl: unknown }).ssl, {
      rejectUnauthorized: false,
    })
  }
})

test('several hosts are asked for the one that accepts writes, a single one only on demand', () => {
  const attrs = (url: string) => parseHosts(url).attrs
  assert.equal(attrs('postgres://a/backline'), 'any')
  assert.equal(attrs('postgres://a/backline?target_session_attrs=read-write'), 'read-write')
  assert.equal(attrs('postgres://a,b/backline'), 'read-write')
  assert.equal(attrs('postgres://a,b/backline?target_session_attrs=primary'), 'primary')
  assert.equal(attrs('postgres://a,b/backline?target_session_attrs=any'), 'any')
})

const malformed: [url: string, message: RegExp][] = [
  [
    'postgres://a,b/backline?target_session_attrs=standby',
    /target_session_attrs must be read-write, primary, any/,
  ],
  ['postgres://a/backline?target_session_attrs=prefer-standby', /target_session_attrs/],
  ['postgres://a,,b/backline', /empty/],
  ['postgres://a,b:0/backline', /port/],
  ['postgres://a,b:65536/backline', /port/],
  ['postgres://a,b:x/backline', /port/],
  ['postgres://a,::1/backline', /brackets/],
  ['postgres://a,b/backline?port=1,2,3', /2 hosts and 3 ports/],
  ['postgres://a,b/backline?connect_timeout=soon', /connect_timeout/],
  ['postgres://a,b%zz/backline', /percent/],
]
for (const [url, message] of malformed)
  test(`${url} is refused`, () => assert.throws(() => parseHosts(url), { name: 'HostsError', message }))

/** A URL of hosts before that of the test database. */
async function listOf(...before: { host: string; port: number }[]): Promise<string> {
  const url = new URL(urlOf(api.connection))
  const { searchParams } = url
  const host = searchParams.get('host') ?? url.hostname
  const port = searchParams.get('port') ?? (url.port || '5432')
  searchParams.set('host', [...before.map((each) => each.host), host].join(','))
  searchParams.set('port', [...before.map((each) => each.port), port].join(','))
  return url.href
}

const opened = async (t: TestContext, url: string): Promise<Database> => {
  const db = openDatabase(url, () => undefined)
  t.after(() => db.close())
  return db
}

/** A host that accepts connections and does not respond. */
async function hangingHost(t: TestContext): Promise<{ host: string; port: number; attempts(): number }> {
  const sockets: Socket[] = []
  const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    host: '127.0.0.1',
    port: (server.address() as { port: number }).port,
    attempts: () => sockets.length,
  }
}

test('hosts that refuse, hang or do not exist are passed over, and the next session does not try them', async (t) => {
  const hanging = await hangingHost(t)
  const url = await listOf({ host: '127.0.0.1', port: 1 }, { host: 'no.such.host.test', port: 5432 }, hanging)
  const hosts = async () => {
    const client = await openSession(
      `${url}&connect_timeout=1`,
      usualLimits,
      (address) => new pg.Client(address),
    )
    await client.end()
  }
  await hosts()
  assert.equal(hanging.attempts(), 1)
  assert.notEqual(latestHost(`${url}&connect_timeout=1`), '127.0.0.1:1')
  await hosts()
  assert.equal(hanging.attempts(), 1)
})

test('a host whose transactions are read-only is a primary, and does not accept writes', async (t) => {
  const readOnly = `${await listOf({ host: '127.0.0.1', port: 1 })}&options=-c%20default_transaction_read_only%3Don`
  const primary = await opened(t, `${readOnly}&target_session_attrs=primary`)
  assert.deepEqual(await primary.rows(sql`select 1 as one`), [{ one: 1 }])
  const db = await opened(t, readOnly)
  const refusal = await db.rows(sql`select 1`).catch((error) => error)
  assert.ok(refusal instanceof DatabaseUnavailable)
  const { errors } = refusal.cause as AggregateError
  assert.match(errors[0].message, /^127\.0\.0\.1:1: .*ECONNREFUSED/)
  assert.match(errors[1].message, /: transactions are read-only/)
})

test('a refused write closes all connections, so that the next ones find the server that accepts it', async (t) => {
  const db = await opened(t, `${urlOf(api.connection)}&options=-c%20default_transaction_read_only%3Don`)
  const pids = async () => [
    ...(await db.rows<{ pid: number }>(sql`select pg_backend_pid() as pid`)),
    ...(await db.slowRows<{ pid: number }>(sql`select pg_backend_pid() as pid`)),
  ]
  const before = await pids()
  await assert.rejects(db.write(sql`delete from leases`), DatabaseUnavailable)
  const after = await pids()
  for (const [i, { pid }] of before.entries()) assert.notEqual(after[i]!.pid, pid)
  assert.equal(db.losses(), 1)
})

test('slow statements wait for one of six connections, four of an environment, and not for long', async (t) => {
  const db = await opened(t, urlOf(api.connection))
  const [one, other] = [db.home('one'), db.home('other')]
  const six = (query: Sql) => [one, one, one, one, other, other].map((home) => home.slowRows(query))
  await Promise.all(six(sql`select pg_sleep(0.1)`)) // opens the connections
  const sleeping = six(sql`select pg_sleep(3)`)
  await assert.rejects(one.slowRows(sql`select 1`), { name: 'DatabaseUnavailable', message: /busy/ })
  assert.equal(db.pools().slow.waiting, 0)
  const next = other.slowRows<{ one: number }>(sql`select 1 as one`)
  assert.deepEqual(db.pools().slow, { most: 6, open: 6, idle: 0, waiting: 1 })
  await Promise.all(sleeping)
  assert.deepEqual(await next, [{ one: 1 }])
})
