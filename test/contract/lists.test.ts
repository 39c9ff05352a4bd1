import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import { service, type World } from '../harness.ts'
import { part, turns } from '../thorough.ts'
import { Fixtures, lastingLists, parametersOf, titleOf } from './fixtures.ts'
import { publicUrl, refused, type Sent, send, describe as show } from './http.ts'
import { idPrefixOf, sample } from './schemas.ts'

const membersOf = (route: Route) => [
  ...['object', 'data', 'has_more', 'next_cursor'],
  ...(route.endless ? ['resume_cursor'] : []),
  ...(route.dated ? ['as_of'] : []),
]

/** `rel="next"` of a Link header, as a path; null without one. */
function nextOf(answer: Sent): string | null {
  const link = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  if (link === undefined) return null
  assert.ok(link.startsWith(`${publicUrl}/v1/`), link)
  return link.slice(publicUrl.length)
}

/** The body of a page without the moment of a dated list. */
const timeless = ({ body: { as_of: _, ...page } }: Sent) => page

describe('lists', () => {
  const api = service()
  let world: World
  let fixtures: Fixtures

  before(async () => {
    world = await api.world()
    fixtures = new Fixtures(api, world.test)
  })

  const [garbageOnes, places, shapesOf, siblings] = [turns(), turns(), turns(), turns()]
  const page = async (path: string, query: Record<string, string | number> = {}, key = fixtures.key) => {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
    return send(api, { method: 'GET', path: search.size > 0 ? `${path}?${search}` : path, key })
  }
  const got = async (...request: Parameters<typeof page>) => {
    const answer = await page(...request)
    assert.equal(answer.status, 200, show(answer))
    return answer
  }

  async function fill(route: Route, count: number, { key }: { key: string }) {
    const { path, add } = await new Fixtures(api, { key }).list(route)
    if (add) for (let i = 0; i < count; i++) await add()
    return { path, key, canAdd: add !== null }
  }

  /** The parameter `sort`, if the list has one. */
  const sortedBy = (route: Route, sort = route.sorts![0]!) => (route.fixedSort ? {} : { sort })

  const lists = new Map<Route, ReturnType<typeof fill>>()

  /** A list of more than a page, if clients can add items; in an environment of its own, which tests of a route share. */
  async function filled(route: Route) {
    const filling = lists.get(route) ?? api.world().then(({ test }) => fill(route, 27, test))
    lists.set(route, filling)
    const list = await filling
    return { ...list, all: await got(list.path, { limit: 100, include: 'total' }, list.key) }
  }

  for (const route of part(lastingLists)) {
    const title = titleOf(route)

    test(`25 items unless \`limit\` says otherwise, from 1 to 100: ${title}`, async () => {
      const { path, key, canAdd, all } = await filled(route)
      const total = all.body.data.length
      const { defaultLimit = 25 } = route
      if (canAdd) assert.ok(total > 25, `${total} items`)
      for (const [query, size] of [
        [{}, defaultLimit],
        [{ limit: 1 }, 1],
        [{ limit: 26 }, 26],
        [{ limit: 100 }, 100],
        [{ limit: Math.max(1, total) }, total], // the last page is full
      ] as const) {
        const { body, headers } = await got(path, query, key)
        assert.deepEqual(Object.keys(body), membersOf(route))
        assert.equal(body.object, 'list')
        assert.deepEqual(body.data, all.body.data.slice(0, size))
        assert.equal(body.has_more, total > size)
        assert.equal(body.next_cursor === null, !body.has_more)
        if (route.endless) assert.equal(typeof body.resume_cursor, 'string')
        assert.equal(headers.has('link'), total > size)
      }
    })

    test(`a total only when asked for: ${title}`, async () => {
      const { path, key, all } = await filled(route)
      const { body } = await got(path, { limit: 1, include: 'total' }, key)
      assert.deepEqual(Object.keys(body), [...membersOf(route), 'total', 'total_is_capped'])
      assert.equal(body.total, all.body.data.length)
      assert.equal(body.total_is_capped, false)
    })

    test(`Link leads on as \`next_cursor\` does, with limit, sort and filters, to the end: ${title}`, async () => {
      const { path, key, all } = await filled(route)
      const limit = Math.max(1, Math.ceil(all.body.data.length / 4))
      const seen: unknown[] = []
      let answer = await got(path, { limit, ...sortedBy(route), include: 'total' }, key)
      for (;;) {
        seen.push(...answer.body.data)
        const next = nextOf(answer)
        assert.equal(next === null, !answer.body.has_more)
        assert.equal(next === null, answer.body.next_cursor === null)
        if (next === null) break
        assert.equal(new URL(next, publicUrl).searchParams.get('cursor'), answer.body.next_cursor)
        const cursor = answer.body.next_cursor
        answer = await got(next, {}, key)
        const same = await got(path, { limit, ...sortedBy(route), include: 'total', cursor }, key)
        assert.deepEqual(timeless(same), timeless(answer))
      }
      assert.deepEqual(seen, all.body.data)
    })

    test(`400 cursor_invalid for what was not made here: ${title}`, async () => {
      const { path, key, all } = await filled(route)
      for (const garbage of garbageOnes(['nonsense', '%', '=', 'e30', 'x'.repeat(2048), '\u00e9', '0'], 2))
        refused(await page(path, { cursor: garbage }, key), 'cursor_invalid')
      assert.ok(all.body.data.length > 1, 'More than one item')
      const first = await got(path, { limit: 1 }, key)
      assert.deepEqual(timeless(await got(path, { limit: 1, cursor: '' }, key)), timeless(first))
      const cursor: string = first.body.next_cursor
      await got(path, { cursor }, key)
      const bytes = Buffer.from(cursor, 'base64url')
      for (const i of places([...bytes.keys()], 8)) {
        const tampered = Buffer.from(bytes)
        tampered[i]! ^= 1 << (i % 8)
        refused(await page(path, { cursor: tampered.toString('base64url') }, key), 'cursor_invalid')
      }
      const shapes = [
        cursor.slice(0, -1),
        cursor.slice(1),
        `${cursor}A`,
        `${cursor}==`,
        ` ${cursor}`,
        cursor + cursor,
      ]
      for (const shape of shapesOf(shapes, 2))
        refused(await page(path, { cursor: shape }, key), 'cursor_invalid')
    })

    test(`400 cursor_mismatch for another sort, filter, object or environment: ${title}`, async () => {
      const { path, key } = await filled(route)
      for (const sort of route.sorts!) {
        const cursor: string = (await got(path, { limit: 1, ...sortedBy(route, sort) }, key)).body.next_cursor
        const others = route.sorts!.filter((each) => each !== sort)
        for (const other of others) refused(await page(path, { cursor, sort: other }, key), 'cursor_mismatch')
        await got(path, { cursor, ...sortedBy(route, sort), limit: 7, include: 'total' }, key)
      }
      const cursor: string = (await got(path, { limit: 1 }, key)).body.next_cursor
      for (const [name, schema] of parametersOf(route)) {
        if (['limit', 'cursor', 'include', 'sort', 'from'].includes(name)) continue
        const prefix = idPrefixOf(schema)
        const value = prefix ? await new Fixtures(api, { key }).create(prefix) : String(sample(schema))
        const other = await page(path, { cursor, [name]: value }, key)
        if (route.endless)
          assert.notEqual(other.status, 400, show(other)) // a feed's cursor is a place, for any filters
        else refused(other, 'cursor_mismatch')
      }
      if (route.params) {
        const sibling = await new Fixtures(api, { key }).list(route)
        refused(await page(sibling.path, { cursor }, key), 'cursor_mismatch')
      } else {
        for (const client of [world.live, world.test])
          refused(await page(path, { cursor }, client.key), 'cursor_mismatch')
      }
    })

    test(`400 cursor_mismatch with the cursor of another list: ${title}`, async () => {
      const { path } = await fixtures.list(route)
      const others = lastingLists.filter((each) => each !== route)
      for (const other of siblings(others, 1)) {
        const { path: elsewhere } = await fill(other, 2, fixtures)
        const cursor: string = (await got(elsewhere, { limit: 1 })).body.next_cursor
        refused(await page(path, { cursor }), 'cursor_mismatch')
      }
    })
  }
})
