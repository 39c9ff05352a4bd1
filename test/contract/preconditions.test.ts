import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import { service, type World } from '../harness.ts'
import { part, turns } from '../thorough.ts'
import { type Call, Fixtures, pathOf, readRoutes, titleOf, writeRoutes } from './fixtures.ts'
import { refused, type Sent, send, describe as show } from './http.ts'
import type { Schema } from './schemas.ts'

const versioned = (route: Route) =>
  (route.reply?.schema as Schema | undefined)?.properties?.version !== undefined

/** The target of a write: the versioned resource at its path, or at the longest prefix of it. */
const targetOf = (route: Route): Route | undefined =>
  readRoutes
    .filter((read) => read.versionOf && `${route.path}/`.startsWith(`${read.path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0]

/** Values of If-Match that match a tag. */
const matching = {
  'the present tag': (tag: string) => tag,
  'an asterisk': () => '*',
  'a list with the present tag': (tag: string) => `"nonsense" , W/"1",${tag}, "0"`,
}

const addressed = writeRoutes.filter((route) => targetOf(route))

describe('If-Match and If-None-Match', () => {
  const api = service()
  let world: World
  let fixtures: Fixtures

  before(async () => {
    world = await api.world()
    fixtures = new Fixtures(api, world.test)
  })

  const [staleTags, sameTags, otherTags] = [turns(), turns(), turns()]
  const tenant = () => world.environments.test.tenantId
  const countEvents = async () =>
    (await api.db.rows(sql`select 1 from events where tenant_id = ${tenant()}`)).length
  const etagOf = (answer: Sent) => answer.headers.get('etag')!

  test('every answer that shows a version has it as a strong ETag', async () => {
    for (const route of [...readRoutes, ...writeRoutes].filter(versioned)) {
      const answer = await fixtures.run(await fixtures.call(route))
      assert.equal(etagOf(answer), `"${answer.body.version}"`, show(answer))
    }
  })

  const closely = new Set(part(addressed))
  for (const route of addressed) {
    const title = titleOf(route)
    const read = targetOf(route)!

    const target = ({ ids }: Call) => send(api, { method: 'GET', path: pathOf(read, ids), key: fixtures.key })
    const withIfMatch = ({ request }: Call, ifMatch: string) =>
      send(api, { ...request, headers: { ...request.headers, 'if-match': ifMatch } })

    /** A call on an object that has changed once, and the ETag of its former version. */
    async function outdated(): Promise<{ call: Call; before: string; now: Sent }> {
      const call = await fixtures.call(route)
      const before = etagOf(await target(call))
      const patch = writeRoutes.find((each) => each.method === 'PATCH' && each.path === read.path)
      if (patch) {
        const { request } = await fixtures.call(patch, call.ids)
        // Sends the example first. If it changes nothing, sends null or another value for a field.
        for (const body of [request.body, ...alternatives(patch)]) {
          const answer = await send(api, { ...request, body })
          if (answer.status === 200 && etagOf(answer) !== before) break
        }
        const now = await target(call)
        assert.notEqual(etagOf(now), before, `${titleOf(patch)} should have changed the object`)
        return { call, before, now }
      }
      return { call, before: '"0"', now: await target(call) } // without PATCH, no version is older than 1
    }

    test(`412 with the present ETag for an old version, and nothing has happened: ${title}`, async () => {
      const { call, before, now } = await outdated()
      const events = await countEvents()
      const later = `"${Number(etagOf(now).slice(1, -1)) + 1}"`
      const strange = [`"nonsense", ${before}`, `W/${etagOf(now)}`, etagOf(now).slice(1, -1), '""']
      for (const stale of [before, later, ...staleTags(strange, 1)]) {
        const answer = await withIfMatch(call, stale)
        refused(answer, 'precondition_failed')
        assert.equal(etagOf(answer), etagOf(now), stale)
      }
      assert.equal(await countEvents(), events)
      assert.equal((await target(call)).text, now.text)
    })

    for (const [what, tagFor] of closely.has(route) ? Object.entries(matching) : []) {
      test(`${route.status} with ${what}: ${title}`, async () => {
        const { call, now } = await outdated()
        const answer = await withIfMatch(call, tagFor(etagOf(now)))
        assert.equal(answer.status, route.status, show(answer))
      })
    }

    if (!closely.has(route)) continue
    test(`of two writers with the same tag one is told 412: ${title}`, async () => {
      const { call, now } = await outdated()
      const first = await withIfMatch(call, etagOf(now))
      assert.equal(first.status, route.status, show(first))
      const after = await target(call)
      if (after.status !== 200 || etagOf(after) === etagOf(now)) return // deleted, or unchanged by the call
      const second = await withIfMatch(call, etagOf(now))
      refused(second, 'precondition_failed')
      assert.equal(etagOf(second), etagOf(after))
    })
  }

  for (const route of readRoutes.filter((each) => each.versionOf)) {
    test(`304 without a body while the version is the same, 200 otherwise: ${titleOf(route)}`, async () => {
      const { request } = await fixtures.call(route)
      const full = await send(api, request)
      const tag = etagOf(full)
      const ask = (ifNoneMatch: string) =>
        send(api, { ...request, headers: { 'if-none-match': ifNoneMatch } })
      for (const same of sameTags([tag, `W/${tag}`, '*', `"nonsense", ${tag}`, `"0",W/${tag}`], 2)) {
        const answer = await ask(same)
        assert.equal(answer.status, 304, same)
        assert.equal(answer.text, '')
        assert.equal(etagOf(answer), tag)
      }
      for (const other of otherTags(['"0"', 'W/"0"', '"nonsense"', tag.slice(1, -1)], 1)) {
        const answer = await ask(other)
        assert.equal(answer.status, 200, other)
        assert.equal(answer.text, full.text)
      }
    })
  }

  test('there are writes that If-Match protects', () => assert.ok(addressed.length > 0))
})

/** Patches that may change something: each nullable field cleared, each number at a bound. */
function alternatives(patch: Route): object[] {
  const members = Object.entries((patch.body as Schema | undefined)?.properties ?? {})
  return [
    inverted(patch.bodyExample) as object,
    ...members.flatMap(([name, schema]) => [
      { [name]: null },
      ...[schema.minimum, schema.maximum]
        .filter((bound) => bound !== undefined)
        .map((bound) => ({ [name]: bound })),
    ]),
  ]
}

/** A value whose booleans are the opposite. */
function inverted(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inverted(member)]))
}
