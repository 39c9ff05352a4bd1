import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { cursorSecret } from '@backline/server/compose/bootstrap.ts'
import { openTransactions, transactionSeconds } from '@backline/server/support/access/oidc/transaction.ts'
import { pino } from 'pino'
import { browserOf, consolePath } from './console.ts'
import { urlOf } from './databases.ts'
import { succeeded } from './desk.ts'
import { type Another, service, type World } from './harness.ts'
import {
  isProviderInstalled,
  type ProviderSettings,
  startProvider,
  visitProvider,
} from './openid-provider.ts'
import { cleanUp, freePort, type ServerProcess, startServer, until } from './processes.ts'

/*
 * Operators sign in at oidc-provider, as browsers do: the server sends them there, its forms are filled in, and the
 * server receives the callback. Responses that it never sends are in console-oidc.test.ts.
 */

const skip = isProviderInstalled ? false : 'tools/oidc-provider is not installed'
if (process.env.CI && skip) throw new Error(skip)

const publicUrl = 'https://desk.example.com'
const settings: ProviderSettings = {
  port: 0,
  clientId: 'backline',
  clientSecret: 'a+b/c=~d-e_f.secret',
  authentication: 'client_secret_basic',
  redirectUri: `${publicUrl}${consolePath}/sign_in/oidc/callback`,
  claimsInIdToken: false,
}
const environment = {
  BACKLINE_PUBLIC_URL: publicUrl,
  BACKLINE_SESSIONS_PER_MINUTE: '0',
  BACKLINE_OIDC_ISSUER: '',
  BACKLINE_OIDC_CLIENT_ID: settings.clientId,
  BACKLINE_OIDC_CLIENT_SECRET: settings.clientSecret,
}
let lines: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })

describe('a sign-in at oidc-provider', { concurrency: 1, skip }, () => {
  before(async () => {
    settings.port = await freePort()
    environment.BACKLINE_OIDC_ISSUER = `http://127.0.0.1:${settings.port}`
  })
  const api = service({ environment, log })

  let provider: ServerProcess
  let world: World
  let workspace: string

  before(async () => {
    provider = await startProvider(settings)
    world = await api.world()
    workspace = succeeded(await world.live.get('/v1/workspace')).name
  })
  beforeEach(() => {
    lines = []
  })
  after(cleanUp)

  const newOperator = async (email: string) => {
    const person = { name: 'Ada', email, role: 'agent' }
    return succeeded(await world.test.post('/v1/operators', person))
  }

  type Begun = { authorizationUrl: string; cookie: string }

  async function begin(server: { url: string } = api): Promise<Begun> {
    const response = await fetch(`${server.url}${consolePath}/sign_in/oidc`, { redirect: 'manual' })
    assert.equal(response.status, 302)
    const [cookie = ''] = response.headers.get('set-cookie')!.split(';')
    return { authorizationUrl: response.headers.get('location')!, cookie }
  }

  type End = { location: string; session: string | null; cookies: string[] }

  /** What the browser does with the address that the provider sends it to. */
  async function finish(callback: URL, cookie: string, server: { url: string } = api): Promise<End> {
    assert.equal(callback.origin + callback.pathname, settings.redirectUri)
    const response = await fetch(`${server.url}${callback.pathname}${callback.search}`, {
      headers: { cookie, 'user-agent': 'Browser/1.0' },
      redirect: 'manual',
    })
    assert.equal(response.status, 302)
    const cookies = response.headers.getSetCookie()
    const session = cookies.find((each) => each.startsWith('__Host-backline_console='))?.split(';')[0]
    return { location: response.headers.get('location')!, session: session ?? null, cookies }
  }

  async function signIn(email: string | null, server: { url: string } = api): Promise<End> {
    const { authorizationUrl, cookie } = await begin(server)
    return finish(await visitProvider(authorizationUrl, email), cookie, server)
  }

  function assertRefused({ location, session }: End, code: string): void {
    assert.equal(location, `${publicUrl}/console/#error=${code}`, lines.join(''))
    assert.equal(session, null)
  }

  test('an operator signs in', async () => {
    const email = `${randomUUID()}@example.com`
    const operator = await newOperator(email)
    const { location, session, cookies } = await signIn(email.toUpperCase())
    assert.equal(location, `${publicUrl}/console/`, lines.join(''))
    assert.match(cookies[0]!, /; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/)
    assert.match(cookies[1]!, /^__Host-backline_oidc=; Path=\/; Max-Age=0; /)
    const browser = browserOf(api, session!)
    const { body } = await browser.send('GET', `${consolePath}/session`)
    assert.equal(body.environments.test.operator.id, operator.id)
    assert.equal(body.environments.live, null)
    const sessions = await world.test.get(`/v1/console_sessions?operator_id=${operator.id}`)
    const [{ created_by, user_agent }] = succeeded(sessions).data
    assert.equal(created_by, 'oidc')
    assert.equal(user_agent, 'Browser/1.0')
  })

  test('the console learns that there is a provider', async () => {
    const methods = async ({ url }: { url: string }) =>
      (await (await fetch(`${url}${consolePath}/sign_in`)).json()) as { methods: { oidc: boolean } }
    assert.deepEqual((await methods(api)).methods, { oidc: true })
    const without = await api.another()
    assert.deepEqual((await methods(without)).methods, { oidc: false })
    assert.equal((await fetch(`${without.url}${consolePath}/sign_in/oidc`)).status, 404)
    await without.stop()
  })

  test('another server of the installation completes a sign-in', async () => {
    const email = `${randomUUID()}@example.com`
    await newOperator(email)
    const other = await api.another({ environment, log })
    const { authorizationUrl, cookie } = await begin()
    const callback = await visitProvider(authorizationUrl, email)
    assert.equal((await finish(callback, cookie, other)).location, `${publicUrl}/console/`)
    // This server has not seen the callback, and the provider refuses the code.
    assertRefused(await finish(callback, cookie), 'expired')
    assert.match(lines.join(''), /invalid_grant/)
    await other.stop()
  })

  test('a callback is accepted once', async () => {
    const email = `${randomUUID()}@example.com`
    await newOperator(email)
    const { authorizationUrl, cookie } = await begin()
    const callback = await visitProvider(authorizationUrl, email)
    assert.ok((await finish(callback, cookie)).session)
    assertRefused(await finish(callback, cookie), 'expired')
  })

  test('a callback with the state of another sign-in is refused', async () => {
    const email = `${randomUUID()}@example.com`
    await newOperator(email)
    const [first, second] = [await begin(), await begin()]
    const callback = await visitProvider(first.authorizationUrl, email)
    assertRefused(await finish(callback, second.cookie), 'state')
    assertRefused(await finish(callback, ''), 'expired')
    assertRefused(await finish(callback, `${first.cookie}A`), 'state')
    assert.ok((await finish(callback, first.cookie)).session)
  })

  test('a sign-in expires after ten minutes', async () => {
    const email = `${randomUUID()}@example.com`
    await newOperator(email)
    const { authorizationUrl, cookie } = await begin()
    const callback = await visitProvider(authorizationUrl, email)
    api.advance(transactionSeconds + 1)
    assertRefused(await finish(callback, cookie), 'expired')
    api.advance(-transactionSeconds - 1)
    assert.ok((await finish(callback, cookie)).session)
  })

  test('the provider holds the server to PKCE', async () => {
    const email = `${randomUUID()}@example.com`
    await newOperator(email)
    const { authorizationUrl, cookie } = await begin()
    const plain = new URL(authorizationUrl)
    plain.searchParams.delete('code_challenge')
    plain.searchParams.delete('code_challenge_method')
    const refusal = await visitProvider(plain.href, email)
    assert.match(refusal.searchParams.get('error_description')!, /PKCE/)
    assertRefused(await finish(refusal, cookie), 'unavailable')
    const other = await begin()
    const callback = await visitProvider(other.authorizationUrl, email)
    const transactions = openTransactions(await cursorSecret(api.db), api.now)
    const [name, sealed] = other.cookie.split('=') as [string, string]
    const proof = transactions.take(sealed, callback.searchParams.get('state'))
    assert.ok(typeof proof === 'object')
    const forged = transactions.seal({ ...proof, verifier: 'v'.repeat(43) })
    assertRefused(await finish(callback, `${name}=${forged}`), 'expired')
    assert.match(lines.join(''), /invalid_grant/)
  })

  test('somebody who cancels is not signed in', async () => {
    assertRefused(await signIn(null), 'denied')
  })

  test('an address that the provider does not vouch for is refused', async () => {
    for (const kind of ['unverified', 'silent']) {
      const email = `${kind}-${randomUUID()}@example.com`
      await newOperator(email)
      assertRefused(await signIn(email), 'not_verified')
      assert.ok(!lines.join('').includes(email))
    }
    const email = `text-${randomUUID()}@example.com`
    await newOperator(email)
    assert.ok((await signIn(email)).session)
  })

  test('an address without an operator, or with an archived one, is refused', async () => {
    const email = `${randomUUID()}@example.com`
    assertRefused(await signIn(email), 'no_operator')
    const { id } = await newOperator(email)
    assert.ok((await signIn(email)).session)
    succeeded(await world.test.patch(`/v1/operators/${id}`, { archived: true }))
    assertRefused(await signIn(email), 'no_operator')
    assert.ok(!lines.join('').includes(email))
    assert.match(lines.at(-1)!, /"request_id":"req_\w+","way":"oidc","code":"no_operator"/)
  })

  /** Starts a server on the same database with other settings. */
  async function withServer(other: Record<string, string>, work: (server: Another) => Promise<void>) {
    const server = await api.another({ environment: { ...environment, ...other }, log })
    try {
      await work(server)
    } finally {
      await server.stop()
    }
  }

  /** Tests after the one of several workspaces name theirs. */
  const named = () => ({ BACKLINE_OIDC_WORKSPACE: workspace })

  test('operators sign in to the workspace that the settings name', async () => {
    const email = `${randomUUID()}@example.com`
    await newOperator(email)
    const other = await api.world()
    const { name } = succeeded(await other.live.get('/v1/workspace'))
    assertRefused(await signIn(email), 'unavailable')
    assert.match(lines.join(''), /set BACKLINE_OIDC_WORKSPACE/)
    await withServer(named(), async (server) => {
      assert.ok((await signIn(email, server)).session)
    })
    await withServer({ BACKLINE_OIDC_WORKSPACE: name }, async (server) => {
      assertRefused(await signIn(email, server), 'no_operator')
    })
    await withServer({ BACKLINE_OIDC_WORKSPACE: 'nowhere' }, async (server) => {
      assertRefused(await signIn(email, server), 'unavailable')
    })
  })

  test('a wrong client secret is an outage, and is not in the log', async () => {
    const email = `${randomUUID()}@example.com`
    await newOperator(email)
    const wrong = { BACKLINE_OIDC_CLIENT_SECRET: 'wrong-secret', ...named() }
    await withServer(wrong, async (server) => assertRefused(await signIn(email, server), 'unavailable'))
    assert.match(lines.join(''), /rejected the client's ID, secret or token with 401/)
    assert.ok(!lines.join('').includes('wrong-secret'))
  })

  test('the secret and the claims may travel otherwise', async () => {
    const email = `${randomUUID()}@example.com`
    await newOperator(email)
    const port = await freePort()
    const other = { ...settings, port, authentication: 'client_secret_post', claimsInIdToken: true } as const
    await startProvider(other)
    await withServer({ BACKLINE_OIDC_ISSUER: `http://127.0.0.1:${port}`, ...named() }, async (server) => {
      assert.ok((await signIn(email, server)).session)
    })
  })

  test('a provider that is away keeps nobody from anything else', async () => {
    const email = `${randomUUID()}@example.com`
    await newOperator(email)
    const { authorizationUrl, cookie } = await begin()
    const callback = await visitProvider(authorizationUrl, email)
    await provider.stop('SIGKILL')
    assertRefused(await finish(callback, cookie), 'unavailable')
    const alone = await startServer({
      environment: { ...environment, ...named(), DATABASE_URL: urlOf(api.connection) },
    })
    const begun = await begin(alone)
    assert.equal(begun.authorizationUrl, `${publicUrl}/console/#error=unavailable`)
    provider = await startProvider(settings)
    const { session } = await until('a sign-in succeeds', async () => {
      const again = await begin(alone)
      return again.authorizationUrl.startsWith(publicUrl) ? null : signIn(email, alone)
    })
    assert.ok(session, alone.output)
    await alone.stop()
    assert.match(alone.stdout, /"code":"unavailable","reason":"fetch failed: /)
    for (const secret of [email, settings.clientSecret]) assert.ok(!alone.output.includes(secret))
  })
})
