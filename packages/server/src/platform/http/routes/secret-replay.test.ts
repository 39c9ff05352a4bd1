import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seal, unseal } from './secret-replay.ts'

const token = 'bkl_live_TWBKT20tSzuHWyc7G12J3WOc1qo8Wbyg0ZBLtN'
const text = '{"secret":"Grüße 🔑"}'

test('a response that a running installation has stored is readable by the key that was presented', () => {
  const stored = '5ohxxK7t+reYqTVk/Car08+jk/aHzyHi3WJPcKDbNN//zjSJRQW2+v/6xaGW6ajzAxSQTdQ='
  assert.equal(unseal(token, Buffer.from(stored, 'base64')), text)
})

test('a sealed response is readable by the key that was presented, and by no other', () => {
  const sealed = seal(token, text)
  assert.equal(unseal(token, sealed), text)
  assert.equal(unseal(`${token}x`, sealed), null)
})
