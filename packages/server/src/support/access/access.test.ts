import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAccess } from './access.ts'

const publicUrl = 'https://desk.example.com'
const { clientOf: nameOf } = openAccess(
  { db: null as never, clock: Date.now, publicUrl, secretBox: undefined as never },
  null as never,
)

test('clients are told apart by their token, whatever else their headers contain', () => {
  for (const authorization of ['Bearer abc', 'bearer   abc', 'Bearer abc '])
    assert.equal(nameOf({ authorization }), 'abc')
  for (const authorization of ['Basic abc', 'Basic def', 'Bearer', ''])
    assert.equal(nameOf({ authorization }), '')
  const console = { 'backline-console': 'live' }
  for (const cookie of [
    '__Host-backline_console=abc',
    'a=1; __Host-backline_console=abc',
    '__Host-backline_console=abc; b=2',
  ])
    assert.equal(nameOf({ ...console, cookie }), 'abc')
  assert.equal(nameOf({ cookie: '__Host-backline_console=abc' }), '')
  assert.equal(nameOf({ ...console, cookie: 'other=1' }), '')
  assert.equal(
    nameOf({ ...console, cookie: '__Host-backline_console=abc', authorization: 'Bearer def' }),
    'def',
  )
})
