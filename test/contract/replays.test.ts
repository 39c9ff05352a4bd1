import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import { service, type World } from '../harness.ts'
import { part, rounds, turns } from '../thorough.ts'
import { type Call, eventless, Fixtures, pathOf, titleOf, writeRoutes } from './fixtures.ts'
import { type Request, refused, type Sent, send, describe as show } from './http.ts'
import { keyWith } from './keys.ts'
import { bodySchema, querySchemaOf, sample, strictAjv } from './schemas.ts'

const ajv = strictAjv()

const withKey = ({ request }: { request: Request }, key: string): Request => ({
  ...request,
  headers: { ...request.headers, 'idempotency-key': key },
})

/** The same JSON written differently: members in reverse order, white space, escapes. */
function rewritten(body: unknown): string {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([name, member]) => [name, reversed(member)]),
    )
  }
  const text = JSON.stringify(reversed(body), null, '\t')
  return ` \r\n${text.replace(/"(\w)(\w*)":/, (_, first: string, rest: string) => `"\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}${rest}" :`)}\n`
}

/** Other bodies that the schema of the document allows; the server may know rules between their members. */
function otherBodies(route: Route, body: unknown): unknown[] {
  const validate = ajv.compile(bodySchema(route))
  const candidates: unknown[] = []
  for (const [name, schema] of Object.entries(bodySchema(route).properties ?? {})) {
    const { [name]: present, ...others } = (body ?? {}) as Record<string, unknown>
    candidates.push(present === undefined ? { ...others, [name]: sample(schema) } : others)
  }
  return candidates.filter((candidate) => validate(candidate))
}

function assertReplayOf(first: Sent, replay: Sent): void {
  assert.equal(replay.status, first.status, show(replay))
  assert.equal(replay.text, first.text)
  for (const name of ['location', 'etag', 'content-type'])
    assert.equal(replay.headers.get(name), first.headers.get(name), name)
  assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  assert.equal(replay.headers.get('original-request-id'), first.headers.get('request-id'))
  assert.notEqual(replay.headers.get('request-id'), first.headers.get('request-id'))
}

function assertFirst(answer: Sent, route: Route): void {
  assert.equal(answer.status, route.status, show(answer))
  assert.equal(answer.headers.get('idempotent-replayed'), 'false')
  assert.equal(answer.headers.get('original-request-id'), null)
}

describe('replays', () => {
  const api = service()
  let world: World
  let foreign: World
  let fixtures: Fixtures

  before(async () => {
    world = await api.world()
    foreign = await api.world()
    fixtures = new Fixtures(api, world.test)
  })

  const refusals = turns()
  const atOnce = rounds(20, 4)

  /** A call that has succeeded once under a new key. */
  async function carriedOut(route: Route): Promise<{ key: string; call: Call; first: Sent }> {
    const key = randomUUID()
    const call = await fixtures.call(route)
    const first = await send(api, withKey(call, key))
    assertFirst(first, route)
    return { key, call, first }
  }

  const requestsUnder = async (key: string) =>
    (await api.db.rows(sql`select distinct request_id from events where idempotency_key = ${key}`)).length

  const closely = new Set(part(writeRoutes))
  for (const route of writeRoutes) {
    const title = titleOf(route)

    test(`the same answer again, byte for byte, and no second effect: ${title}`, async () => {
      const { key, call, first } = await carriedOut(route)
      assertReplayOf(first, await send(api, withKey(call, key)))
      assertReplayOf(first, await send(api, withKey(call, key)))
      assert.ok((await requestsUnder(key)) <= 1)
    })

    if (route.needsPerson)
      test(`422 without an operator, also in place of a replay: ${title}`, async () => {
        const { key, call } = await carriedOut(route)
        const { headers, ...request } = withKey(call, key)
        const answer = await send(api, { ...request, headers: { ...headers, 'backline-operator': null } })
        refused(answer, 'validation_failed')
        assert.partialDeepStrictEqual(answer.body.errors, [{ header: 'Backline-Operator', code: 'required' }])
      })

    if (!closely.has(route)) continue

    test(`replayed to another API key of the environment: ${title}`, async () => {
      const { key, call, first } = await carriedOut(route)
      const other = await keyWith(api, world.environments.test, {})
      const replay = await send(api, { ...withKey(call, key), key: other.key })
      if (route.storedReply) assertReplayOf({ ...first, text: replay.text }, replay)
      else assertReplayOf(first, replay)
    })

    test(`member order, white space and escapes make no other request: ${title}`, async () => {
      const { key, call, first } = await carriedOut(route)
      if (call.request.body === undefined || route.bytes) return
      assertReplayOf(first, await send(api, { ...withKey(call, key), body: rewritten(call.request.body) }))
    })

    test(`422 idempotency_key_reused with another body, path, query or method: ${title}`, async () => {
      const { key, call, first } = await carriedOut(route)
      const others: Request[] = []
      for (const body of otherBodies(route, call.request.body)) {
        const request = { ...call.request, body }
        if ((await send(api, withKey({ request }, key))).body.code === 'validation_failed') continue
        others.push(request)
        break
      }
      if (route.params) others.push((await fixtures.call(route)).request)
      const [parameter] = Object.entries(querySchemaOf(route).properties!)
      if (parameter)
        others.push({ ...call.request, path: `${call.request.path}?${parameter[0]}=${sample(parameter[1])}` })
      for (const other of writeRoutes) {
        if (other === route) continue
        if (other.path === route.path) {
          others.push((await fixtures.call(other, call.ids)).request)
          const same = call.request.body ?? {}
          if (ajv.compile(bodySchema(other))(same))
            others.push({ ...call.request, method: other.method, body: same })
        } else if (others.length < rounds(5, 2)) others.push((await fixtures.call(other)).request)
      }
      for (const request of others) {
        const answer = await send(api, withKey({ request }, key))
        refused(answer, 'idempotency_key_reused')
        assert.deepEqual(answer.body.params, { original_request_id: first.headers.get('request-id') })
      }
      assertReplayOf(first, await send(api, withKey(call, key)))
      assert.ok((await requestsUnder(key)) <= 1)
    })

    test(`a refusal does not use up the key: ${title}`, async () => {
      const key = randomUUID()
      const call = await fixtures.call(route)
      const request = withKey(call, key)
      const without = await keyWith(api, world.environments.test, { scopes: ['events:read'] })
      const faults: [status: number, fault: Partial<Request>][] = [
        [403, { key: without.key }],
        ...(route.bytes
          ? [[422, { body: '' }] as [number, Partial<Request>]]
          : ([
              [422, { body: { nonsense: 1 } }],
              [400, { body: '{' }],
            ] as [number, Partial<Request>][])),
        [400, { path: `${request.path}?nonsense=1` }],
        [404, { path: `${request.path}/not/a/route` }],
      ]
      for (const [status, fault] of refusals(faults, 2))
        assert.equal((await send(api, { ...request, ...fault })).status, status)
      if (route.params) {
        const vacant = pathOf(
          route,
          Object.fromEntries(
            Object.entries(call.ids).map(([name, id]) => [name, `${id.slice(0, -6)}zzzzzz`]),
          ),
        )
        refused(await send(api, { ...request, path: vacant }), 'not_found')
        const stale = { ...request, headers: { ...request.headers, 'if-match': '"0"' } }
        refused(await send(api, stale), 'precondition_failed')
      }
      assertFirst(await send(api, request), route)
    })

    test(`a conflict does not use up the key, and a replay comes before a conflict: ${title}`, async () => {
      const { key, call, first } = await carriedOut(route)
      const other = randomUUID()
      const again = await send(api, withKey(call, other))
      if (again.status >= 400) assertFirst(await send(api, withKey(await fixtures.call(route), other)), route)
      assertReplayOf(first, await send(api, withKey(call, key)))
    })

    test(`who may not do it does not see that it was done: ${title}`, async () => {
      const weak = await keyWith(api, world.environments.test, { scopes: [route.scope] })
      const parts = Object.entries(bodySchema(route).properties ?? {}).filter(([, part]) => part.properties)
      for (const [name, part] of [['', {}], ...parts] as const) {
        const { request } = await fixtures.call(route)
        const body = name === '' ? request.body : { ...(request.body as object), [name]: sample(part) }
        const full = withKey({ request: { ...request, body } }, randomUUID())
        const first = await send(api, full)
        if (first.status !== route.status) continue // other tests cover this route
        const fresh = await send(api, { ...withKey({ request: full }, randomUUID()), key: weak.key })
        if (fresh.status === 403) refused(await send(api, { ...full, key: weak.key }), 'scope_missing')
      }
    })

    test(`the same key is another one in live and in another workspace: ${title}`, async () => {
      const { key } = await carriedOut(route)
      for (const client of route.testOnly ? [foreign.test] : [world.live, foreign.test])
        assertFirst(await send(api, withKey(await new Fixtures(api, client).call(route), key)), route)
    })

    test(`several at once have one effect: ${title}`, async () => {
      const key = randomUUID()
      // a change, including one of a singleton
      const call = await new Fixtures(api, (await api.world()).test).call(route)
      const answers = await Promise.all(Array.from({ length: atOnce }, () => send(api, withKey(call, key))))
      const [first, ...more] = answers.filter((each) => each.headers.get('idempotent-replayed') === 'false')
      assert.ok(first && more.length === 0, answers.map(show).join('\n'))
      for (const answer of answers) {
        if (answer === first) continue
        if (answer.status !== 409) assertReplayOf(first, answer)
        else {
          refused(answer, 'idempotency_key_in_use')
          assert.equal(answer.headers.get('retry-after'), '1')
        }
      }
      assert.equal(await requestsUnder(key), eventless.has(route.name) ? 0 : 1)
    })
  }
})
