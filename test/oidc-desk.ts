import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import type { AttemptLimiter } from '@backline/server/platform/http/limits/attempt-limit.ts'
import { openAdmissionControl } from '@backline/server/platform/http/limits/load-shedding.ts'
import { exposeOidcSignIn } from '@backline/server/support/access/console/oidc-routes.ts'
import { openOidcProvider } from '@backline/server/support/access/oidc/provider.ts'
import { openTransactions } from '@backline/server/support/access/oidc/transaction.ts'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { type ForgedProvider, forgedClient, forgedProvider } from './forged-openid-provider.ts'

/*
 * The routes of the sign-in by OpenID Connect at a provider whose responses the tests choose. They are those of the
 * server, without its database: the session is a text.
 */

export const publicUrl = 'https://desk.example.com'
export const path = '/console/api/sign_in/oidc'
const secret = Buffer.alloc(32, 'secret')

type Begun = { url: URL; cookie: string; state: string }

/** Provides a test file with a server and a provider, which are new or reset for each test. */
export function oidcDesk() {
  const desk = {
    provider: {} as ForgedProvider,
    app: {} as FastifyInstance,
    /** The clocks of the server, in milliseconds. */
    now: Date.parse('2026-11-23T12:00:00Z'),
    monotonic: 0,
    /** The addresses that were signed in. */
    signedIn: [] as string[],
    /** The log. */
    lines: [] as string[],
    server,
    begin,
    callback,
    outcome,
    attempt,
    lastLine: () => JSON.parse(desk.lines.filter((line) => line.includes('console sign-in')).at(-1)!),
  }

  before(async () => {
    desk.provider = await forgedProvider()
  })
  after(() => desk.provider.stop())
  beforeEach(() => {
    desk.provider.reset()
    desk.signedIn = []
    desk.lines = []
    desk.app = server()
  })

  function server(
    url = publicUrl,
    timeoutSeconds = 30,
    attempts: AttemptLimiter | null = null,
  ): FastifyInstance {
    const { lines, provider } = desk
    const app = fastify({
      logger: { level: 'info', stream: { write: (line: string) => lines.push(line) } },
      logController: new LogController({ disableRequestLogging: true }),
    })
    const deps = {
      publicUrl: url,
      provider: openOidcProvider(
        { issuer: provider.issuer, ...forgedClient },
        { timeoutSeconds, monotonicMs: () => desk.monotonic },
      ),
      transactions: openTransactions(secret, () => desk.now),
      attempts,
      workload: openAdmissionControl({ warn: () => undefined }),
      signIn: async (email: string) => {
        desk.signedIn.push(email)
        return email.startsWith('nobody') ? null : { cookie: 'session=1' }
      },
    }
    void app.register(async (scope) => exposeOidcSignIn(scope, deps), { prefix: '/console/api' })
    return app
  }

  /** Begins a sign-in, whose nonce the provider then sends. */
  async function begin(): Promise<Begun> {
    const { headers } = await desk.app.inject(path)
    const url = new URL(headers.location!)
    assert.equal(url.origin, desk.provider.issuer, desk.lines.at(-1) ?? '')
    const [cookie] = [headers['set-cookie']].flat()
    desk.provider.replies.claims.nonce = url.searchParams.get('nonce')
    return { url, cookie: cookie!.split(';')[0]!, state: url.searchParams.get('state')! }
  }

  /** @param remoteAddress that of the browser */
  function callback(query: string, cookie?: string, remoteAddress = '203.0.113.7') {
    return desk.app.inject({
      url: `${path}/callback${query}`,
      remoteAddress,
      headers: cookie === undefined ? {} : { cookie },
    })
  }

  /** The code of the failure; null for a sign-in. */
  async function outcome(query: string, cookie?: string, remoteAddress?: string): Promise<string | null> {
    const { statusCode, headers } = await callback(query, cookie, remoteAddress)
    assert.equal(statusCode, 302)
    assert.equal(headers['cache-control'], 'no-store')
    const cookies = [headers['set-cookie'] ?? []].flat()
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

  return desk
}
