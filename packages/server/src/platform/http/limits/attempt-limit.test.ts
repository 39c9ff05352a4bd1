import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { ApiError } from '../../kernel/errors.ts'
import { attemptLimiter } from './attempt-limit.ts'

const refusalOf = (take: () => void): ApiError | null => {
  try {
    take()
    return null
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return error
  }
}

const named = { policy: 'test', counted: 'sessions', setting: null } as const

test('no period of the length of the window has more attempts than the limit', () => {
  let now = 0
  const limiter = attemptLimiter({ most: 3, windowSeconds: 10 }, named, () => now)!
  const allowed: number[] = []
  for (now = 0; now < 60_000; now += 500)
    if (!refusalOf(() => limiter.take('one', 'network'))) allowed.push(now)
  for (const start of allowed)
    assert.ok(allowed.filter((at) => at >= start && at < start + 10_000).length <= 3)
  assert.equal(allowed.length, 18)
})

test('Retry-After is the time until the next attempt is allowed', () => {
  let now = 0
  const limiter = attemptLimiter({ most: 2, windowSeconds: 60 }, named, () => now)!
  limiter.take('one', 'network')
  now = 20_500
  limiter.take('one', 'network')
  const refusal = refusalOf(() => limiter.take('one', 'network'))!
  assert.equal(refusal.code, 'rate_limited')
  assert.equal(refusal.details.headers?.['retry-after'], '40')
  assert.equal(
    refusalOf(() => limiter.take('other', 'network')),
    null,
  )
  now += 40_000
  assert.equal(
    refusalOf(() => limiter.take('one', 'network')),
    null,
  )
})

test('many clients use bounded memory, and the latest keep their limit', () => {
  const limiter = attemptLimiter({ most: 1, windowSeconds: 60 }, named, () => 0)!
  for (let i = 0; i < 100_000; i++) limiter.take(`client ${i}`, 'network')
  assert.ok(refusalOf(() => limiter.take('client 99999', 'network')))
  assert.equal(
    refusalOf(() => limiter.take('client 0', 'network')),
    null,
  )
})

test('0 is no limit', () => {
  assert.equal(attemptLimiter({ most: 0, windowSeconds: 60 }, named), null)
})

describe('the limit of sessions', () => {
  const api = service({ environment: { BACKLINE_SESSIONS_PER_MINUTE: '' } }) // the default

  const newKey = async ({ test }: World): Promise<Client> =>
    api.client(succeeded(await test.post('/v1/api_keys', { name: 'Page', kind: 'publishable' })).secret)

  test('10 attempts a minute of one address, whatever the key, the route and their success', async () => {
    const world = await api.world()
    const [one, other] = [await newKey(world), await newKey(world)]
    const headers = { 'idempotency-key': randomUUID() }
    const answers = []
    for (let i = 0; i < 4; i++) {
      answers.push(await one.post('/v1/end_user_sessions/anonymous', {}, headers)) // replays count too
      answers.push(await other.post('/v1/end_user_sessions/exchange', { jwt: 'x' }))
      answers.push(await one.post('/v1/end_user_sessions/anonymous', { nonsense: 1 }))
    }
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 401, 422, 201, 401, 422, 201, 401, 422, 201, 429, 429],
    )
    const { headers: sent, body } = answers.at(-1)!
    assert.match(sent.get('retry-after')!, /^([1-9]|[1-5]\d|60)$/)
    assert.equal(sent.get('ratelimit-policy'), '"sessions";q=10;w=60')
    assert.partialDeepStrictEqual(body, {
      code: 'rate_limited',
      params: {
        counted: 'sessions',
        per: 'network',
        setting: 'BACKLINE_SESSIONS_PER_MINUTE',
        limit: 10,
        window_seconds: 60,
      },
    })
    // Sessions that a secret key mints, and renewals, are not limited.
    const minted = succeeded(await world.test.post('/v1/end_user_sessions', { external_user_id: 'u' }))
    assert.equal((await api.client(minted.token).post('/v1/end_user_sessions/renew')).status, 201)
    // A refused key does not count, and is not told of the limit.
    const unknown = await api.client('bkl_pub_test_x').post('/v1/end_user_sessions/anonymous', {})
    assert.equal(unknown.status, 401)
  })
})
