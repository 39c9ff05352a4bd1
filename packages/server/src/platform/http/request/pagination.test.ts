import assert from 'node:assert/strict'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { ApiError } from '../../kernel/errors.ts'
import { cursorCodec } from './pagination.ts'

describe('cursors', () => {
  const secret = randomBytes(32)
  const codec = cursorCodec(secret)
  const scope = { tenantId: 'tenant', path: '/v1/events', filters: {}, sort: 'commit' }
  const place = [1, '81726354', 3]

  test('say nothing about the place where they continue', () => {
    const cursor = codec.write(scope, place)
    assert.deepEqual(codec.read([scope], cursor), place)
    for (const text of [cursor, Buffer.from(cursor, 'base64url').toString('latin1')])
      assert.doesNotMatch(text, /81726354/)
  })

  test('of one place are the same, and of neighbouring places have nothing in common', () => {
    const [one, again, next] = [place, place, [1, '81726354', 4]].map((each) => codec.write(scope, each))
    assert.equal(one, again)
    const [a, b] = [one!, next!].map((cursor) => Buffer.from(cursor, 'base64url'))
    const same = a!.filter((byte, i) => byte === b![i]).length
    assert.ok(same < a!.length / 4, `${same} of ${a!.length} bytes are the same`)
  })

  test('of before they were encrypted are still read, and are refused when they were altered', () => {
    const digest = createHash('sha256')
      .update(JSON.stringify(['tenant', '/v1/events', [], 'commit']))
      .digest()
    const data = Buffer.concat([digest.subarray(0, 12), Buffer.from(JSON.stringify(place))])
    const mac = createHmac('sha256', secret).update(data).digest().subarray(0, 16)
    const old = Buffer.concat([mac, data])
    assert.deepEqual(codec.read([scope], old.toString('base64url')), place)
    old[30]! ^= 1
    assert.throws(
      () => codec.read([scope], old.toString('base64url')),
      (error) => error instanceof ApiError && error.code === 'cursor_invalid',
    )
  })
})
