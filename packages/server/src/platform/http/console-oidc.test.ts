import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type ForgedProvider, forgedClient, forgedProvider } from '@backline/test/forged-openid-provider.ts'
import { until } from '@backline/test/processes.ts'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { openOidcProvider } from '../oidc/provider.ts'
import { openTransactions, transactionSeconds } from '../oidc/transaction.ts'
import { exposeOidcSignIn } from './console-oidc.ts'

/*
 * Responses that a sound provider never sends; console-oidc.system.test.ts has one. The routes are those of the server,
 * without its database: the session is a text.
 */

const publicUrl = 'https://desk.example.com'
const path = '/console/api/sign_in/oidc'
const secret = Buffer.alloc(32, 'secret')

let provider: ForgedProvider
let app: FastifyInstance
let now = Date.parse('2026-11-23T12:00:00Z')
let monotonic = 0
let signedIn: string[] = []
let lines: string[] = []

function server(url = publicUrl, timeoutSeconds = 30): FastifyInstance {
  const log = lines
  const built = fastify({
    logger: { level: 'info', stream: { write: (line: string) => log.push(line) } },
    logController: new LogController({ disableRequestLogging: true }),
  })
  exposeOidcSignIn(built, {
    publicUrl: url,
    provider: openOidcProvider(
      { issuer: provider.issuer, ...forgedClient },
      { timeoutSeconds, monotonicMs: () => monotonic },
    ),
    transactions: openTransactions(secret, () => now),
    signIn: async (email) => {
      signedIn.push(email)
      return email.startsWith('nobody') ? null : { cookie: 'session=1' }
    },
  })
  return built
}

before(async () => {
  provider = await forgedProvider()
})
after(() => provider.stop())
beforeEach(async () => {
  provider.reset()
  signedIn = []
  lines = []
  app = server()
})

type Begun = { url: URL; cookie: string; state: string }

async function begin(): Promise<Begun> {
  const { headers } = await app.inject(path)
  const url = new URL(headers.location!)
  assert.equal(url.origin, provider.issuer, lines.at(-1))
  const [cookie] = [headers['set-cookie']].flat()
  provider.replies.claims.nonce = url.searchParams.get('nonce')
  return { url, cookie: cookie!.split(';')[0]!, state: url.searchParams.get('state')! }
}

const callback = (query: string, cookie?: string) =>
  app.inject({ url: `${path}/callback${query}`, headers: cookie === undefined ? {} : { cookie } })

/** The code of the failure; null for a sign-in. */
async function outcome(query: string, cookie?: string): Promise<string | null> {
  const { statusCode, headers } = await callback(query, cookie)
  assert.equal(statusCode, 302)
  assert.equal(headers['cache-control'], 'no-store')
  const cookies = [headers['set-cookie']].flat().filter((each) => each !== undefined)
  const isSignedIn = cookies.some((each) => each.startsWith('session='))
  if (headers.location === `${publicUrl}/console/`) {
    assert.ok(isSignedIn)
    return null
  }
  assert.ok(!isSignedIn)
  const [, code] = /^https:\/\/desk\.example\.com\/console\/#error=([a-z_]+)$/.exec(headers.location!) ?? []
  return code!
}

/** A sign-in with the replies that are set. */
async function attempt(): Promise<string | null> {
  const { state, cookie } = await begin()
  return outcome(`?code=c&state=${state}`, cookie)
}

const lastLine = () => JSON.parse(lines.filter((line) => line.includes('console sign-in')).at(-1)!)

test('a sign-in asks for a code with PKCE and ends with the session', async () => {
  const response = await app.inject(path)
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
    /^__Secure-backline_oidc=[\w-]+; Path=\/console\/api\/sign_in; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  )
  const { state, cookie, url } = await begin()
  const { headers } = await callback(`?code=c&state=${state}`, cookie)
  assert.equal(headers.location, `${publicUrl}/console/`)
  assert.deepEqual(headers['set-cookie'], [
    'session=1',
    '__Secure-backline_oidc=; Path=/console/api/sign_in; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
  ])
  assert.deepEqual(signedIn, ['ada@example.com'])
  const { token, authorization } = provider.seen
  assert.equal(token.get('redirect_uri'), `${publicUrl}${path}/callback`)
  assert.ok(token.has('code_verifier'))
  assert.notEqual(token.get('code_verifier'), url.searchParams.get('code_challenge'))
  const credentials = 'backline:a%2Bb%2Fc%3D%7Ed-e_f.secret'
  assert.equal(authorization, `Basic ${Buffer.from(credentials).toString('base64')}`)
})

test('the secret is in the body for a provider without client_secret_basic', async () => {
  provider.replies.discovery = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
  assert.equal(await attempt(), null)
  assert.equal(provider.seen.token.get('client_secret'), forgedClient.clientSecret)
  assert.equal(provider.seen.authorization, undefined)
})

test('a server below a path, without TLS, has its cookie there', async () => {
  app = server('http://127.0.0.1:8080/desk')
  const { headers } = await app.inject(path)
  assert.match(
    String(headers['set-cookie']),
    /^backline_oidc=[\w-]+; Path=\/desk\/console\/api\/sign_in; Max-Age=600; HttpOnly; SameSite=Lax$/,
  )
})

test('a callback without its cookie, with an altered one or with two is refused', async () => {
  const { state, cookie } = await begin()
  const query = `?code=c&state=${state}`
  assert.equal(await outcome(query), 'expired')
  assert.equal(await outcome(query, `${cookie}; ${cookie}`), 'expired')
  const [name, value] = cookie.split('=') as [string, string]
  for (const altered of [`${value[0] === 'A' ? 'B' : 'A'}${value.slice(1)}`, value.slice(0, 20), 'x', '%00'])
    assert.equal(await outcome(query, `${name}=${altered}`), 'state', altered)
  assert.deepEqual(signedIn, [])
  assert.equal(await outcome(query, cookie), null)
})

test('a callback of another sign-in is refused, and the sign-in can still be completed', async () => {
  const [mine, other] = [await begin(), await begin()]
  const { headers } = await callback(`?code=c&state=${other.state}`, mine.cookie)
  assert.equal(headers.location, `${publicUrl}/console/#error=state`)
  assert.deepEqual([headers['set-cookie'] ?? []].flat(), [])
  for (const query of ['?code=c', `?code=c&state=`, '', '?code=c&state=a%00']) {
    assert.equal(await outcome(query, mine.cookie), 'state', query)
  }
  assert.equal(provider.seen.counts.get('/token'), undefined)
  provider.replies.claims.nonce = mine.url.searchParams.get('nonce')
  assert.equal(await outcome(`?code=c&state=${mine.state}`, mine.cookie), null)
})

test('a callback is accepted once', async () => {
  const { state, cookie } = await begin()
  const query = `?code=c&state=${state}`
  assert.equal(await outcome(query, cookie), null)
  assert.equal(await outcome(query, cookie), 'expired')
  assert.equal(provider.seen.counts.get('/token'), 1)
})

test('of two callbacks at the same time one is accepted', async () => {
  const { state, cookie } = await begin()
  const query = `?code=c&state=${state}`
  const outcomes = await Promise.all([outcome(query, cookie), outcome(query, cookie)])
  assert.deepEqual(outcomes.toSorted(), ['expired', null].toSorted())
})

test('a sign-in expires after ten minutes', async () => {
  const { state, cookie } = await begin()
  const start = now
  now = start + transactionSeconds * 1000 + 1
  assert.equal(await outcome(`?code=c&state=${state}`, cookie), 'expired')
  now = start + transactionSeconds * 1000
  assert.equal(await outcome(`?code=c&state=${state}`, cookie), null)
})

test('a server with another secret does not take the cookie', async () => {
  const { state, cookie } = await begin()
  const transactions = openTransactions(Buffer.alloc(32, 'other'), () => now)
  assert.equal(transactions.take(cookie.split('=')[1], state), 'state')
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
    const { state, cookie } = await begin()
    const description = 'ada@example.com%20said%20no'
    const query = `?error=${encodeURIComponent(error)}&error_description=${description}&state=${state}`
    assert.equal(await outcome(query, cookie), code, error)
  }
  assert.ok(!lines.join('').includes('ada@example.com'))
  assert.ok(!lines.join('').includes('Lovelace'))
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
    provider.reset()
    const { state, cookie } = await begin()
    const claims = { ...provider.replies.claims, ...('claims' in wrong ? wrong.claims : {}) }
    provider.replies = { ...provider.replies, ...(wrong as object), claims }
    assert.equal(await outcome(`?code=c&state=${state}`, cookie), 'unavailable', what)
    assert.equal(lastLine().code, 'unavailable')
    assert.ok(lastLine().reason.length > 0)
  }
  assert.deepEqual(signedIn, [])
  assert.ok(!lines.join('').includes('ada@example.com'))
})

test('an address counts only if the provider says that it is verified', async () => {
  for (const verified of [true, 'true']) {
    provider.replies.claims.email_verified = verified
    assert.equal(await attempt(), null, String(verified))
  }
  for (const verified of [false, 'false', 'yes', 1, null, undefined, {}]) {
    provider.replies.claims.email_verified = verified
    assert.equal(await attempt(), 'not_verified', String(verified))
  }
  provider.replies.claims.email_verified = true
  for (const email of [
    undefined,
    null,
    1,
    '',
    'ada',
    'a b@example.com',
    '@',
    ['ada@example.com'],
    `${'a'.repeat(251)}@b.c`,
  ]) {
    provider.replies.claims.email = email
    assert.equal(await attempt(), 'not_verified', String(email))
  }
  assert.deepEqual(signedIn, ['ada@example.com', 'ada@example.com'])
})

test('the claim of Entra means nothing at another provider', async () => {
  Object.assign(provider.replies.claims, { email_verified: undefined, xms_edov: true })
  assert.equal(await attempt(), 'not_verified')
})

test('claims that are not in the ID token are read at the UserInfo endpoint', async () => {
  Object.assign(provider.replies.claims, { email: 'old@example.com', email_verified: undefined })
  provider.replies.userInfo = { sub: 'user-1', email: 'grace@example.com', email_verified: 'true' }
  assert.equal(await attempt(), null)
  provider.replies.userInfo = { sub: 'user-1', email: 'grace@example.com', email_verified: false }
  assert.equal(await attempt(), 'not_verified')
  provider.replies.userInfo = { sub: 'user-1', email: 'grace@example.com' }
  assert.equal(await attempt(), 'not_verified')
  provider.replies.userInfo = { sub: 'user-2', email: 'grace@example.com', email_verified: true }
  assert.equal(await attempt(), 'unavailable')
  // An ID token that denies it is not overruled.
  provider.replies.userInfo = { sub: 'user-1', email: 'grace@example.com', email_verified: true }
  provider.replies.claims.email_verified = false
  assert.equal(await attempt(), 'not_verified')
  assert.deepEqual(signedIn, ['grace@example.com'])
})

test('an address without an operator is refused', async () => {
  provider.replies.claims.email = 'nobody@example.com'
  assert.equal(await attempt(), 'no_operator')
  const { code, request_id } = lastLine()
  assert.equal(code, 'no_operator')
  assert.ok(request_id)
  assert.ok(!lines.join('').includes('nobody@example.com'))
})

test('responses that no provider sends are an outage, without their text in the log', async () => {
  for (const [status, body, code] of [
    [400, '{"error":"invalid_grant","error_description":"ada@example.com"}', 'expired'],
    [401, '{"error":"invalid_client"}', 'unavailable'],
    [500, 'ada@example.com', 'unavailable'],
    [200, 'ada@example.com', 'unavailable'],
    [200, '{}', 'unavailable'],
    [200, '{"access_token":"a","token_type":"Bearer"}', 'unavailable'],
    [200, '{"access_token":"a","token_type":"Bearer","id_token":"ada@example.com"}', 'unavailable'],
    [200, `{"a":"${'a'.repeat(2 ** 20)}"}`, 'unavailable'],
    [302, '', 'unavailable'],
  ] as const) {
    const { state, cookie } = await begin()
    provider.replies.token = { status, body }
    assert.equal(await outcome(`?code=c&state=${state}`, cookie), code, body.slice(0, 80))
    provider.replies.token = null
  }
  assert.match(lines.join(''), /401 invalid_client/)
  assert.match(lines.join(''), /more than 1048576 bytes/)
  assert.ok(!lines.join('').includes('ada@example.com'))
  assert.ok(!lines.join('').includes(forgedClient.clientSecret))
})

test('a discovery document that cannot be used is an outage', async () => {
  for (const discovery of [
    { issuer: 'https://other.example.com' },
    { authorization_endpoint: undefined },
    { authorization_endpoint: 'javascript:alert(1)' },
    { token_endpoint: 'nothing' },
    { jwks_uri: undefined },
    { x: 'a'.repeat(2 ** 20) },
  ]) {
    provider.replies.discovery = discovery
    const { statusCode, headers } = await server().inject(path)
    assert.equal(statusCode, 302)
    assert.equal(
      headers.location,
      `${publicUrl}/console/#error=unavailable`,
      JSON.stringify(discovery).slice(0, 80),
    )
  }
})

test('a provider that is away is asked again after a second, and found when it is back', async () => {
  await provider.stop()
  const { headers } = await app.inject(path)
  assert.equal(headers.location, `${publicUrl}/console/#error=unavailable`)
  assert.match(lastLine().reason, /^fetch failed: /)
  await provider.restart()
  assert.match((await app.inject(path)).headers.location!, /#error=unavailable$/)
  monotonic += 1_001
  assert.equal(await attempt(), null)
})

test('discovery is read once for many sign-ins, and again after ten minutes or a failure', async () => {
  const reads = () => provider.seen.counts.get('/.well-known/openid-configuration')
  await Promise.all([begin(), begin(), begin()])
  assert.equal(await attempt(), null)
  assert.equal(reads(), 1)
  monotonic += 600_001
  assert.equal(await attempt(), null)
  assert.equal(reads(), 2)
  provider.replies.token = { status: 500, body: '' }
  assert.equal(await attempt(), 'unavailable')
  provider.replies.token = null
  assert.equal(await attempt(), null)
  assert.equal(reads(), 3)
})

test('a provider that goes away during a sign-in is an outage', async () => {
  const { state, cookie } = await begin()
  await provider.stop()
  assert.equal(await outcome(`?code=c&state=${state}`, cookie), 'unavailable')
  await provider.restart()
  assert.equal(await attempt(), null)
})

test('a provider that does not respond is an outage after a while', async () => {
  app = server(publicUrl, 0.5)
  const { state, cookie } = await begin()
  provider.replies.silent = ['/token']
  assert.equal(await outcome(`?code=c&state=${state}`, cookie), 'unavailable')
  assert.match(lastLine().reason, /timed out/)
})

test('at most 20 sign-ins wait for the provider', async () => {
  const begun = await Promise.all(Array.from({ length: 21 }, begin))
  provider.replies.silent = ['/token']
  const first = begun.slice(0, 20).map(({ state, cookie }) => outcome(`?code=c&state=${state}`, cookie))
  await until('all are sent', () => provider.seen.counts.get('/token') === 20)
  const { state, cookie } = begun[20]!
  assert.equal(await outcome(`?code=c&state=${state}`, cookie), 'unavailable')
  assert.match(lastLine().reason, /20 sign-ins/)
  await provider.stop()
  assert.deepEqual(new Set(await Promise.all(first)), new Set(['unavailable']))
  await provider.restart()
})
