import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Backline, BacklineError } from '@backline/sdk'
import { service } from './harness.ts'

const api = service()

async function backline(fetching?: typeof fetch) {
  const { test } = await api.world()
  return new Backline({ apiKey: test.key, baseUrl: api.url, ...(fetching ? { fetch: fetching } : {}) })
}

test('creates, changes and reads with types of the API', async () => {
  const client = await backline()
  const created = await client.call('createConversation', { body: { external_user_id: 'user_42' } })
  assert.equal(created.status, 'new')
  const params = { id: created.id }
  const changed = await client.call('updateConversation', {
    params,
    body: { priority: 'high' },
    ifMatch: '"1"',
  })
  assert.equal(changed.version, 2)
  const { id } = await client.call('createApiKey', { body: { name: 'Other', scopes: ['*:read'] } })
  assert.equal(await client.call('revokeApiKey', { params: { id } }), undefined)
  assert.deepEqual(await client.call('getConversation', { params }), changed)
})

test('walks a list over all its pages', async () => {
  const client = await backline()
  for (let i = 0; i < 7; i++)
    await client.call('createConversation', { body: { external_user_id: `user_${i}` } })
  const seen: string[] = []
  for await (const each of client.each('listConversations', { query: { limit: 3, sort: 'created_at' } })) {
    seen.push(each.external_user_id)
  }
  assert.deepEqual(seen, ['user_0', 'user_1', 'user_2', 'user_3', 'user_4', 'user_5', 'user_6'])
})

test('a refusal is an error with its code, and is not tried again', async () => {
  let sent = 0
  const client = await backline((...request) => {
    sent++
    return fetch(...request)
  })
  const failing = client.call('createConversation', { body: { external_user_id: '' } })
  await assert.rejects(failing, (error) => {
    assert.ok(error instanceof BacklineError)
    assert.equal(error.code, 'validation_failed')
    assert.equal(error.status, 422)
    return true
  })
  assert.equal(sent, 1)
})

describe('an answer that gets lost', () => {
  for (const [what, lose] of Object.entries({
    'in a broken connection': () => Promise.reject(new TypeError('fetch failed')),
    'behind a proxy': () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 })),
  })) {
    test(`${what} is asked for again with the same key, and the effect is there once`, async () => {
      const keys: (string | null)[] = []
      const client = await backline(async (url, init) => {
        keys.push(new Headers(init?.headers).get('idempotency-key'))
        const response = await fetch(url, init)
        return keys.length === 1 ? lose() : response
      })
      await client.call('createConversation', { body: { external_user_id: 'lost' } })
      assert.equal(keys.length, 2)
      assert.equal(keys[0], keys[1])
      const { data } = await client.call('listConversations', { query: { external_user_id: 'lost' } })
      assert.equal(data.length, 1)
    })
  }
})
