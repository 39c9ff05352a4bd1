import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { tablesWith } from '@backline/test/plaintext.ts'

const api = service()
const path = '/v1/identity_keys'

const publicOf = (pair: { publicKey: KeyObject }) => pair.publicKey
const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })

test('an HS256 key shows its secret once; the database does not contain it', async () => {
  const { test } = await api.world()
  const created = succeeded(await test.post(path, { name: 'Shop', algorithm: 'HS256' }))
  assert.match(created.secret, /^idsec_[\w-]{43}$/)
  assert.equal(created.public_key, null)
  const { body: shown } = await test.get(`${path}/${created.id}`)
  assert.equal('secret' in shown, false)
  assert.deepEqual(await tablesWith(api, created.secret), [])
})

test('a public key is shown as PEM, whatever its form was', async () => {
  const { test } = await api.world()
  const given = pem(publicOf(p256))
  for (const public_key of [given, publicOf(p256).export({ format: 'jwk' })]) {
    const created = succeeded(await test.post(path, { name: 'Shop', algorithm: 'ES256', public_key }))
    assert.deepEqual([created.public_key, created.secret], [given, null])
  }
})

test('422 at /public_key unless it is a public key of the algorithm', async () => {
  const { test } = await api.world()
  const cases: [algorithm: string, public_key: unknown, code: string][] = [
    ['RS256', undefined, 'required'],
    ['RS256', null, 'required'],
    ['RS256', 'nonsense', 'bad_format'],
    ['RS256', {}, 'bad_format'],
    ['RS256', '{"kty":', 'bad_format'],
    ['RS256', pem(publicOf(p256)), 'not_allowed'],
    ['ES256', pem(publicOf(rsa)), 'not_allowed'],
    ['ES256', pem(publicOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }))), 'not_allowed'],
    ['EdDSA', pem(publicOf(generateKeyPairSync('ed448'))), 'not_allowed'],
    ['EdDSA', pem(publicOf(generateKeyPairSync('x25519'))), 'not_allowed'],
    ['RS256', pem(publicOf(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }))), 'not_allowed'],
    ['RS256', pem(publicOf(generateKeyPairSync('rsa', { modulusLength: 1024 }))), 'too_small'],
    ['RS256', rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }), 'not_allowed'],
    ['RS256', rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }), 'not_allowed'],
    ['ES256', p256.privateKey.export({ format: 'jwk' }), 'not_allowed'],
    ['HS256', pem(publicOf(rsa)), 'not_allowed'],
  ]
  for (const [algorithm, public_key, code] of cases) {
    const { status, body } = await test.post(path, { name: 'Shop', algorithm, public_key })
    assert.equal(status, 422, code)
    assert.partialDeepStrictEqual(body.errors, [{ pointer: '/public_key', code }])
    assert.ok(!JSON.stringify(body).includes('BEGIN'))
  }
})

/** An RSA key in the form of a JWK, with this modulus and exponent. */
const rsaJwk = (bits: number, exponent: string) => ({
  kty: 'RSA',
  n: Buffer.from(`c${'5'.repeat(bits / 4 - 1)}`, 'hex').toString('base64url'),
  e: Buffer.from(exponent, 'hex').toString('base64url'),
})

const ed25519Jwk = (hex: string) => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x: Buffer.from(hex, 'hex').toString('base64url'),
})

test('422 for a key with which anybody could sign, or that would take long to verify', async () => {
  const { test } = await api.world()
  const publicJwk = publicOf(rsa).export({ format: 'jwk' })
  const cases: [algorithm: string, public_key: unknown, code: string][] = [
    ['RS256', rsaJwk(2_048, '01'), 'not_allowed'],
    ['RS256', rsaJwk(2_048, '010000'), 'not_allowed'],
    ['RS256', rsaJwk(2_048, '0100000001'), 'not_allowed'],
    ['RS256', rsaJwk(2_040, '010001'), 'too_small'],
    ['RS256', rsaJwk(8_200, '010001'), 'too_large'],
    ['RS256', rsaJwk(16_384, '010001'), 'too_large'],
    ['EdDSA', ed25519Jwk('00'.repeat(32)), 'not_allowed'],
    ['EdDSA', ed25519Jwk(`01${'00'.repeat(31)}`), 'not_allowed'],
    ['EdDSA', ed25519Jwk(`01${'00'.repeat(30)}80`), 'not_allowed'],
    ['EdDSA', ed25519Jwk(`ec${'ff'.repeat(31)}`), 'not_allowed'],
    ['EdDSA', ed25519Jwk('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa'), 'not_allowed'],
    ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map((name): [string, unknown, string] => [
      'RS256',
      { ...publicJwk, [name]: 'AQAB' },
      'not_allowed',
    ]),
  ]
  for (const [algorithm, public_key, code] of cases) {
    const { status, body } = await test.post(path, { name: 'Shop', algorithm, public_key })
    assert.equal(status, 422, JSON.stringify(public_key))
    assert.partialDeepStrictEqual(body.errors, [{ pointer: '/public_key', code }])
  }
  succeeded(await test.post(path, { name: 'Shop', algorithm: 'RS256', public_key: rsaJwk(8_192, '03') }))
})

test('name, issuer and audience can be changed; algorithm and key cannot', async () => {
  const { test } = await api.world()
  const { id } = succeeded(await test.post(path, { name: 'Shop', algorithm: 'HS256', issuer: 'a' }))
  const patched = succeeded(await test.patch(`${path}/${id}`, { name: 'New', issuer: null, audience: 'b' }))
  assert.partialDeepStrictEqual(patched, { name: 'New', issuer: null, audience: 'b', version: 2 })
  for (const patch of [{ algorithm: 'RS256' }, { public_key: pem(publicOf(rsa)) }])
    assert.equal((await test.patch(`${path}/${id}`, patch)).body.errors[0].code, 'unknown_field')
})
