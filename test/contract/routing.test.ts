import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { before, describe, test } from 'node:test'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import { service, type World } from '../harness.ts'
import { turns } from '../thorough.ts'
import { Fixtures, pathOf, routes, titleOf, vacantIds } from './fixtures.ts'
import { publicUrl, refused, send } from './http.ts'

const patternOf = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)

/** The methods of all routes at a concrete path below /v1. */
const methodsAt = (path: string): string[] => [
  ...new Set(routes.filter((route) => patternOf(route.path).test(path)).map((route) => route.method)),
]

/** The same without the routes that have an id where the path has a word. */
const methodsOfObjects = (path: string): string[] => {
  const strict = ({ path: template, params = {} }: Route) =>
    new RegExp(
      `^${template.replace(/\{(\w+)\}/g, (_, name) => (name in params ? `${params[name]}_[^/]{26}` : '[^/]+'))}$`,
    )
  return [...new Set(routes.filter((route) => strict(route).test(path)).map((route) => route.method))]
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']

describe('unknown routes and methods', () => {
  const api = service()
  let world: World

  before(async () => {
    world = await api.world()
  })

  const [keys, readsAndWrites] = [turns(), turns()]
  for (const path of new Set(routes.map((route) => route.path))) {
    test(`405 with Allow, and without a key, for every other method: /v1${path}`, async () => {
      const route = routes.find((each) => each.path === path)!
      const concrete = pathOf(route, vacantIds(route))
      const known = methodsAt(concrete.slice('/v1'.length))
      for (const method of methods) {
        // Node's parser does not know every method, and read routes support HEAD.
        if (known.includes(method) || (method === 'HEAD' && known.includes('GET'))) continue
        for (const key of keys([null, world.test.key, 'nonsense'], 1)) {
          const answer = await send(api, { method, path: `${concrete}?nonsense=1`, key })
          assert.equal(answer.status, 405, `${method} ${concrete}`)
          const allowed = (answer.headers.get('allow') ?? '').split(', ')
          const supported = methodsOfObjects(concrete.slice('/v1'.length))
          assert.deepEqual(allowed.filter((each) => each !== 'HEAD').sort(), supported.toSorted())
          if (method !== 'HEAD') assert.deepEqual(answer.body.params.allowed.toSorted(), allowed.toSorted())
        }
      }
    })

    test(`404, without a key, beside and below: /v1${path}`, async () => {
      const route = routes.find((each) => each.path === path)!
      const concrete = pathOf(route, vacantIds(route))
      const upper = concrete.replace(/[a-z_]+$/, (segment) => segment.toUpperCase())
      for (const unknown of [
        `${concrete}/`,
        `${concrete}/nonsense`,
        `${concrete}x/y`,
        `/v1/${concrete}`,
        upper,
      ]) {
        if (methodsAt(unknown.slice('/v1'.length)).length > 0) continue
        for (const method of readsAndWrites(['GET', 'POST'], 1))
          refused(await send(api, { method, path: unknown, key: null }), 'route_not_found')
      }
    })
  }

  for (const route of routes.filter((each) => each.method === 'GET')) {
    test(`HEAD is GET without the body, with the same key: ${titleOf(route)}`, async () => {
      const { request } = await new Fixtures(api, world.test).call(route)
      const [get, head] = [await send(api, request), await send(api, { ...request, method: 'HEAD' })]
      assert.equal(head.status, 200)
      for (const name of ['content-type', 'etag', 'link'])
        assert.equal(head.headers.get(name), get.headers.get(name), name)
      assert.equal((await send(api, { ...request, method: 'HEAD', key: null })).status, 401)
    })
  }

  test('404, without a key, for paths that no version has', async () => {
    const paths = ['/v1', '/v1/', '/v1/nonsense', '/v2', '/v2/conversations', '/nonsense', '/V1/workspace']
    for (const path of [
      ...paths,
      '/v1/__proto__',
      '/v1/constructor',
      '/v1/%2e%2e/healthz',
      '/conversations',
    ]) {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
        const code = /^\/v1(\/|$)/.test(path) ? 'route_not_found' : 'not_found'
        refused(await send(api, { method, path, key: null }), code)
        refused(await send(api, { method, path: `${path}?nonsense=%ff`, key: null }), code)
      }
    }
  })

  test('404 suggests the path that was probably meant', async () => {
    const id = 'conv_01kah1vgm0e1tbm5ye8n2m9q7c'
    const suggestions: [string, string | null][] = [
      ['/conversations', '/v1/conversations'],
      ['/v1/conversation', '/v1/conversations'],
      [`/v1/conversations/${id}/mesages`, `/v1/conversations/${id}/messages`],
      ['/v1/kb/artciles', '/v1/kb/articles'],
      ['/v1/tickets', '/v1/conversations'],
      ['/v1/reservations', null],
      [`/v1/${'x'.repeat(2000)}`, null],
    ]
    for (const [path, suggestion] of suggestions) {
      const { body } = await send(api, { method: 'GET', path, key: null })
      assert.deepEqual(body.params, { suggestion }, path)
      assert.equal(body.detail.includes(`did you mean ${suggestion}?`), suggestion !== null, body.detail)
    }
  })

  test('405 on what needs no key', async () => {
    for (const path of [
      '/',
      '/guides',
      '/v1/openapi.json',
      '/healthz',
      '/readyz',
      '/problems',
      '/problems/not_found',
    ]) {
      assert.equal((await send(api, { method: 'GET', path, key: null })).status, 200, path)
      refused(await send(api, { method: 'DELETE', path, key: null }), 'method_not_allowed')
    }
  })

  test('404 and 405 come before anything is said about the body or the method', async () => {
    const bodies = ['{"no JSON"', '', 'null', `"${'x'.repeat(1024 * 1024)}"`]
    for (const type of ['application/json', 'text/plain', 'nonsense']) {
      for (const body of bodies) {
        const request = { method: 'POST', key: null, body, headers: { 'content-type': type } }
        refused(await send(api, { ...request, path: '/v1/nonsense' }), 'route_not_found')
        refused(await send(api, { ...request, path: '/v1/workspace' }), 'method_not_allowed')
      }
    }
    for (const path of new Set(routes.map((route) => pathOf(route, vacantIds(route)))))
      refused(await send(api, { method: 'QUERY', path, key: null }), 'method_not_allowed')
  })

  test('400 bad_request for broken percent-encoding in path and query', async () => {
    for (const path of ['/v1/%zz', '/v1/workspace%', '/v1/workspace?limit=%e0%a4%a', '/v1/workspace?%=1'])
      refused(await send(api, { method: 'GET', path, key: world.test.key }), 'bad_request')
  })

  test('414 for a URL over 8 KiB, 431 for a header block over 16 KiB, both in the one shape', async () => {
    const long = await send(api, { method: 'GET', path: `/v1/workspace?q=${'x'.repeat(8192)}`, key: null })
    refused({ ...long, status: 400 }, 'bad_request')
    assert.equal(long.status, 414)
    const answer = await raw(`GET /v1/workspace HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 431 /)
    assert.equal(problemIn(answer).status, 431)
  })

  const noHttp: Record<string, string> = {
    'a word': 'nonsense\r\n\r\n',
    'a header without a colon': 'GET /v1/workspace HTTP/1.1\r\nHost: x\r\nno colon here\r\n\r\n',
    'an unknown method': 'NONSENSE /v1/workspace HTTP/1.1\r\nHost: x\r\n\r\n',
    'no Host header': 'GET /v1/workspace HTTP/1.1\r\n\r\n',
    'a length that is no number': 'POST /v1/conversations HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n',
    'two kinds of framing':
      'POST /v1/conversations HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'an unknown transfer coding':
      'POST /v1/conversations HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: nonsense\r\n\r\n',
  }
  for (const [what, request] of Object.entries(noHttp)) {
    test(`400 in the one shape for what is not HTTP: ${what}`, async () => {
      const answer = await raw(request)
      assert.match(answer, /^HTTP\/1\.1 400 /)
      assert.equal(problemIn(answer).status, 400)
    })
  }

  test('an expectation that cannot be met is refused in the one shape', async () => {
    const answer = await raw('GET /v1/workspace HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\n\r\n')
    assert.match(answer, /^HTTP\/1\.1 4\d\d /)
    assert.match(String(problemIn(answer).status), /^4\d\d$/)
  })

  /** Returns all bytes that the server sends in response to these bytes. */
  function raw(bytes: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    let answer = ''
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => socket.end(bytes))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
    return promise
  }

  function problemIn(answer: string) {
    const [head] = answer.split('\r\n\r\n') as [string]
    const text = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1) // with any framing
    assert.match(head, /content-type: application\/problem\+json/i, answer)
    const body = JSON.parse(text)
    assert.equal(body.type, `${publicUrl}/problems/${body.code}`)
    assert.equal(new RegExp(`request-id: ${body.request_id}\r`, 'i').test(`${head}\r`), true, answer)
    return body
  }
})
