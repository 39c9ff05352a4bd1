import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import { service } from '../harness.ts'
import { part } from '../thorough.ts'
import {
  Fixtures,
  lastingLists,
  needsSpecialObjects,
  prefixOfReply,
  titleOf,
  writeRoutes,
} from './fixtures.ts'
import { send, describe as show } from './http.ts'
import type { Schema } from './schemas.ts'

type Item = Record<string, unknown> & { id?: string }

/** Identifies an item of its list. */
const nameOf = (item: Item) => item.id ?? JSON.stringify(item)

describe('a walk sees everything that is there during all of it exactly once', () => {
  const api = service()

  for (const route of part(lastingLists)) {
    const prefix = prefixOfReply(route)
    /** Writes that add an object below an item, so that fields such as times of last use differ. */
    const touches = writeRoutes.filter(
      (each) =>
        each.location && Object.values(each.params ?? {}).join() === prefix && each.path !== route.path,
    )
    /** The route that deletes an item permanently, if clients have one. */
    const remover = writeRoutes.find(
      (each) =>
        each.method === 'DELETE' &&
        !needsSpecialObjects(each) &&
        prefix &&
        Object.values(each.params ?? {}).join() === prefix,
    )

    for (const sort of route.sorts!) {
      test(`by ${sort}, two at a time, while others come and go: ${titleOf(route)}`, async () => {
        const client = (await api.world()).test
        const fixtures = new Fixtures(api, client)
        const { path, add } = await fixtures.list(route)
        const fetchPage = async (query: string) => {
          const answer = await send(api, {
            method: 'GET',
            path: `${path}?${route.fixedSort ? '' : `sort=${sort}&`}${query}`,
            key: client.key,
          })
          assert.equal(answer.status, 200, show(answer))
          return answer.body as { data: Item[]; has_more: boolean; next_cursor: string | null }
        }
        /** Only these are removed: an existing item may be the key in use. */
        const added: string[] = []
        if (add) {
          // simultaneous, so that sort keys may be equal
          const answers = await Promise.all([add(), add(), add(), add()])
          added.push(...[...answers, await add()].map(({ body }) => body?.id))
          for (const [i, item] of (await fetchPage('limit=100')).data.entries()) {
            for (const touch of i % 2 === 0 ? touches : [])
              await fixtures.run(await fixtures.call(touch, { [Object.keys(touch.params!)[0]!]: item.id! }))
          }
        }
        const { data: all } = await fetchPage('limit=100')
        assertSorted(all, sort, orderOf(route, sort))
        const expected = new Set(all.map(nameOf))
        assert.equal(expected.size, all.length)

        const seen: string[] = []
        let cursor: string | null = null
        do {
          const next = await fetchPage(cursor === null ? 'limit=2' : `limit=2&cursor=${cursor}`)
          assert.ok(next.data.length === 2 || !next.has_more)
          seen.push(...next.data.map(nameOf))
          cursor = next.has_more ? next.next_cursor : null
          if (add && seen.length < 20) await Promise.all([add(), add()])
          if (remover && seen.length === 2) {
            // The row of the cursor, and one after it.
            const toCome = all.findLast(
              (item) => !seen.includes(nameOf(item)) && added.includes(nameOf(item)),
            )
            for (const gone of [seen[1]!, toCome?.id]) {
              if (gone === undefined || !added.includes(gone)) continue
              await fixtures.run(await fixtures.call(remover, { [Object.keys(remover.params!)[0]!]: gone }))
              if (!(await fetchPage('limit=100')).data.some((item) => item.id === gone)) expected.delete(gone)
            }
          }
        } while (cursor !== null && seen.length < 200)

        assert.equal(new Set(seen).size, seen.length, 'Nothing was seen twice')
        for (const name of expected) assert.ok(seen.includes(name), `${name} was not seen`)
      })
    }
  }

  /** Asserts the order by the sort's field; nulls come last. */
  function assertSorted(items: Item[], sort: string, rank: (value: unknown) => string | number): void {
    const field = sort.replace(/^-/, '')
    const values = items.map((item) => item[field]).filter((value) => value != null)
    if (values.length === 0) return
    const ascending = values.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0))
    assert.deepEqual(values, sort.startsWith('-') ? ascending.reverse() : ascending)
    assert.ok(
      items.slice(0, values.length).every((item) => item[field] != null),
      'Null comes last',
    )
  }

  /** Ranks times, numbers and texts by value, and members of an enumeration by its order. */
  function orderOf(route: Route, sort: string): (value: unknown) => string | number {
    const schema = (route.reply!.schema as Schema).properties?.[sort.replace(/^-/, '')]
    return (value) => (schema?.enum ? schema.enum.indexOf(value) : (value as string | number))
  }
})
