import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import { service, type World } from '../harness.ts'
import { part, turns } from '../thorough.ts'
import { faultsOf, vacantRequest } from './faults.ts'
import { allRoutes, Fixtures, listRoutes, readRoutes, routes, titleOf, writeRoutes } from './fixtures.ts'
import { type Sent, send, describe as show } from './http.ts'
import { keysWithout } from './keys.ts'
import { querySchemaOf, strictAjv } from './schemas.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is what is being examined
type Json = any

/** The headers of the contract; a response may only send documented ones. */
const contractHeaders = [
  'request-id',
  'ratelimit',
  'ratelimit-policy',
  'etag',
  'location',
  'link',
  'idempotent-replayed',
  'original-request-id',
  'retry-after',
  'www-authenticate',
  'sunset',
  'deprecation',
]

describe('the OpenAPI document', () => {
  const api = service({ environment: { BACKLINE_RATE_LIMIT_PER_SECOND: '100000' } })
  let world: World
  let fixtures: Fixtures
  let document: Json
  let ajv: Ajv2020
  const keyWithout = keysWithout(api, () => world)

  before(async () => {
    world = await api.world()
    fixtures = new Fixtures(api, world.test)
    document = (await send(api, { method: 'GET', path: '/v1/openapi.json', key: null })).body
    ajv = strictAjv()
  })

  /** Resolves a reference; returns any other part unchanged. */
  const resolve = (part: Json): Json => (part?.$ref ? resolve(named(part.$ref)) : part)
  const named = (reference: string): Json =>
    reference
      .slice('#/'.length)
      .split('/')
      .reduce((inside: Json, name) => inside[name.replaceAll('~1', '/').replaceAll('~0', '~')], document)
  /** Resolves all references within a part of the document. */
  const whole = (part: Json): Json => {
    const resolved = resolve(part)
    if (Array.isArray(resolved)) return resolved.map(whole)
    if (resolved === null || typeof resolved !== 'object') return resolved
    return Object.fromEntries(Object.entries(resolved).map(([name, member]) => [name, whole(member)]))
  }
  const operationOf = (route: Route): Json => document.paths[`/v1${route.path}`]?.[route.method.toLowerCase()]

  const someFaults = turns()
  const compiled = new Map<Json, ValidateFunction>()
  function assertValid(value: unknown, schema: Json, what: string): void {
    assert.ok(schema, what)
    const validate = compiled.get(schema) ?? ajv.compile(whole(schema))
    compiled.set(schema, validate)
    assert.ok(validate(value), `${what}\n${JSON.stringify(validate.errors)}`)
  }

  /** Asserts that the document contains this response: its status, code, headers and the schema of its body. */
  function assertDescribed(route: Route, answer: Sent): void {
    const status = String(answer.status)
    const what = `${titleOf(route)}: ${show(answer)}`
    const declared = operationOf(route).responses[status]
    assert.ok(declared, `${status} is not described: ${what}`)
    const response = resolve(declared)
    const names = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase())
    for (const name of contractHeaders)
      if (answer.headers.has(name)) assert.ok(names.includes(name), `${name} is not described: ${what}`)
    if (answer.text === '') {
      assert.equal(response.content, undefined, what)
      return
    }
    if (answer.status >= 400)
      assert.match(
        JSON.stringify(response),
        new RegExp(`\\b${answer.body.code}\\b`),
        `${answer.body.code} is not described: ${what}`,
      )
    const type = answer.headers.get('content-type')!.split(';')[0]!
    assertValid(answer.body, response.content[type]?.schema, what)
  }

  test('has every route, once, and below /v1 nothing else but itself', () => {
    const described = Object.entries<Json>(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter((method) => method !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
    const versioned = described.filter((title) => title.includes(' /v1/') && title !== 'GET /v1/openapi.json')
    assert.deepEqual(versioned.toSorted(), allRoutes.map(titleOf).toSorted())
    const ids = Object.values<Json>(document.paths).flatMap((path) =>
      Object.values<Json>(path).map((each) => each.operationId),
    )
    assert.equal(new Set(ids).size, ids.length)
  })

  test('refers to nothing that is not there', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, reference]) => reference!,
    )
    assert.ok(references.length > 0)
    for (const reference of references) assert.ok(named(reference), reference)
  })

  for (const route of routes) {
    const title = titleOf(route)

    test(`tells every parameter and header that a request may have: ${title}`, () => {
      const operation = operationOf(route)
      assert.equal(operation.operationId, route.name)
      assert.ok(operation.summary)
      const parameters: Json[] = operation.parameters.map(resolve)
      const names = (place: string) => parameters.filter((each) => each.in === place).map((each) => each.name)
      assert.deepEqual(names('path'), [
        ...Object.keys(route.params ?? {}),
        ...Object.keys(route.texts?.properties ?? {}),
      ])
      assert.deepEqual(names('query').toSorted(), Object.keys(querySchemaOf(route).properties!).toSorted())
      const headers = names('header')
      assert.ok(headers.includes('Backline-Operator'))
      assert.equal(headers.includes('Idempotency-Key'), route.kind === 'write')
      const key = parameters.find((each) => each.name === 'Idempotency-Key')
      assert.equal(key?.required ?? false, route.method === 'POST')
      const hasTag =
        (route.createsOrChanges === true && route.method === 'PUT') ||
        readRoutes.some((read) => read.versionOf && `${route.path}/`.startsWith(`${read.path}/`))
      if (route.kind === 'write') assert.equal(headers.includes('If-Match'), hasTag, 'If-Match')
      const showsTag =
        (route.kind === 'read' && route.versionOf !== null) ||
        route.kind === 'content' ||
        route.dated === true
      assert.equal(headers.includes('If-None-Match'), showsTag)
    })

    test(`has valid examples: ${title}`, () => {
      const operation = operationOf(route)
      assert.equal(operation.requestBody !== undefined, (route.body ?? route.bytes) !== undefined)
      for (const content of Object.values<Json>(resolve(operation.requestBody)?.content ?? {}))
        assertValid(content.example, content.schema, 'request')
      const content = resolve(operation.responses[route.status]).content?.[
        route.mediaType ?? 'application/json'
      ]
      assert.equal(content !== undefined, route.reply !== null || route.kind === 'content')
      if (content) assertValid(content.example, content.schema, 'response')
    })

    test(`describes what a refused request gets: ${title}`, async () => {
      const key = await keyWithout(route.scope)
      for (const fault of someFaults(faultsOf(route), 2))
        assertDescribed(route, await send(api, fault.spoil(vacantRequest(route, fixtures.key), route, key)!))
      if (route.params) assertDescribed(route, await send(api, vacantRequest(route, fixtures.key)))
    })
  }

  for (const route of part([...readRoutes, ...writeRoutes])) {
    test(`describes what a request gets that is carried out: ${titleOf(route)}`, async () => {
      const call = await fixtures.call(route)
      const headers = {
        ...call.request.headers,
        ...(route.kind === 'write' ? { 'idempotency-key': randomUUID() } : {}),
      }
      const first = await send(api, { ...call.request, headers })
      assert.equal(first.status, route.status, show(first))
      assertDescribed(route, first)
      const etag = first.headers.get('etag')
      if (route.kind === 'read') {
        if (etag)
          assertDescribed(route, await send(api, { ...call.request, headers: { 'if-none-match': etag } }))
        return
      }
      assertDescribed(route, await send(api, { ...call.request, headers })) // a replay
      assertDescribed(route, await send(api, { ...call.request, headers, path: `${call.request.path}?` }))
      assertDescribed(route, await send(api, call.request)) // a repetition, which is a conflict for some
      const stale = { ...call.request.headers, 'if-match': '"0"' }
      assertDescribed(route, await send(api, { ...(await fixtures.call(route)).request, headers: stale }))
    })
  }

  for (const route of part(listRoutes)) {
    test(`describes pages, totals and refused cursors: ${titleOf(route)}`, async () => {
      const { path, add } = await fixtures.list(route)
      if (add) for (let i = 0; i < 2; i++) await add()
      const page = (query: string) =>
        send(api, { method: 'GET', path: `${path}?${query}`, key: fixtures.key })
      for (const query of [
        '',
        'limit=1',
        'include=total',
        'limit=1&include=total',
        'limit=0',
        'cursor=nonsense',
      ])
        assertDescribed(route, await page(query))
      const { body } = await page('limit=1')
      const sibling = listRoutes.find((each) => each !== route)!
      const elsewhere = await fixtures.list(sibling)
      const foreign = await send(api, {
        method: 'GET',
        path: `${elsewhere.path}?cursor=${body.next_cursor}`,
        key: fixtures.key,
      })
      assertDescribed(sibling, foreign)
    })
  }
})
