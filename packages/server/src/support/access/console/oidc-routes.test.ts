import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgedClient } from '@backline/test/forged-openid-provider.ts'
import { oidcDesk, path, publicUrl } from '@backline/test/oidc-desk.ts'
import { attemptLimiter } from '../../../platform/http/limits/attempt-limit.ts'
import { openTransactions, transactionSeconds } from '../oidc/transaction.ts'

/* Callbacks and ID tokens that no sound browser or provider sends. */

const desk = oidcDesk()

test('a sign-in asks for a code with PKCE and ends with the session', async () => {
  const response = await desk.app.inject(path)
  assert.equal(response.statusCode, 302)
  const { searchParams: query } = new URL(response.headers.location!)
  assert.equal(query.get('response_type'), 'code')
  assert.equal(query.get('client_id'), 'backline')
  assert.equal(query.get('redirect_uri'), `${publicUrl}${path}/callback`)
  assert.equal(query.get('scope'), 'openid email profile')
  assert.equal(query.get('code_challenge_method'), 'S256')
  for (const name of ['state', 'nonce', 'code_challenge']) assert.match(query.get(name)!, /^[\w-]{43}$/, name)
  assert.match(
    String(response.headers['set-cookie']),
    /^__Host-backline_oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  )
  const { state, cookie, url } = await desk.begin()
  const { headers } = await desk.callback(`?code=c&state=${state}`, cookie)
  assert.equal(headers.location, `${publicUrl}/console/`)
  assert.deepEqual(headers['set-cookie'], [
    'session=1',
    '__Host-backline_oidc=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
  ])
  assert.deepEqual(desk.signedIn, ['ada@example.com'])
  const { token, authorization } = desk.provider.seen
  assert.equal(token.get('redirect_uri'), `${publicUrl}${path}/callback`)
  assert.ok(token.has('code_verifier'))
  assert.notEqual(token.get('code_verifier'), url.searchParams.get('code_challenge'))
  const credentials = 'backline:a%2Bb%2Fc%3D%7Ed-e_f.secret'
  assert.equal(authorization, `Basic ${Buffer.from(credentials).toString('base64')}`)
})

test('the secret is in the body for a provider without client_secret_basic', async () => {
  desk.provider.replies.discovery = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
  assert.equal(await desk.attempt(), null)
  assert.equal(desk.provider.seen.token.get('client_secret'), forgedClient.clientSecret)
  assert.equal(desk.provider.seen.authorization, undefined)
})

test('a server without TLS has the port in the name of its cookie', async () => {
  desk.app = desk.server('http://127.0.0.1:8080/desk')
  const { headers } = await desk.app.inject(path)
  assert.match(
    String(headers['set-cookie']),
    /^backline_oidc_8080=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
  )
})

test('a callback without its cookie, with an altered one or with two is refused', async () => {
  const { state, cookie } = await desk.begin()
  const query = `?code=c&state=${state}`
  assert.equal(await desk.outcome(query), 'expired')
  assert.equal(await desk.outcome(query, `${cookie}; ${cookie}`), 'expired')
  const [name, value] = cookie.split('=') as [string, string]
  for (const altered of [`${value[0] === 'A' ? 'B' : 'A'}${value.slice(1)}`, value.slice(0, 20), 'x', '%00'])
    assert.equal(await desk.outcome(query, `${name}=${altered}`), 'state', altered)
  assert.deepEqual(desk.signedIn, [])
  assert.equal(await desk.outcome(query, cookie), null)
})

test('a callback of another sign-in is refused, and the sign-in can still be completed', async () => {
  const [mine, other] = [await desk.begin(), await desk.begin()]
  const { headers } = await desk.callback(`?code=c&state=${other.state}`, mine.cookie)
  assert.equal(headers.location, `${publicUrl}/console/#error=state`)
  assert.deepEqual([headers['set-cookie'] ?? []].flat(), [])
  for (const query of ['?code=c', `?code=c&state=`, '', '?code=c&state=a%00']) {
    assert.equal(await desk.outcome(query, mine.cookie), 'state', query)
  }
  assert.equal(desk.provider.seen.counts.get('/token'), undefined)
  desk.provider.replies.claims.nonce = mine.url.searchParams.get('nonce')
  assert.equal(await desk.outcome(`?code=c&state=${mine.state}`, mine.cookie), null)
})

test('a callback is accepted once', async () => {
  const { state, cookie } = await desk.begin()
  const query = `?code=c&state=${state}`
  assert.equal(await desk.outcome(query, cookie), null)
  assert.equal(await desk.outcome(query, cookie), 'expired')
  assert.equal(desk.provider.seen.counts.get('/token'), 1)
})

test('of two callbacks at the same time one is accepted', async () => {
  const { state, cookie } = await desk.begin()
  const query = `?code=c&state=${state}`
  const outcomes = await Promise.all([desk.outcome(query, cookie), desk.outcome(query, cookie)])
  assert.deepEqual(outcomes.toSorted(), ['expired', null].toSorted())
})

test('a sign-in expires after ten minutes', async () => {
  const { state, cookie } = await desk.begin()
  const start = desk.now
  desk.now = start + transactionSeconds * 1000 + 1
  assert.equal(await desk.outcome(`?code=c&state=${state}`, cookie), 'expired')
  desk.now = start + transactionSeconds * 1000
  assert.equal(await desk.outcome(`?code=c&state=${state}`, cookie), null)
})

test('a server with another secret does not take the cookie', async () => {
  const { state, cookie } = await desk.begin()
  const transactions = openTransactions(Buffer.alloc(32, 'other'), () => desk.now)
  assert.equal(transactions.take(cookie.split('=')[1]!, state), 'state')
})

test('a refusal by the person is told apart from one by the provider', async () => {
  for (const [error, code] of [
    ['access_denied', 'denied'],
    ['login_required', 'denied'],
    ['consent_required', 'denied'],
    ['server_error', 'unavailable'],
    ['temporarily_unavailable', 'unavailable'],
    ['unauthorized_client', 'unavailable'],
    ['Ada Lovelace', 'unavailable'],
  ] as const) {
    const { state, cookie } = await desk.begin()
    const description = 'ada@example.com%20said%20no'
    const query = `?error=${encodeURIComponent(error)}&error_description=${description}&state=${state}`
    assert.equal(await desk.outcome(query, cookie), code, error)
  }
  assert.ok(!desk.lines.join('').includes('ada@example.com'))
  assert.ok(!desk.lines.join('').includes('Lovelace'))
})

test('an ID token that is not of this sign-in is refused', async () => {
  for (const [what, wrong] of Object.entries({
    key: { signature: 'of another key' },
    'no signature': { signature: 'none' },
    'algorithm none': { signature: 'none', head: { alg: 'none' } },
    'algorithm HS256': { head: { alg: 'HS256' } },
    'unknown key': { head: { alg: 'ES256', kid: 'second' } },
    nonce: { claims: { nonce: 'other' } },
    'no nonce': { claims: { nonce: undefined } },
    audience: { claims: { aud: 'other' } },
    audiences: { claims: { aud: ['backline', 'other'] } },
    issuer: { claims: { iss: 'https://other.example.com' } },
    expired: { claims: { exp: 1_000_000_000 } },
    'not yet valid': { claims: { nbf: 4_000_000_000 } },
    'no subject': { claims: { sub: undefined } },
  } as const)) {
    desk.provider.reset()
    const { state, cookie } = await desk.begin()
    const claims = { ...desk.provider.replies.claims, ...('claims' in wrong ? wrong.claims : {}) }
    desk.provider.replies = { ...desk.provider.replies, ...(wrong as object), claims }
    assert.equal(await desk.outcome(`?code=c&state=${state}`, cookie), 'unavailable', what)
    assert.equal(desk.lastLine().code, 'unavailable')
    assert.ok(desk.lastLine().reason.length > 0)
  }
  assert.deepEqual(desk.signedIn, [])
  assert.ok(!desk.lines.join('').includes('ada@example.com'))
})

test('an address counts only if the provider says that it is verified', async () => {
  for (const verified of [true, 'true']) {
    desk.provider.replies.claims.email_verified = verified
    assert.equal(await desk.attempt(), null, String(verified))
  }
  for (const verified of [false, 'false', 'yes', 1, null, undefined, {}]) {
    desk.provider.replies.claims.email_verified = verified
    assert.equal(await desk.attempt(), 'not_verified', String(verified))
  }
  desk.provider.replies.claims.email_verified = true
  for (const email of [
    undefined,
    null,
    1,
    '',
    'ada',
    'a b@example.com',
    'ada\u0000@example.com',
    'ada@example.com\u007f',
    'ada@exam\u200bple.com',
    'ada\u00a0@example.com',
    '@',
    ['ada@example.com'],
    `${'a'.repeat(251)}@b.c`,
  ]) {
    desk.provider.replies.claims.email = email
    assert.equal(await desk.attempt(), 'not_verified', String(email))
  }
  assert.deepEqual(desk.signedIn, ['ada@example.com', 'ada@example.com'])
})

test('the claim of Entra means nothing at another provider', async () => {
  Object.assign(desk.provider.replies.claims, { email_verified: undefined, xms_edov: true })
  assert.equal(await desk.attempt(), 'not_verified')
})

test('claims that are not in the ID token are read at the UserInfo endpoint', async () => {
  Object.assign(desk.provider.replies.claims, { email: 'old@example.com', email_verified: undefined })
  desk.provider.replies.userInfo = { sub: 'user-1', email: 'grace@example.com', email_verified: 'true' }
  assert.equal(await desk.attempt(), null)
  desk.provider.replies.userInfo = { sub: 'user-1', email: 'grace@example.com', email_verified: false }
  assert.equal(await desk.attempt(), 'not_verified')
  desk.provider.replies.userInfo = { sub: 'user-1', email: 'grace@example.com' }
  assert.equal(await desk.attempt(), 'not_verified')
  desk.provider.replies.userInfo = { sub: 'user-2', email: 'grace@example.com', email_verified: true }
  assert.equal(await desk.attempt(), 'unavailable')
  // An ID token that denies it is not overruled.
  desk.provider.replies.userInfo = { sub: 'user-1', email: 'grace@example.com', email_verified: true }
  desk.provider.replies.claims.email_verified = false
  assert.equal(await desk.attempt(), 'not_verified')
  assert.deepEqual(desk.signedIn, ['grace@example.com'])
})

test('an address without an operator is refused', async () => {
  desk.provider.replies.claims.email = 'nobody@example.com'
  assert.equal(await desk.attempt(), 'no_operator')
  const { code, request_id } = desk.lastLine()
  assert.equal(code, 'no_operator')
  assert.ok(request_id)
  assert.ok(!desk.lines.join('').includes('nobody@example.com'))
})

test('a callback of another provider is refused, if ours names itself', async () => {
  desk.provider.replies.discovery = { authorization_response_iss_parameter_supported: true }
  for (const [iss, expected] of [
    ['', 'unavailable'],
    [`&iss=${encodeURIComponent('https://other.example.com')}`, 'unavailable'],
    [`&iss=${encodeURIComponent(desk.provider.issuer)}`, null],
  ] as const) {
    const { state, cookie } = await desk.begin()
    assert.equal(await desk.outcome(`?code=c&state=${state}${iss}`, cookie), expected, iss)
  }
})

test('a parameter that is there twice is refused', async () => {
  for (const twice of ['code=d', 'state=x', 'error=access_denied']) {
    const { state, cookie } = await desk.begin()
    assert.ok(await desk.outcome(`?code=c&state=${state}&${twice}`, cookie), twice)
  }
  assert.deepEqual(desk.signedIn, [])
})

test('callbacks with a sign-in count as attempts of their network, and others do not', async () => {
  const named = { policy: 'test', counted: 'console_sign_ins', setting: null } as const
  const attempts = attemptLimiter({ most: 2, windowSeconds: 60 }, named, () => desk.monotonic)
  desk.app = desk.server(publicUrl, 30, attempts)
  for (let i = 0; i < 3; i++) assert.equal(await desk.outcome('?code=c&state=x'), 'expired')
  const begun = await Promise.all(Array.from({ length: 4 }, desk.begin))
  const outcomes: (string | null)[] = []
  for (const { state, cookie, url } of begun.slice(0, 3)) {
    desk.provider.replies.claims.nonce = url.searchParams.get('nonce')
    outcomes.push(await desk.outcome(`?code=c&state=${state}`, cookie))
  }
  assert.deepEqual(outcomes, [null, null, 'unavailable'])
  assert.match(desk.lastLine().reason, /too many attempts/)
  assert.equal(desk.provider.seen.counts.get('/token'), 2)
  const { state, cookie, url } = begun[3]!
  desk.provider.replies.claims.nonce = url.searchParams.get('nonce')
  assert.equal(await desk.outcome(`?code=c&state=${state}`, cookie, '198.51.100.9'), null)
})

test('a sign-in is logged with its way, and without address and code', async () => {
  assert.equal(await desk.attempt(), null)
  const { msg, way, request_id } = desk.lastLine()
  assert.deepEqual([msg, way], ['console sign-in accepted', 'oidc'])
  assert.ok(request_id)
  assert.ok(!desk.lines.join('').includes('ada@example.com'))
})
