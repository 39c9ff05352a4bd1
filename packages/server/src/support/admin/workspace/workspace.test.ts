import assert from 'node:assert/strict'
import { test } from 'node:test'
import { service } from '@backline/test/harness.ts'

const api = service()

test('settings belong to the environment, the name to both', async () => {
  const { live, test } = await api.world()
  const { body: before } = await live.get('/v1/workspace')
  const name = `renamed ${before.id}`
  const { status, body } = await test.patch('/v1/workspace', {
    name,
    auto_close_after_seconds: 3600,
    default_language: 'de',
    end_users_may_resolve: true,
  })
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body, {
    id: before.id,
    name,
    auto_close_after_seconds: 3600,
    default_language: 'de',
    end_users_may_resolve: true,
    version: 2,
  })
  const other = await live.get('/v1/workspace', { 'if-none-match': '"1"' })
  assert.equal(other.status, 200, 'the name changed there as well')
  assert.partialDeepStrictEqual(other.body, {
    name,
    auto_close_after_seconds: 604_800,
    end_users_may_resolve: false,
  })
})

test('409 when another workspace has the name', async () => {
  const [one, other] = [await api.world(), await api.world()]
  const { body } = await other.live.get('/v1/workspace')
  const { status, body: error } = await one.live.patch('/v1/workspace', { name: body.name.toUpperCase() })
  assert.equal(status, 409)
  assert.equal(error.code, 'already_exists')
})

test('422 for settings out of range', async () => {
  const { live } = await api.world()
  const { status, body } = await live.patch('/v1/workspace', {
    event_retention_days: 29,
    auto_close_after_seconds: 0,
    name: '',
  })
  assert.equal(status, 422)
  assert.deepEqual(
    body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
    [
      ['/name', 'too_short'],
      ['/auto_close_after_seconds', 'too_small'],
      ['/event_retention_days', 'too_small'],
    ],
  )
})
