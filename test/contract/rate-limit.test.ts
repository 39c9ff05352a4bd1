import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { service, type World } from '../harness.ts'
import { part, rounds, turns } from '../thorough.ts'
import { faultsOf, spoilt, vacantRequest } from './faults.ts'
import { Fixtures, routes, titleOf } from './fixtures.ts'
import { refused, type Sent, send, describe as show } from './http.ts'
import { keysWithout, keyWith } from './keys.ts'

/** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10); null if neither is sent. */
function limitsOf({ headers }: Sent) {
  const [now, policy] = [headers.get('ratelimit'), headers.get('ratelimit-policy')]
  if (now === null && policy === null) return null
  const left = /^"([\w-]+)";r=(\d+);t=(\d+)$/.exec(now ?? '')
  const allowed = /^"([\w-]+)";q=(\d+);w=(\d+)$/.exec(policy ?? '')
  assert.ok(left && allowed, `${now} ${policy}`)
  assert.equal(left[1], allowed[1])
  return { left: Number(left[2]), quota: Number(allowed[2]), windowSeconds: Number(allowed[3]) }
}

const some = turns()

/** The errors that are checked after the limit: all but those of authentication and scope. */
const laterFaults = (route: (typeof routes)[number]) =>
  faultsOf(route).filter(({ code }) => code !== 'api_key_missing' && code !== 'scope_missing')

describe('a limit that is not reached', () => {
  const api = service({
    environment: { BACKLINE_RATE_LIMIT_PER_SECOND: '1000', BACKLINE_RATE_LIMIT_BURST: '3000' },
  })
  let world: World
  const keyWithout = keysWithout(api, () => world)

  before(async () => {
    world = await api.world()
  })

  for (const route of part(routes)) {
    test(`is told in every answer from the rate limit on: ${titleOf(route)}`, async () => {
      const { request } = await new Fixtures(api, world.test).call(route)
      const answers = [await send(api, request), await send(api, vacantRequest(route, world.test.key))]
      for (const fault of some(laterFaults(route), 2))
        answers.push(await send(api, fault.spoil(request, route, '')!))
      for (const answer of answers) {
        const limits = limitsOf(answer)
        assert.ok(limits, show(answer))
        assert.deepEqual([limits.quota, limits.windowSeconds], [3000, 3])
        assert.ok(limits.left < 3000)
      }
      for (const key of [null, 'nonsense', await keyWithout(route.scope)])
        assert.equal(limitsOf(await send(api, { ...request, key })), null)
    })
  }
})

describe('a limit of 1 a second, 3 at once', () => {
  const api = service({
    environment: { BACKLINE_RATE_LIMIT_PER_SECOND: '1', BACKLINE_RATE_LIMIT_BURST: '3' },
  })
  let world: World
  const keyWithout = keysWithout(api, () => world)

  before(async () => {
    world = await api.world()
  })

  const newKey = async () => (await keyWith(api, world.environments.test, {})).key
  const use = (key: string) => send(api, { method: 'GET', path: '/v1/workspace', key })

  /** Uses a key until a request is rejected; returns all responses, the rejection last. 50 at once exceed any limit. */
  async function exhaust(key: string): Promise<Sent[]> {
    const answers = await Promise.all(Array.from({ length: 50 }, () => use(key)))
    return answers.toSorted((a, b) => a.status - b.status)
  }

  test('lets 3 through at once and refuses the rest with 429 and Retry-After', async () => {
    const answers = await exhaust(await newKey())
    const served = answers.filter(({ status }) => status === 200)
    assert.ok(served.length >= 3)
    for (const answer of answers) {
      const limits = limitsOf(answer)
      assert.deepEqual([limits?.quota, limits?.windowSeconds], [3, 3])
      if (answer.status === 200) continue
      refused(answer, 'rate_limited')
      assert.equal(limits?.left, 0)
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    }
    assert.equal(answers.at(-1)!.status, 429)
  })

  test('lets through again after Retry-After', async () => {
    const key = await newKey()
    const refusal = (await exhaust(key)).at(-1)!
    refused(refusal, 'rate_limited')
    await sleep(Number(refusal.headers.get('retry-after')) * 1000)
    assert.equal((await use(key)).status, 200)
  })

  test('counts each key for itself, and neither strangers nor what needs no key', async () => {
    refused((await exhaust(await newKey())).at(-1)!, 'rate_limited')
    assert.equal((await use(await newKey())).status, 200)
    for (const path of ['/v1/openapi.json', '/healthz', '/v1/nonsense']) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => send(api, { method: 'GET', path, key: null })),
      )
      assert.ok(
        answers.every(({ status, headers }) => status !== 429 && !headers.has('ratelimit')),
        path,
      )
    }
  })

  for (const route of part(routes)) {
    test(`429 after 401 and 403, before any other refusal: ${titleOf(route)}`, async () => {
      const key = await newKey()
      const later = spoilt(vacantRequest(route, key), route, laterFaults(route), '')
      // A key gets a token a second, so on a slow machine some go through; all at once cannot.
      const answers = await Promise.all(Array.from({ length: rounds(20, 8) }, () => send(api, later)))
      const codes = new Set(answers.map(({ body }) => body.code))
      assert.deepEqual(
        codes,
        new Set([route.kind === 'content' ? 'invalid_query' : 'not_acceptable', 'rate_limited']),
      )
      refused(await send(api, { ...later, key: null }), 'api_key_missing')
      refused(await send(api, { ...later, key: await keyWithout(route.scope) }), 'scope_missing')
    })
  }
})

describe('a limit of 0', () => {
  const api = service({ environment: { BACKLINE_RATE_LIMIT_PER_SECOND: '0' } })

  test('is no limit, of which no answer speaks', async () => {
    const { test } = await api.world()
    const request = { method: 'GET', path: '/v1/workspace', key: test.key }
    // More at once are refused for the load of a machine that is busy.
    for (let batch = 0; batch < 10; batch++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(api, request)))
      for (const answer of answers) assert.deepEqual([answer.status, limitsOf(answer)], [200, null])
    }
  })
})
