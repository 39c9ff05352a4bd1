import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import type { Credential } from '@backline/server/support/vocabulary/credentials.ts'
import { credentialFor } from '@backline/server/support/vocabulary/credentials.ts'
import { pino } from 'pino'
import { succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { vacantRequest } from './faults.ts'
import { allRoutes, routes, titleOf } from './fixtures.ts'
import { type Request, refused, type Sent, send, describe as show } from './http.ts'
import { keyWith } from './keys.ts'

/*
 * Each route takes one credential, and answers all others alike. Routes of secret keys have suites of their own, which
 * fixtures.ts gives them; routes of other credentials are covered here.
 */

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const api = service({ log })
let world: World
const credentials: Record<Credential, string> = {
  secret_key: '',
  publishable_key: '',
  end_user_token: '',
}
const kinds = Object.keys(credentials) as Credential[]
/** Routes of other credentials. A route without any is covered by the tests of its resource. */
const others = allRoutes.filter((route) => route.scope === undefined && credentialFor(route) !== 'none')
const origin = 'https://shop.example.com'

const newToken = async (): Promise<string> => {
  const body = { external_user_id: randomUUID() }
  return succeeded(await world.test.post('/v1/end_user_sessions', body)).token
}

const vacant = (route: Route, key: string | null): Request => ({ ...vacantRequest(route, ''), key })

/** True unless the response refuses the credential. */
const isLetIn = ({ status, body }: Sent) => status !== 401 && body?.code !== 'scope_missing'

describe('credentials', () => {
  before(async () => {
    world = await api.world()
    const { test } = world
    const page = { name: 'Page', kind: 'publishable', allowed_origins: [origin] }
    credentials.secret_key = (await keyWith(api, world.environments.test, { scopes: ['*'] })).key
    credentials.publishable_key = succeeded(await test.post('/v1/api_keys', page)).secret
    credentials.end_user_token = await newToken()
  })

  describe('credential by route', () => {
    test('all kinds of routes are there', () => {
      assert.ok(routes.length > 100)
      assert.deepEqual(new Set(others.map(credentialFor)), new Set(['publishable_key', 'end_user_token']))
      const open = allRoutes.filter((route) => credentialFor(route) === 'none')
      assert.deepEqual(open.map(({ name }) => name).sort(), ['getEmailedFile', 'getKbArticleFile'])
      assert.equal(routes.length + others.length + open.length, allRoutes.length)
    })

    for (const route of [...routes, ...others]) {
      const taken = credentialFor(route)

      test(`takes ${taken}, and refuses others with 403, none with 401: ${titleOf(route)}`, async () => {
        for (const kind of kinds.filter((each) => each !== taken)) {
          const answer = await send(api, vacant(route, credentials[kind]))
          refused(answer, 'scope_missing')
          assert.deepEqual(answer.body.params, {
            ...(route.scope ? { scope: route.scope } : {}),
            credential: taken,
            presented: kind,
          })
        }
        refused(await send(api, vacant(route, null)), 'api_key_missing')
        if (taken === 'secret_key') {
          const { key } = await keyWith(api, world.environments.test, { scopes: ['*'] })
          const answer = await send(api, vacant(route, key))
          assert.ok(isLetIn(answer), show(answer))
        }
      })
    }

    test('a mistyped credential of any kind is 401 on every route', async () => {
      const spoilt = (text: string) => text.slice(0, -1) + (text.endsWith('x') ? 'y' : 'x')
      for (const route of [routes[0]!, ...others])
        for (const kind of kinds) {
          const answer = await send(api, vacant(route, spoilt(credentials[kind])))
          refused(answer, kind === 'secret_key' ? 'api_key_invalid' : 'identity_invalid')
          if (kind !== 'secret_key') assert.deepEqual(answer.body.params, { reason: 'malformed' })
        }
    })

    for (const route of others) {
      test(`lets its own credential in: ${titleOf(route)}`, async () => {
        const key = credentialFor(route) === 'end_user_token' ? await newToken() : credentials.publishable_key
        const answer = await send(api, vacant(route, key))
        assert.ok(isLetIn(answer), show(answer))
      })
    }
  })

  describe('publishable keys', () => {
    const start = (headers: Request['headers'], key = credentials.publishable_key) =>
      send(api, {
        method: 'POST',
        path: '/v1/end_user_sessions/anonymous',
        key,
        body: {},
        ...(headers ? { headers } : {}),
      })

    test('403 from an origin that the key does not name; let in without an Origin', async () => {
      assert.equal((await start({ origin })).status, 201)
      assert.equal((await start({ origin: origin.toUpperCase() })).status, 201)
      assert.equal((await start({})).status, 201)
      for (const other of [
        'null',
        'https://evil.example',
        `${origin}:444`,
        `${origin}.evil.example`,
        `http://${origin.slice(8)}`,
      ]) {
        const answer = await start({ origin: other })
        refused(answer, 'origin_not_allowed')
        assert.deepEqual(answer.body.params, { origin: other })
      }
    })

    test('a key without origins lets no page in', async () => {
      const body = { name: 'Server', kind: 'publishable' }
      const { secret } = succeeded(await world.test.post('/v1/api_keys', body))
      assert.equal((await start({}, secret)).status, 201)
      refused(await start({ origin }, secret), 'origin_not_allowed')
    })

    test('401 identity_invalid once revoked or expired, and for one that does not exist', async () => {
      const expires_at = new Date(api.now() + 1_000).toISOString()
      const body = { name: 'Page', kind: 'publishable' }
      const revoked = succeeded(await world.test.post('/v1/api_keys', body))
      assert.equal((await start({}, revoked.secret)).status, 201)
      assert.equal((await world.test.delete(`/v1/api_keys/${revoked.id}`)).status, 204)
      const brief = succeeded(await world.test.post('/v1/api_keys', { ...body, expires_at }))
      await sleep(1_000)
      for (const [key, reason] of [
        [revoked.secret, 'revoked'],
        [brief.secret, 'expired'],
        [credentials.publishable_key.replace('bkl_pub', 'bkl_pud'), 'malformed'],
      ]) {
        const answer = await start({}, key)
        refused(answer, 'identity_invalid')
        assert.deepEqual(answer.body.params, { reason })
      }
    })
  })

  describe('CORS', () => {
    const corsHeaders = (answer: Sent) =>
      [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))

    /** Headers of section 1 of the contract, which a page may read. */
    const read = [
      'Request-Id',
      'ETag',
      'Location',
      'Link',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'Idempotent-Replayed',
      'Original-Request-Id',
      'Sunset',
      'Deprecation',
    ]

    for (const path of new Set(others.map((each) => each.path))) {
      const route = others.find((each) => each.path === path)!
      const { path: concrete } = vacantRequest(route, '')
      const methods = others.filter((each) => each.path === path).map(({ method }) => method)

      test(`any origin may call it, and read its errors: /v1${path}`, async () => {
        const preflight = await send(api, {
          method: 'OPTIONS',
          path: concrete,
          key: null,
          headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
        })
        assert.equal(preflight.status, 204)
        const listed = (name: string) => preflight.headers.get(`access-control-${name}`)!.split(', ')
        for (const method of methods) assert.ok(listed('allow-methods').includes(method))
        assert.deepEqual(listed('allow-headers').slice(0, 7), [
          'Authorization',
          'Content-Type',
          'Idempotency-Key',
          'If-Match',
          'If-None-Match',
          'Last-Event-ID',
          'Accept',
        ])
        const good = credentials[credentialFor(route) as Credential]
        const requests: Request[] = [
          vacant(route, null),
          vacant(route, credentials.secret_key),
          { ...vacant(route, good), headers: { accept: 'text/csv' } },
          { ...vacant(route, good), path: `${concrete}?nonsense=1` },
          { ...vacant(route, good), path: `${concrete}?${'x'.repeat(9_000)}` },
          { ...vacant(route, good), method: 'TRACE', body: undefined },
          { ...vacant(route, good), body: '{' },
          vacant(route, credentialFor(route) === 'end_user_token' ? await newToken() : good),
        ]
        for (const request of requests) {
          const answer = await send(api, request)
          assert.equal(answer.headers.get('access-control-allow-origin'), '*', show(answer))
          assert.equal(answer.headers.has('access-control-allow-credentials'), false)
          const exposed = answer.headers.get('access-control-expose-headers')!.split(', ')
          for (const name of read) assert.ok(exposed.includes(name), name)
          assert.equal(answer.headers.has('set-cookie'), false)
        }
      })
    }

    for (const path of new Set(routes.map((each) => each.path))) {
      test(`no origin may call it: /v1${path}`, async () => {
        const route = routes.find((each) => each.path === path)!
        const headers = { origin, 'access-control-request-method': route.method }
        const { path: concrete } = vacantRequest(route, '')
        const preflight = await send(api, { method: 'OPTIONS', path: concrete, key: null, headers })
        assert.deepEqual([preflight.status, corsHeaders(preflight)], [405, []])
        const answer = await send(api, { ...vacant(route, credentials.secret_key), headers: { origin } })
        assert.deepEqual(corsHeaders(answer), [])
      })
    }
  })

  describe('a token in a query string', () => {
    test('is refused like any unknown parameter, on every route, and never logged', async () => {
      const token = await newToken()
      for (const route of others) {
        const taken = credentialFor(route)
        const { path } = vacantRequest(route, '')
        const bare = await send(api, { ...vacant(route, null), path: `${path}?token=${token}` })
        refused(bare, 'api_key_missing')
        const key = taken === 'end_user_token' ? token : credentials.publishable_key
        for (const name of ['token', 'access_token', token]) {
          const answer = await send(api, { ...vacant(route, key), path: `${path}?${name}=${token}` })
          refused(answer, 'invalid_query')
          assert.ok(!answer.text.includes(`=${token}`) && answer.body.instance === path)
        }
      }
      await sleep(50)
      assert.ok(lines.length > others.length)
      assert.ok(lines.every((line) => !line.includes(token)))
    })
  })
})
