import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifiedEmailOf } from './claims.ts'

const email = 'ada@example.com'
const tenant = 'https://login.microsoftonline.com/6babcaad-604b-40ac-a9d7-9fd97c0b779f/v2.0'

test('Entra vouches for an address by xms_edov', () => {
  for (const xms_edov of [true, 'true', 1, '1'])
    assert.equal(verifiedEmailOf({ email, xms_edov }, tenant), email)
  for (const xms_edov of [false, 'false', 0, '0', null, 'yes'])
    assert.equal(verifiedEmailOf({ email, xms_edov }, tenant), null)
  assert.equal(verifiedEmailOf({ email }, tenant), undefined)
  assert.equal(verifiedEmailOf({ email, email_verified: false, xms_edov: true }, tenant), null)
})

test('xms_edov means nothing at other providers', () => {
  for (const issuer of ['https://id.example.com', 'https://login.microsoftonline.com.example.com/v2.0'])
    assert.equal(verifiedEmailOf({ email, xms_edov: true }, issuer), undefined)
})
