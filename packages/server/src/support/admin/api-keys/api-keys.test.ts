import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { hasKeyShape, hasShape } from '../../vocabulary/credentials.ts'

const api = service()

test('201 shows the secret once, and it works in its environment', async () => {
  const { test } = await api.world()
  const { status, body } = await test.post('/v1/api_keys', { name: 'App', scopes: ['conversations:read'] })
  assert.equal(status, 201)
  assert.ok(body.secret.startsWith('bkl_test_') && hasKeyShape(body.secret))
  const { body: shown } = await test.get(`/v1/api_keys/${body.id}`)
  assert.equal('secret' in shown, false)
  assert.equal(shown.secret_hint, `bkl_test_…${body.secret.slice(-4)}`)
  const client = api.client(body.secret)
  assert.equal((await client.get('/v1/conversations')).status, 200)
  assert.equal((await client.post('/v1/conversations', { external_user_id: 'u' })).body.code, 'scope_missing')
  await until(
    'its use is recorded',
    async () => (await test.get(`/v1/api_keys/${body.id}`)).body.last_used_at !== null,
  )
  assert.equal((await test.get(`/v1/api_keys/${body.id}`)).body.version, 1)
})

test('403 when a key gives or rotates more than it has', async () => {
  const { withScopes, test } = await api.world()
  const client = await withScopes('api_keys:write', 'conversations:read')
  for (const scope of ['conversations:write', '*:read', '*']) {
    const { status, body } = await client.post('/v1/api_keys', {
      name: 'More',
      scopes: ['conversations:read', scope],
    })
    assert.equal(status, 403)
    assert.deepEqual(body.params, { scope })
  }
  const { body: strong } = await test.post('/v1/api_keys', { name: 'Strong', scopes: ['*'] })
  assert.equal((await client.post(`/v1/api_keys/${strong.id}/rotate`)).body.code, 'scope_missing')
})

test('422 for bad CIDRs, unknown scopes and a past expiry, all named', async () => {
  const { test } = await api.world()
  const cidrs = await test.post('/v1/api_keys', {
    name: 'Bad',
    scopes: ['*'],
    allowed_cidrs: ['10.0.0.0/8', '10.0.0.0/33', '1.2.3', '::1/129'],
  })
  assert.deepEqual(
    cidrs.body.errors.map((error: { pointer: string }) => error.pointer),
    ['/allowed_cidrs/1', '/allowed_cidrs/2', '/allowed_cidrs/3'],
  )
  const past = await test.post('/v1/api_keys', {
    name: 'Bad',
    scopes: ['*'],
    expires_at: '2020-01-01T00:00:00Z',
  })
  assert.partialDeepStrictEqual(past.body.errors, [{ pointer: '/expires_at', code: 'too_small' }])
  const scopes = await test.post('/v1/api_keys', { name: 'Bad', scopes: ['conversations', 'x:read'] })
  assert.deepEqual(
    scopes.body.errors.map((error: { pointer: string }) => error.pointer),
    ['/scopes/0', '/scopes/1'],
  )
})

test('a rotated key works with both secrets through its grace, then with the new one alone', async () => {
  const { test } = await api.world()
  const { body: created } = await test.post('/v1/api_keys', { name: 'App', scopes: ['*:read'] })
  const { body: rotated } = await test.post(`/v1/api_keys/${created.id}/rotate`, { grace_seconds: 3600 })
  assert.partialDeepStrictEqual(rotated, { id: created.id, version: 2 })
  assert.notEqual(rotated.secret, created.secret)
  const status = async (secret: string) => (await api.client(secret).get('/v1/workspace')).status
  assert.equal(await status(created.secret), 200)
  assert.equal(await status(rotated.secret), 200)
  api.advance(3601)
  const { body } = await api.client(created.secret).get('/v1/workspace')
  assert.equal(body.code, 'api_key_expired')
  assert.equal(await status(rotated.secret), 200)
})

test('a key that is rotated again does not prolong its former secrets', async () => {
  const { test } = await api.world()
  const { body: created } = await test.post('/v1/api_keys', { name: 'App', scopes: ['*:read'] })
  const rotate = (grace_seconds: number) =>
    test.post(`/v1/api_keys/${created.id}/rotate`, { grace_seconds }).then(({ body }) => body.secret)
  const secrets = [created.secret, await rotate(60), await rotate(7200)]
  api.advance(61)
  const statuses = []
  for (const secret of secrets) statuses.push((await api.client(secret).get('/v1/workspace')).status)
  assert.deepEqual(statuses, [401, 200, 200])
})

test('401 api_key_expired past expires_at', async () => {
  const { test } = await api.world()
  const expires_at = new Date(api.now() + 60_000).toISOString()
  const { body } = await test.post('/v1/api_keys', { name: 'Short', scopes: ['*'], expires_at })
  assert.equal((await api.client(body.secret).get('/v1/workspace')).status, 200)
  api.advance(60)
  const { status, headers, body: error } = await api.client(body.secret).get('/v1/workspace')
  assert.equal(status, 401)
  assert.equal(error.code, 'api_key_expired')
  assert.match(headers.get('www-authenticate')!, /^Bearer/)
})

test('a revoked key is refused within a second and stays readable', async () => {
  const { test } = await api.world()
  const { body } = await test.post('/v1/api_keys', { name: 'App', scopes: ['*'] })
  const client = api.client(body.secret)
  assert.equal((await client.get('/v1/workspace')).status, 200)
  assert.equal((await test.delete(`/v1/api_keys/${body.id}`)).status, 204)
  await until(
    'it is refused',
    async () => (await client.get('/v1/workspace')).body.code === 'api_key_invalid',
  )
  const { body: shown } = await test.get(`/v1/api_keys/${body.id}`)
  assert.ok(shown.revoked_at)
  assert.equal((await test.delete(`/v1/api_keys/${body.id}`)).status, 204)
  assert.equal((await test.get(`/v1/api_keys/${body.id}`)).body.version, shown.version)
  assert.equal((await test.post(`/v1/api_keys/${body.id}/rotate`)).body.code, 'invalid_transition')
})

test('a revocation that no server was told of holds within a second', async () => {
  const { test } = await api.world()
  const { body } = await test.post('/v1/api_keys', { name: 'App', scopes: ['*'] })
  const client = api.client(body.secret)
  assert.equal((await client.get('/v1/workspace')).status, 200)
  await api.db.write(sql`update api_keys set revoked_at = now() where id = ${uuidOf('key', body.id)}`)
  await sleep(1_000)
  assert.equal((await client.get('/v1/workspace')).body.code, 'api_key_invalid')
})

test('a key that is revoked while a body arrives lets nothing in', async () => {
  const { test } = await api.world()
  const { body } = await test.post('/v1/api_keys', { name: 'App', scopes: ['*'] })
  const headers = {
    authorization: `Bearer ${body.secret}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  }
  const outgoing = request(`${api.url}/v1/tags`, { method: 'POST', headers })
  const answered = once(outgoing, 'response')
  outgoing.write('{"name":')
  await sleep(100)
  assert.equal((await test.delete(`/v1/api_keys/${body.id}`)).status, 204)
  await sleep(500)
  outgoing.end('"late"}')
  const [answer] = await answered
  answer.resume()
  assert.equal(answer.statusCode, 401)
  assert.deepEqual((await test.get('/v1/tags')).body.data, [])
})

test('a publishable key has origins and no scopes, a secret key scopes and no origins', async () => {
  const { test } = await api.world()
  const create = (body: object) => test.post('/v1/api_keys', { name: 'Key', ...body })
  const { status, body } = await create({
    kind: 'publishable',
    allowed_origins: ['https://Shop.example.com:443', 'http://localhost:3000', 'http://localhost:3000'],
  })
  assert.equal(status, 201)
  assert.ok(body.secret.startsWith('bkl_pub_test_') && hasShape('publishable_key', body.secret))
  assert.partialDeepStrictEqual(body, {
    kind: 'publishable',
    scopes: [],
    allowed_origins: ['https://shop.example.com', 'http://localhost:3000'],
    secret_hint: `bkl_pub_test_…${body.secret.slice(-4)}`,
  })
  const { body: rotated } = await test.post(`/v1/api_keys/${body.id}/rotate`)
  assert.ok(hasShape('publishable_key', rotated.secret))
  const secret = await create({ kind: 'secret', scopes: ['*'] })
  assert.partialDeepStrictEqual(secret.body, { kind: 'secret', allowed_origins: [] })
  const faults: [object, string, string][] = [
    [{ kind: 'publishable', scopes: ['*'] }, '/scopes', 'not_allowed'],
    [{ kind: 'secret' }, '/scopes', 'required'],
    [{ scopes: [] }, '/scopes', 'too_short'],
    [{ scopes: ['*'], allowed_origins: ['https://a.example'] }, '/allowed_origins', 'not_allowed'],
    ...['http://shop.example', 'https://shop.example/', 'https://*.example', '*', 'null'].map(
      (origin): [object, string, string] => [
        { kind: 'publishable', allowed_origins: [origin] },
        '/allowed_origins/0',
        'bad_format',
      ],
    ),
    [{ kind: 'publishable', allowed_origins: ['https://a:99999'] }, '/allowed_origins/0', 'bad_format'],
  ]
  for (const [input, pointer, code] of faults) {
    const answer = await create(input)
    assert.equal(answer.status, 422, pointer)
    assert.partialDeepStrictEqual(answer.body.errors, [{ pointer, code }])
  }
})

test('403 address_not_allowed outside allowed_cidrs', async () => {
  const { test } = await api.world()
  const key = async (allowed_cidrs: string[]) =>
    api.client((await test.post('/v1/api_keys', { name: 'Net', scopes: ['*'], allowed_cidrs })).body.secret)
  assert.equal((await (await key(['127.0.0.0/8', '::1'])).get('/v1/workspace')).status, 200)
  assert.equal((await (await key(['203.0.113.0/24'])).get('/v1/workspace')).body.code, 'address_not_allowed')
})
