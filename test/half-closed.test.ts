import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { service } from './harness.ts'
import { converse } from './raw-http.ts'

describe('a client that closes its sending side after its request', () => {
  const api = service()

  test('is answered, and then the connection is closed', async () => {
    const { test } = await api.world()
    const body = JSON.stringify({ external_user_id: 'user_1' })
    const request = [
      'POST /v1/conversations HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${test.key}`,
      'Idempotency-Key: half-closed',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n')
    const [answer] = await converse(api.url, [Buffer.from(request)], { endAfter: true })
    assert.equal(answer?.status, 201)
    const { data } = (await test.get('/v1/conversations')).body
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [JSON.parse(answer.body.toString()).id],
    )
  })
})
