import assert from 'node:assert/strict'
import { test } from 'node:test'
import { service } from '../../../test/harness.ts'

const api = service()

test('201 with every field when only external_user_id is given', async () => {
  const { test } = await api.world()
  const { status, body } = await test.post('/v1/conversations', { external_user_id: 'user_42' })
  assert.equal(status, 201)
  assert.partialDeepStrictEqual(body, {
    object: 'conversation',
    status: 'new',
    waiting_on: 'operator',
    version: 1,
  })
})
