import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { type Answer, type Client, service, type World } from '@backline/test/harness.ts'
import { bySecret, encoded, signedJwt } from '@backline/test/jwts.ts'
import { tablesWith } from '@backline/test/plaintext.ts'
import { unseal } from '../../../platform/http/routes/secret-replay.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()
const path = '/v1/end_user_sessions'

type Json = Record<string, unknown>

const nowSeconds = () => Math.floor(api.now() / 1000)

/** A JWT that is valid for an hour, but for these claims. */
const jwtOf = (head: Json, claims: Json, signing: (data: Buffer) => Buffer): string =>
  signedJwt(head, { sub: randomUUID(), exp: nowSeconds() + 3_600, ...claims }, signing)

const byKey: Record<string, (key: KeyObject) => (data: Buffer) => Buffer> = {
  RS256: (key) => (data) => sign('sha256', data, key),
  ES256: (key) => (data) => sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }),
  EdDSA: (key) => (data) => sign(null, data, key),
}
const pairs: Record<string, { publicKey: KeyObject; privateKey: KeyObject }> = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
}
const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()

describe('exchange of JWTs', () => {
  let world: World
  let publishable: Client
  let key: { id: string; secret: string }

  before(async () => {
    world = await api.world()
    publishable = await publishableOf(world)
    key = await newKey({ algorithm: 'HS256' })
  })

  const publishableOf = async ({ test }: World) =>
    api.client(succeeded(await test.post('/v1/api_keys', { name: 'Page', kind: 'publishable' })).secret)
  const newKey = async (input: Json, { test }: World = world) =>
    succeeded(await test.post('/v1/identity_keys', { name: 'Shop', ...input }))
  const signed = (claims: Json = {}, head: Json = {}) =>
    jwtOf({ alg: 'HS256', ...head }, claims, bySecret(key.secret))
  const exchange = (jwt: string, more: Json = {}, client: Client = publishable) =>
    client.post(`${path}/exchange`, { jwt, ...more })
  const refused = (answer: Answer, reason: string) =>
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.params],
      [401, 'identity_invalid', { reason }],
      answer.text,
    )
  const endUserOf = async ({ end_user_id }: { end_user_id: string }) =>
    succeeded(await world.test.get(`/v1/end_users/${end_user_id}`))

  test('201 with a session of the end user whose external id is sub, who is then verified', async () => {
    const sub = randomUUID()
    const session = succeeded(await exchange(signed({ sub })))
    assert.equal(session.created_by, 'jwt')
    const endUser = await endUserOf(session)
    assert.equal(endUser.external_id, sub)
    assert.notEqual(endUser.verified_at, null)
    const again = succeeded(await exchange(signed({ sub })))
    assert.equal(again.end_user_id, session.end_user_id)
    assert.equal((await endUserOf(again)).version, endUser.version)
  })

  for (const algorithm of ['RS256', 'ES256', 'EdDSA']) {
    test(`${algorithm} by a public key in PEM, as a JWK, and as the text of a JWK`, async () => {
      const { publicKey, privateKey } = pairs[algorithm]!
      const jwk = publicKey.export({ format: 'jwk' })
      for (const public_key of [pemOf(publicKey), jwk, JSON.stringify(jwk)]) {
        const own = await newKey({ algorithm, public_key })
        const jwt = jwtOf({ alg: algorithm, kid: own.id }, {}, byKey[algorithm]!(privateKey))
        succeeded(await exchange(jwt))
        succeeded(await exchange(jwtOf({ alg: algorithm }, {}, byKey[algorithm]!(privateKey))))
        assert.equal((await world.test.delete(`/v1/identity_keys/${own.id}`)).status, 204)
        refused(await exchange(jwt), 'unknown_key')
      }
    })
  }

  test('several keys at once: a JWT without kid is tried with each, one with kid with that one alone', async () => {
    const other = await newKey({ algorithm: 'HS256' })
    succeeded(await exchange(signed()))
    succeeded(await exchange(jwtOf({ alg: 'HS256' }, {}, bySecret(other.secret))))
    succeeded(await exchange(signed({}, { kid: key.id })))
    refused(await exchange(signed({}, { kid: other.id })), 'signature')
  })

  test('a JWT without kid is tried with the ten newest keys alone', async () => {
    const own = await api.world()
    const client = await publishableOf(own)
    const keys = []
    for (let i = 0; i < 11; i++) keys.push(await newKey({ algorithm: 'HS256' }, own))
    const by = ({ secret }: { secret: string }, head: Json) =>
      exchange(jwtOf({ alg: 'HS256', ...head }, {}, bySecret(secret)), {}, client)
    succeeded(await by(keys[1]!, {}))
    refused(await by(keys[0]!, {}), 'signature')
    succeeded(await by(keys[0]!, { kid: keys[0]!.id }))
  })

  test('a stored key that is no longer accepted verifies nothing', async () => {
    const own = await api.world()
    const client = await publishableOf(own)
    const { publicKey, privateKey } = pairs.EdDSA!
    const { id } = await newKey({ algorithm: 'EdDSA', public_key: pemOf(publicKey) }, own)
    const jwt = (head: Json) => jwtOf({ alg: 'EdDSA', ...head }, {}, byKey.EdDSA!(privateKey))
    succeeded(await exchange(jwt({}), {}, client))
    const neutral = createPublicKey({
      key: {
        kty: 'OKP',
        crv: 'Ed25519',
        x: Buffer.from(`01${'00'.repeat(31)}`, 'hex').toString('base64url'),
      },
      format: 'jwk',
    })
    await api.db.write(sql`update identity_keys set public_key = ${pemOf(neutral)}
      where tenant_id = ${own.environments.test.tenantId}`)
    // The neutral element verifies this signature of every text: R is the neutral element, S is 0.
    const forged = () => Buffer.from(`01${'00'.repeat(63)}`, 'hex')
    for (const head of [{}, { kid: id }])
      refused(await exchange(jwtOf({ alg: 'EdDSA', ...head }, {}, forged), {}, client), 'unknown_key')
  })

  test('malformed: no JWT, a truncated one, one that is too long, parts that are not JSON', async () => {
    const jwt = signed()
    const long = signed({ name: 'x'.repeat(65_536) })
    for (const wrong of ['x', 'a.b.c', jwt.split('.').slice(0, 2).join('.'), `${jwt}.x`, long, ` ${jwt}`])
      refused(await exchange(wrong), 'malformed')
    refused(
      await exchange(`${encoded({ alg: 'HS256', crit: ['x'], x: 1 })}.${jwt.split('.')[1]}.x`),
      'malformed',
    )
    refused(await exchange(signed({}, { crit: ['b64'], b64: true })), 'malformed')
    refused(await exchange(signed({}, { kid: 7 })), 'malformed')
  })

  test('unknown_key: a kid that no key has, that of another environment, or no key at all', async () => {
    const foreign = await api.world()
    const theirs = await newKey({ algorithm: 'HS256' }, foreign)
    for (const kid of ['mine', 'idk_01kah1vgm0e1tbm5ye8n2m9q7c', theirs.id, ''])
      refused(await exchange(jwtOf({ alg: 'HS256', kid }, {}, bySecret(theirs.secret))), 'unknown_key')
    const none = await api.world()
    refused(await exchange(signed(), {}, await publishableOf(none)), 'unknown_key')
  })

  test('signature: forged, by the key of another environment, without one, or with another algorithm', async () => {
    const [head, body, signature] = signed().split('.')
    refused(
      await exchange(`${head}.${encoded({ sub: 'root', exp: nowSeconds() + 60 })}.${signature}`),
      'signature',
    )
    refused(await exchange(`${head}.${body}.`), 'signature')
    refused(await exchange(jwtOf({ alg: 'HS256' }, {}, bySecret('secret'))), 'signature')
    const theirs = await newKey({ algorithm: 'HS256' }, await api.world())
    refused(await exchange(jwtOf({ alg: 'HS256' }, {}, bySecret(theirs.secret))), 'signature')
    for (const alg of ['none', 'None', 'HS512', 'RS256'])
      refused(
        await exchange(`${encoded({ alg, kid: key.id })}.${body}.${alg === 'none' ? '' : signature}`),
        'signature',
      )
    // The public key as an HMAC secret: whoever knows it could sign.
    const pem = pemOf(pairs.RS256!.publicKey)
    const own = await newKey({ algorithm: 'RS256', public_key: pem })
    for (const secret of [pem, pem.trim()])
      refused(await exchange(jwtOf({ alg: 'HS256', kid: own.id }, {}, bySecret(secret))), 'signature')
    // A key in the header is that of the attacker.
    const jwk = pairs.ES256!.publicKey.export({ format: 'jwk' })
    const mine = jwtOf({ alg: 'ES256', jwk }, {}, byKey.ES256!(pairs.ES256!.privateKey))
    refused(await exchange(mine), 'signature')
  })

  test('expired, not_yet_valid and lifetime, each with 60 seconds of leeway', async () => {
    const at = nowSeconds()
    refused(await exchange(signed({ exp: at - 62 })), 'expired')
    succeeded(await exchange(signed({ exp: at - 50 })))
    for (const claim of ['nbf', 'iat']) {
      refused(await exchange(signed({ [claim]: at + 70 })), 'not_yet_valid')
      succeeded(await exchange(signed({ [claim]: at + 50 })))
    }
    refused(await exchange(signed({ exp: at + 24 * 3_600 + 70 })), 'lifetime')
    succeeded(await exchange(signed({ exp: at + 24 * 3_600 + 50 })))
    refused(await exchange(signed({ exp: undefined })), 'lifetime')
  })

  test('issuer and audience are checked if the key has them', async () => {
    const own = await newKey({ algorithm: 'HS256', issuer: 'https://shop', audience: 'backline' })
    const by = (claims: Json) => exchange(jwtOf({ alg: 'HS256', kid: own.id }, claims, bySecret(own.secret)))
    const good = { iss: 'https://shop', aud: 'backline' }
    succeeded(await by(good))
    succeeded(await by({ ...good, aud: ['other', 'backline'] }))
    refused(await by({ aud: 'backline' }), 'issuer')
    refused(await by({ ...good, iss: 'https://shop/' }), 'issuer')
    refused(await by({ iss: 'https://shop' }), 'audience')
    refused(await by({ ...good, aud: ['other'] }), 'audience')
    succeeded(await exchange(signed({ iss: 'anybody', aud: 'anything' })))
  })

  test('claims: a sub that no end user can have, and times that are none', async () => {
    for (const sub of [undefined, '', 7, null, 'x'.repeat(256), 'a\u0000b', '\ud800', ' ', ' a', 'a\u00a0'])
      refused(await exchange(signed({ sub })), 'claims')
    for (const claims of [{ exp: '2030' }, { iat: 'now' }, { nbf: null }])
      refused(await exchange(signed(claims)), 'claims')
    succeeded(await exchange(signed({ sub: 'é'.repeat(255) })))
  })

  test('claims of OpenID Connect update the end user; those it cannot hold change nothing', async () => {
    const sub = randomUUID()
    const session = succeeded(
      await exchange(
        signed({
          sub,
          name: 'Grace',
          email: 'Grace@Example.com',
          email_verified: true,
          phone_number: '+4930123',
          locale: 'pt_BR',
          zoneinfo: 'Europe/Berlin',
          picture: 'https://example.com/g.png',
        }),
      ),
    )
    const full = {
      name: 'Grace',
      emails: [{ address: 'Grace@Example.com', verified: true }],
      phones: ['+4930123'],
      language: 'pt-BR',
      timezone: 'Europe/Berlin',
      avatar_url: 'https://example.com/g.png',
    }
    const first = await endUserOf(session)
    assert.partialDeepStrictEqual(first, full)
    const useless = {
      name: 'x'.repeat(201),
      email: 'nobody',
      phone_number: '12',
      locale: 'xx-yy-zz-1',
      zoneinfo: 'Mars/Base',
      picture: 'http://insecure',
    }
    succeeded(await exchange(signed({ sub, ...useless })))
    succeeded(await exchange(signed({ sub, name: null, email: 7, locale: {}, picture: [] })))
    assert.deepEqual(await endUserOf(session), {
      ...first,
      last_seen_at: (await endUserOf(session)).last_seen_at,
    })
    succeeded(await exchange(signed({ sub, email: 'new@example.com' })))
    assert.deepEqual((await endUserOf(session)).emails, [
      { address: 'new@example.com', verified: false },
      { address: 'Grace@Example.com', verified: true },
    ])
  })

  test("a verified address that is another's already is added unverified", async () => {
    const email = `${randomUUID()}@example.com`
    const owner = succeeded(
      await world.test.post('/v1/end_users', { emails: [{ address: email, verified: true }] }),
    )
    const session = succeeded(await exchange(signed({ email: email.toUpperCase(), email_verified: true })))
    assert.deepEqual((await endUserOf(session)).emails, [{ address: email.toUpperCase(), verified: false }])
    assert.deepEqual((await endUserOf({ end_user_id: owner.id })).emails, owner.emails)
  })

  test('two people who claim one verified address at once: one has it verified', async () => {
    const email = `${randomUUID()}@example.com`
    const sessions = await Promise.all(
      Array.from({ length: 6 }, () => exchange(signed({ email, email_verified: true }))),
    )
    const all = await Promise.all(sessions.map((each) => endUserOf(succeeded(each))))
    assert.equal(all.filter(({ emails }) => emails[0].verified).length, 1)
  })

  test('403 for a blocked end user, whom the JWT does not change', async () => {
    const sub = randomUUID()
    const session = succeeded(await exchange(signed({ sub })))
    succeeded(await world.test.post(`/v1/end_users/${session.end_user_id}/block`, {}))
    const answer = await exchange(signed({ sub, name: 'New' }))
    assert.deepEqual([answer.status, answer.body.code], [403, 'end_user_blocked'])
    assert.equal((await endUserOf(session)).name, null)
  })

  test('previous_token merges the visitor into the end user; the sessions of the visitor end at once', async () => {
    const visit = succeeded(await publishable.post(`${path}/anonymous`, { name: 'Visitor' }))
    const next = succeeded(await api.client(visit.token).post(`${path}/renew`))
    const asked = succeeded(
      await world.test.post('/v1/conversations', { end_user_id: visit.end_user_id, subject: 'Before' }),
    )
    const session = succeeded(await exchange(signed(), { previous_token: visit.token }))
    assert.notEqual(session.end_user_id, visit.end_user_id)
    const visitor = await endUserOf(visit)
    assert.deepEqual([visitor.status, visitor.merged_into_id], ['merged', session.end_user_id])
    const { body } = await world.test.get(`/v1/conversations?end_user_id=${session.end_user_id}`)
    assert.deepEqual(
      body.data.map(({ id }: Json) => id),
      [asked.id],
    )
    for (const { id } of [visit, next]) {
      const { body: former } = await world.test.get(`${path}/${id}`)
      assert.equal(former.revoked_at, session.created_at)
    }
  })

  test('a previous_token that is bad, revoked, foreign, or that of a known person is ignored', async () => {
    const known = succeeded(await world.test.post(path, { external_user_id: randomUUID() }))
    const verified = succeeded(await exchange(signed()))
    const revoked = succeeded(await publishable.post(`${path}/anonymous`, {}))
    assert.equal((await world.test.delete(`${path}/${revoked.id}`)).status, 204)
    const foreign = succeeded(await (await publishableOf(await api.world())).post(`${path}/anonymous`, {}))
    const mistyped = `${foreign.token.slice(0, -1)}!`
    for (const previous_token of [
      known.token,
      verified.token,
      revoked.token,
      foreign.token,
      mistyped,
      'x',
      null,
    ])
      succeeded(await exchange(signed(), { previous_token }))
    for (const each of [known, verified, revoked]) assert.equal((await endUserOf(each)).merged_into_id, null)
  })

  test('a replay shows the token to whoever has the JWT; the key with another JWT is refused', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const jwt = signed()
    const first = succeeded(await publishable.post(`${path}/exchange`, { jwt }, headers))
    const replay = await publishable.post(`${path}/exchange`, { jwt }, headers)
    assert.equal(replay.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(replay.body, first)
    // A publishable key is public: it must not open what is stored.
    const [stored] = await api.db.rows<{ sealed: Buffer }>(
      sql`select sealed from idempotency_keys where key like ${`%${headers['idempotency-key']}`}`,
    )
    assert.equal(unseal(publishable.key, stored!.sealed), null)
    assert.deepEqual(JSON.parse(unseal(jwt, stored!.sealed)!), first)
    const other = await publishable.post(`${path}/exchange`, { jwt: signed() }, headers)
    assert.equal(other.body.code, 'idempotency_key_reused')
    assert.deepEqual(await tablesWith(api, first.token), [])
    assert.deepEqual(await tablesWith(api, jwt), [])
  })

  test('the keys of another publishable key, and of secret keys, are other keys', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const jwt = signed()
    const first = succeeded(await publishable.post(`${path}/exchange`, { jwt }, headers))
    const other = await publishableOf(world)
    const second = succeeded(await other.post(`${path}/exchange`, { jwt }, headers))
    assert.notEqual(second.id, first.id)
    const tag = await world.test.post('/v1/tags', { name: randomUUID() }, headers)
    assert.equal(tag.status, 201)
  })

  test('the environment clock decides, not real time', async () => {
    const own = await api.world()
    const { secret } = await newKey({ algorithm: 'HS256' }, own)
    const client = await publishableOf(own)
    succeeded(await own.test.post('/v1/test_clock/advance', { seconds: 7_200 }))
    refused(await exchange(jwtOf({ alg: 'HS256' }, {}, bySecret(secret)), {}, client), 'expired')
    const later = { exp: nowSeconds() + 10_000, iat: nowSeconds() + 7_200 }
    succeeded(await exchange(jwtOf({ alg: 'HS256' }, later, bySecret(secret)), {}, client))
  })
})
