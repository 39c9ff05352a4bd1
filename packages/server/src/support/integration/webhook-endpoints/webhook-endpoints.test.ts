import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { service, type World } from '@backline/test/harness.ts'
import { tablesWith } from '@backline/test/plaintext.ts'
import { url, uuid, webhookEndpoint } from '@backline/test/webhook-fixtures.ts'
import { pino } from 'pino'
import { plusSeconds, toInstant } from '../../../platform/kernel/clock.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { transact } from '../../../platform/unit-of-work/transact.ts'
import { disableEndpoint } from './actions.ts'
import { openHeaders } from './headers.ts'
import { type WebhookEndpoint, webhookEndpointTable } from './queries.ts'
import { secretsOf } from './secrets.ts'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
const api = service({ log })

const path = ({ id }: Body) => `/v1/webhook_endpoints/${id}`

/** The row as the sender reads it. */
const stored = async ({ environments }: World, { id }: Body): Promise<WebhookEndpoint> =>
  (await webhookEndpointTable.find(api.db, environments.test.tenantId, uuid(id)))!

const newestEvent = async ({ environments }: World): Promise<Body> => {
  const [event] = await api.db.rows(sql`select type, object, previous, position::text from events
    where tenant_id = ${environments.test.tenantId} order by epoch desc, events.position desc, ordinal desc limit 1`)
  return event
}

/** The position from which the endpoint receives events, and its failures since. */
const stateOf = async ({ environments }: World, { id }: Body) =>
  api.db.maybe<{ active_epoch: number; active_position: string; consecutive_failures: number }>(
    sql`select active_epoch, active_position::text, consecutive_failures, failing_since from webhook_endpoint_states
      where tenant_id = ${environments.test.tenantId} and endpoint_id = ${uuid(id)}`,
  )

const errorsOf = ({ body }: Body) =>
  body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code])

test('201 with the given fields and the defaults; GET omits the secret', async () => {
  const { test } = await api.world()
  const given = {
    url,
    description: 'The shop',
    enabled_events: ['conversation.*', 'tag.created'],
    payload: 'thin',
    headers: { 'X-Token': 't-1', authorization: 'Bearer x' },
    metadata: { a: '1' },
  }
  const created = succeeded(await test.post('/v1/webhook_endpoints', given))
  const { secret, ...shown } = created
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.partialDeepStrictEqual(shown, { ...given, headers: { 'X-Token': '***', authorization: '***' } })
  assert.partialDeepStrictEqual(shown, { status: 'enabled', disabled_reason: null, consecutive_failures: 0 })
  assert.equal(shown.secret_hint, `whsec_…${secret.slice(-5, -1)}`)
  assert.deepEqual((await test.get(path(created))).body, shown)
  const plain = await webhookEndpoint(test)
  assert.partialDeepStrictEqual(plain, {
    description: null,
    enabled_events: ['*'],
    payload: 'full',
    headers: {},
  })
})

test('secrets and header values are in no table and in no line of the log', async () => {
  const world = await api.world()
  const { test } = world
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
  const created = await webhookEndpoint(test, { headers: { 'X-First': first, 'X-Second': second } })
  const key = { 'idempotency-key': randomUUID() }
  succeeded(await test.patch(path(created), { headers: { 'X-First': third } }, key))
  const rotated = succeeded(await test.post(`${path(created)}/rotate_secret`, {}))
  const refused = { url: 'nonsense', headers: { Host: third } }
  assert.equal((await test.post('/v1/webhook_endpoints', refused)).status, 422)
  succeeded(await test.delete(path(await webhookEndpoint(test, { headers: { 'X-First': first } }))))
  const logged = lines.join('')
  for (const text of [first, second, third, created.secret, rotated.secret]) {
    assert.deepEqual(await tablesWith(api, text), [])
    assert.ok(!logged.includes(text))
  }
  for (const { secret } of [created, rotated]) {
    const base64 = secret.slice('whsec_'.length)
    assert.deepEqual(await tablesWith(api, base64), [])
    assert.deepEqual(await tablesWith(api, Buffer.from(base64, 'base64').toString('hex')), [])
  }
  assert.ok(logged.includes('/v1/webhook_endpoints'), 'There is a log')
  assert.deepEqual(await openHeaders(await stored(world, created), api.secretBox), {
    'X-First': third,
    'X-Second': second,
  })
})

describe('the URL', () => {
  for (const [given, code, detail] of [
    ['http://hooks.example.com/', 'not_allowed', 'must begin with https://'],
    ['https://10.0.0.7/hook', 'not_allowed', 'must not be the forbidden address 10.0.0.7'],
    ['https://[::ffff:169.254.169.254]/', 'not_allowed', null],
    ['https://2130706433/', 'not_allowed', 'must not be the forbidden address 127.0.0.1'],
    ['https://localhost:8080/', 'not_allowed', null],
    ['https://user:pass@hooks.example.com/', 'not_allowed', null],
    ['ftp://hooks.example.com/', 'not_allowed', 'must begin with https://'],
    ['hooks.example.com', 'bad_format', 'must be an absolute https:// URL'],
  ] as const) {
    test(`422 ${code} at /url for ${given}, created or changed`, async () => {
      const { test } = await api.world()
      const endpoint = await webhookEndpoint(test)
      for (const answer of [
        await test.post('/v1/webhook_endpoints', { url: given }),
        await test.patch(path(endpoint), { url: given }),
      ]) {
        assert.equal(answer.status, 422)
        assert.deepEqual(errorsOf(answer), [['/url', code]])
        if (detail) assert.ok(answer.body.errors[0].detail.startsWith(detail))
      }
    })
  }

  describe('in a network that the configuration allows', () => {
    const local = service({ environment: { BACKLINE_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } })

    test('may be private and use http; other networks may not', async () => {
      const { test } = await local.world()
      await webhookEndpoint(test, { url: 'http://127.0.0.1:9000/hook' })
      const elsewhere = await test.post('/v1/webhook_endpoints', { url: 'http://10.0.0.1/' })
      assert.deepEqual(errorsOf(elsewhere), [['/url', 'not_allowed']])
    })
  })
})

test('422 for unknown event names, with a list of the known ones; repeated names count once', async () => {
  const { test } = await api.world()
  const answer = await test.post('/v1/webhook_endpoints', {
    url,
    enabled_events: ['tag.created', 'tag.nonsense'],
  })
  assert.deepEqual(errorsOf(answer), [['/enabled_events/1', 'not_allowed']])
  for (const name of ['*', 'conversation.*', 'webhook_endpoint.disabled'])
    assert.ok(answer.body.errors[0].detail.includes(` ${name},`), name)
  const none = await test.post('/v1/webhook_endpoints', { url, enabled_events: [] })
  assert.deepEqual(errorsOf(none), [['/enabled_events', 'too_short']])
  const twice = await webhookEndpoint(test, { enabled_events: ['tag.*', 'tag.created', 'tag.*'] })
  assert.deepEqual(twice.enabled_events, ['tag.*', 'tag.created'])
})

describe('headers', () => {
  const tooMany = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`X-${i}`, 'v']))
  for (const [title, headers, expected] of [
    ['what the server sets', { 'Webhook-Id': 'x', 'content-type': 'x', HOST: 'x' }, 'not_allowed'],
    [
      'how the request is framed',
      { 'transfer-encoding': 'x', Connection: 'x', Expect: 'x', te: 'x' },
      'not_allowed',
    ],
    ['names that are no tokens', { 'a b': 'x', 'a:b': 'x', ä: 'x', 'a/b': 'x' }, 'bad_format'],
    ['an empty name', { '': 'x' }, 'too_short'],
    ['names that are too long', { ['a'.repeat(101)]: 'x' }, 'too_long'],
    [
      'values over lines, with spaces around, or not of ASCII',
      { a: 'x\r\ny: z', b: ' x', c: 'ü', d: '' },
      'bad_format',
    ],
    ['values that are too long', { a: 'x'.repeat(1001) }, 'too_long'],
    ['a value to be kept where there is none', { 'X-Token': '***' }, 'not_allowed'],
  ] as const) {
    test(`422 at each for ${title}`, async () => {
      const { test } = await api.world()
      const endpoint = await webhookEndpoint(test)
      const faults = Object.keys(headers).map((name) => [`/headers/${name.replace('/', '~1')}`, expected])
      for (const answer of [
        await test.post('/v1/webhook_endpoints', { url, headers }),
        await test.patch(path(endpoint), { headers }),
      ]) {
        assert.equal(answer.status, 422, answer.text)
        assert.deepEqual(errorsOf(answer), faults)
      }
    })
  }

  test('422 for more than 20, also when a patch adds them', async () => {
    const { test } = await api.world()
    assert.deepEqual(errorsOf(await test.post('/v1/webhook_endpoints', { url, headers: tooMany })), [
      ['/headers', 'too_long'],
    ])
    const { 'X-20': _, ...most } = tooMany
    const endpoint = await webhookEndpoint(test, { headers: most })
    const more = await test.patch(path(endpoint), { headers: { 'X-20': 'v' } })
    assert.deepEqual(errorsOf(more), [['/headers', 'too_long']])
    succeeded(await test.patch(path(endpoint), { headers: { 'X-20': 'v', 'X-3': null } }))
  })

  test('422 for two names that differ only in case, together with errors of the URL', async () => {
    const { test } = await api.world()
    const answer = await test.post('/v1/webhook_endpoints', { url: 'x', headers: { 'X-A': '1', 'x-a': '2' } })
    assert.deepEqual(errorsOf(answer), [
      ['/url', 'bad_format'],
      ['/headers/x-a', 'not_allowed'],
    ])
  })

  test('a patch merges them name by name, without regard to case', async () => {
    const world = await api.world()
    const { test } = world
    const endpoint = await webhookEndpoint(test, {
      headers: { 'X-A': '1', 'X-B': '2', 'X-C': '3' },
    })
    const patched = async (headers: object | null) => succeeded(await test.patch(path(endpoint), { headers }))
    const opened = async () => openHeaders(await stored(world, endpoint), api.secretBox)
    const { headers } = await patched({ 'x-a': '10', 'X-b': null, 'X-C': '***', 'X-D': '5', 'X-None': null })
    assert.deepEqual(headers, { 'x-a': '***', 'X-C': '***', 'X-D': '***' })
    assert.deepEqual(await opened(), { 'x-a': '10', 'X-C': '3', 'X-D': '5' })
    const odd = Object.fromEntries([['__proto__', '6']])
    assert.deepEqual(Object.keys((await patched(odd)).headers), ['x-a', 'X-C', 'X-D', '__proto__'])
    assert.deepEqual(Object.entries(await opened()).at(-1), ['__proto__', '6'])
    assert.deepEqual((await patched(null)).headers, {})
    assert.equal((await stored(world, endpoint)).headers_sealed, null)
  })

  test('a new value is a change although it is hidden; the same value is not', async () => {
    const world = await api.world()
    const { test } = world
    const endpoint = await webhookEndpoint(test, { headers: { 'X-A': '1', 'X-B': '2' } })
    const before = await stored(world, endpoint)
    for (const headers of [{ 'X-A': '1' }, { 'X-A': '***', 'X-B': '2' }, { 'X-None': null }, {}])
      assert.equal(succeeded(await test.patch(path(endpoint), { headers })).version, 1)
    assert.deepEqual((await stored(world, endpoint)).headers_sealed, before.headers_sealed)
    const changed = succeeded(await test.patch(path(endpoint), { headers: { 'X-A': '3' } }))
    assert.equal(changed.version, 2)
    assert.deepEqual(await newestEvent(world).then(({ type, previous }) => [type, previous]), [
      'webhook_endpoint.updated',
      {},
    ])
    assert.deepEqual(await openHeaders(await stored(world, endpoint), api.secretBox), {
      'X-A': '3',
      'X-B': '2',
    })
  })
})

describe('a new secret', () => {
  /** The secrets that sign requests, a number of seconds from now. */
  async function secretsIn(world: World, endpoint: Body, seconds: number) {
    const now = plusSeconds(toInstant(api.now()), seconds)
    return secretsOf(await stored(world, endpoint), now, api.secretBox)
  }

  test('signs at once, together with the former one during the grace period', async () => {
    const world = await api.world()
    const first = await webhookEndpoint(world.test)
    assert.deepEqual(await secretsIn(world, first, 0), [first.secret])
    const rotated = succeeded(await world.test.post(`${path(first)}/rotate_secret`, { grace_seconds: 600 }))
    assert.notEqual(rotated.secret, first.secret)
    assert.partialDeepStrictEqual(rotated, { id: first.id, version: 2 })
    assert.deepEqual(await secretsIn(world, first, 0), [rotated.secret, first.secret])
    assert.deepEqual(await secretsIn(world, first, 590), [rotated.secret, first.secret])
    assert.deepEqual(await secretsIn(world, first, 601), [rotated.secret])
    const { type, object, previous } = await newestEvent(world)
    assert.equal(type, 'webhook_endpoint.secret_rotated')
    assert.deepEqual(
      [object.secret_hint, previous],
      [rotated.secret_hint, { secret_hint: first.secret_hint }],
    )
  })

  test('keeps the former one for a day by default, not at all with 0, and never more than one', async () => {
    const world = await api.world()
    const first = await webhookEndpoint(world.test)
    const rotate = async (body?: object) =>
      succeeded(await world.test.post(`${path(first)}/rotate_secret`, body)).secret
    const second = await rotate()
    assert.deepEqual(await secretsIn(world, first, 86_390), [second, first.secret])
    assert.deepEqual(await secretsIn(world, first, 86_401), [second])
    const third = await rotate({ grace_seconds: 60 })
    assert.deepEqual(await secretsIn(world, first, 0), [third, second])
    const fourth = await rotate({ grace_seconds: 0 })
    assert.deepEqual(await secretsIn(world, first, 0), [fourth])
    assert.equal((await stored(world, first)).former_secret_sealed, null)
  })

  test('can be decrypted for its own endpoint only', async () => {
    const world = await api.world()
    const [one, other] = [await webhookEndpoint(world.test), await webhookEndpoint(world.test)]
    const { secret_sealed } = await stored(world, one)
    const swapped = { ...(await stored(world, other)), secret_sealed }
    await assert.rejects(secretsOf(swapped, toInstant(api.now()), api.secretBox), /sealed/)
  })
})

describe('status', () => {
  const patch = async ({ test }: World, endpoint: Body, body: object) =>
    succeeded(await test.patch(path(endpoint), body))
  const disable = ({ environments }: World, { id, url }: Body, reason: 'gone' | 'failing') =>
    transact(api.context(environments.test), (draft) => disableEndpoint(draft, uuid(id), url, reason))

  test('lists find those of a status', async () => {
    const world = await api.world()
    const enabled = await webhookEndpoint(world.test)
    const paused = await webhookEndpoint(world.test, { status: 'paused' })
    const gone = await webhookEndpoint(world.test)
    await disable(world, gone, 'gone')
    const ids = async (query: string) =>
      succeeded(await world.test.get(`/v1/webhook_endpoints?${query}`)).data.map(({ id }: Body) => id)
    assert.deepEqual(await ids('status=enabled'), [enabled.id])
    assert.deepEqual(await ids('status=paused'), [paused.id])
    assert.deepEqual(await ids('status=disabled'), [gone.id])
    assert.deepEqual(await ids('sort=created_at'), [enabled.id, paused.id, gone.id])
    assert.deepEqual(await ids(''), [gone.id, paused.id, enabled.id])
  })

  test('disabled is set only by the server; enabling ends it and resets the count', async () => {
    const world = await api.world()
    const { test, environments } = world
    const endpoint = await webhookEndpoint(test)
    assert.deepEqual(errorsOf(await test.patch(path(endpoint), { status: 'disabled' })), [
      ['/status', 'not_allowed'],
    ])
    await api.db.write(sql`update webhook_endpoint_states set consecutive_failures = 21, failing_since = now()
      where tenant_id = ${environments.test.tenantId}`)
    await disable(world, endpoint, 'failing')
    const disabled = { status: 'disabled', disabled_reason: 'failing', consecutive_failures: 21, version: 2 }
    assert.partialDeepStrictEqual((await test.get(path(endpoint))).body, disabled)
    const told = await newestEvent(world)
    assert.equal(told.type, 'webhook_endpoint.disabled')
    assert.partialDeepStrictEqual(told.object, disabled)
    assert.deepEqual(told.previous, { status: 'enabled', disabled_reason: null })
    const enabled = { status: 'enabled', disabled_reason: null, consecutive_failures: 0, version: 3 }
    assert.partialDeepStrictEqual(await patch(world, endpoint, { status: 'enabled' }), enabled)
    assert.partialDeepStrictEqual((await test.get(path(endpoint))).body, enabled)
    assert.partialDeepStrictEqual(await stateOf(world, endpoint), {
      consecutive_failures: 0,
      failing_since: null,
    })
  })

  test('only an enabled endpoint is disabled; a deleted one is ignored', async () => {
    const world = await api.world()
    const endpoint = await webhookEndpoint(world.test, { status: 'paused' })
    await disable(world, endpoint, 'failing')
    assert.partialDeepStrictEqual((await world.test.get(path(endpoint))).body, {
      status: 'paused',
      version: 1,
    })
    succeeded(await world.test.delete(path(endpoint)))
    await disable(world, endpoint, 'failing')
  })

  test('an endpoint receives events after the change that last enabled it', async () => {
    const world = await api.world()
    const endpoint = await webhookEndpoint(world.test)
    const created = await newestEvent(world)
    assert.partialDeepStrictEqual(await stateOf(world, endpoint), {
      active_epoch: 2147483647,
      active_position: created.position,
    })
    await patch(world, endpoint, { description: 'x', status: 'enabled' })
    await patch(world, endpoint, { status: 'paused' })
    assert.equal((await stateOf(world, endpoint))?.active_position, created.position)
    await patch(world, endpoint, { status: 'enabled' })
    const enabled = await newestEvent(world)
    assert.ok(Number(enabled.position) > Number(created.position))
    assert.equal((await stateOf(world, endpoint))?.active_position, enabled.position)
    const asleep = await webhookEndpoint(world.test, { status: 'paused' })
    assert.equal(await stateOf(world, asleep), null)
    await patch(world, asleep, { status: 'enabled' })
    assert.equal((await stateOf(world, asleep))?.active_position, (await newestEvent(world)).position)
  })

  test('deleting an endpoint deletes its counters', async () => {
    const world = await api.world()
    const endpoint = await webhookEndpoint(world.test)
    succeeded(await world.test.delete(path(endpoint)))
    assert.equal((await world.test.get(path(endpoint))).status, 404)
    assert.equal(await stateOf(world, endpoint), null)
  })
})
