import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { toInstant } from '../../../../platform/kernel/clock.ts'
import { trimSearches } from './queries.ts'
import { type Search, SearchTally } from './tally.ts'

const api = service()

/** A tally with a clock that the test sets, and what it has written in an environment. */
async function opened() {
  const { test, environments } = await api.world()
  const { tenantId } = environments.test
  let nowMs = 0
  const tally = new SearchTally(() => nowMs)
  const usual = { kind: 'article', locale: '', caller: 'ada', hasFound: false } as const
  const noteIn = (tenantId: string, query: string, search: Partial<Search> = {}) =>
    tally.note(tenantId, { ...usual, query, at: toInstant(api.now()), ...search })
  return {
    tenantId,
    test,
    tally,
    pass: (ms: number) => {
      nowMs += ms
    },
    note: (query: string, search: Partial<Search> = {}) => noteIn(tenantId, query, search),
    noteIn,
    write: (isStopping = false) => tally.write(api.db, isStopping),
  }
}

/** A database whose writes fail. @param during called at each write */
function failing(during: () => void = () => undefined): typeof api.db {
  const write = async () => {
    during()
    throw new Error('gone')
  }
  return { ...api.db, home: () => ({ ...api.db, write }) } as never
}

async function written(client: Client): Promise<[string, number, number][]> {
  const { data } = succeeded(await client.get('/v1/kb/searches?limit=100'))
  return data.map(({ query, searches, found_nothing }: Record<string, never>) => [
    query,
    searches,
    found_nothing,
  ])
}

describe('the tally of searches', () => {
  test('counts what somebody types once, with the last words', async () => {
    const { test, note, pass, write } = await opened()
    for (const query of ['un', 'unic', 'unicorn', 'unicorn f', 'unicorn food']) {
      note(query, { hasFound: query.length < 8 })
      pass(500)
    }
    note('unicorn', { caller: 'grace' })
    note('unic', { kind: 'faq' })
    await write(true)
    assert.deepEqual((await written(test)).toSorted(), [
      ['unic', 1, 1],
      ['unicorn food', 1, 1],
      ['unicorn', 1, 1],
    ])
  })

  test('counts once what a help center searches in articles and in FAQs while somebody types', async () => {
    const { test, note, pass, write } = await opened()
    for (const query of ['un', 'unic', 'unicorn', 'unicorn food']) {
      for (const kind of ['article', 'faq'] as const) note(query, { kind })
      pass(500)
    }
    await write(true)
    assert.deepEqual(await written(test), [['unicorn food', 1, 1]])
  })

  test('counts a longer query of the same caller by itself after three seconds', async () => {
    const { test, note, pass, write } = await opened()
    note('unicorn')
    pass(3_001)
    note('unicorn food')
    await write(true)
    assert.deepEqual((await written(test)).toSorted(), [
      ['unicorn food', 1, 1],
      ['unicorn', 1, 1],
    ])
  })

  test('writes a query three seconds after its last search, and all when the server stops', async () => {
    const { test, note, pass, write } = await opened()
    note('first')
    pass(2_000)
    note('second')
    await write()
    assert.deepEqual(await written(test), [])
    pass(1_000)
    await write()
    assert.deepEqual(await written(test), [['first', 1, 1]])
    await write(true)
    assert.deepEqual((await written(test)).toSorted(), [
      ['first', 1, 1],
      ['second', 1, 1],
    ])
  })

  test('writes a query that is searched all the time', async () => {
    const { test, note, pass, write } = await opened()
    for (let i = 0; i < 11; i++) {
      note('unicorn', { caller: `user_${i}` })
      pass(1_000)
    }
    await write()
    assert.deepEqual(await written(test), [['unicorn', 11, 11]])
  })

  test('adds to what was written before', async () => {
    const { test, note, write } = await opened()
    for (const hasFound of [false, true]) {
      note('unicorn', { hasFound })
      note('unicorn', { hasFound, kind: 'faq' })
      await write(true)
    }
    assert.deepEqual(await written(test), [['unicorn', 2, 1]])
  })

  test('counts a hundred different queries until they are written, and further searches of these', async () => {
    const { test, note, write } = await opened()
    for (let i = 0; i < 150; i++) note(`${i} flood`)
    note('7 flood')
    await write(true)
    const all = await written(test)
    assert.equal(all.length, 100)
    assert.deepEqual(all[0], ['7 flood', 2, 2])
  })

  test('keeps the queries that were searched last', async () => {
    const { test, note, write, tenantId } = await opened()
    for (const [i, query] of ['one', 'two', 'three', 'four'].entries())
      note(query, { at: toInstant(api.now() + i * 1_000) })
    await write(true)
    await trimSearches(api.db.home(tenantId), tenantId, 2)
    assert.deepEqual((await written(test)).map(([query]) => query).toSorted(), ['four', 'three'])
  })

  test('writes what it counted after a write failed', async () => {
    const { test, note, tally } = await opened()
    note('unicorn')
    await assert.rejects(tally.write(failing(), true), /gone/)
    await tally.write(api.db, true)
    assert.deepEqual(await written(test), [['unicorn', 1, 1]])
  })

  test('adds what failed to be written to what was searched meanwhile', async () => {
    const { test, note, tally, write } = await opened()
    note('unicorn', { hasFound: true })
    await assert.rejects(
      tally.write(
        failing(() => note('unicorn', { caller: 'grace' })),
        true,
      ),
      /gone/,
    )
    await write(true)
    assert.deepEqual(await written(test), [['unicorn', 2, 1]])
    const found = succeeded(await test.get('/v1/kb/searches?last_found_nothing=true'))
    assert.deepEqual(found.data, [])
  })

  test('counts a hundred different queries when a write fails, too', async () => {
    const { test, note, tally, write } = await opened()
    for (let i = 0; i < 80; i++) note(`${i} before`)
    const flood = () => {
      for (let i = 0; i < 80; i++) note(`${i} during`)
    }
    await assert.rejects(tally.write(failing(flood), true), /gone/)
    await write(true)
    const queries = (await written(test)).map(([query]) => query)
    assert.equal(queries.length, 100)
    assert.equal(queries.filter((query) => query.endsWith('during')).length, 80)
  })

  test('counts in five hundred environments when a write fails, too', async () => {
    const { test, tenantId, note, noteIn, tally } = await opened()
    note('unicorn')
    const flood = () => {
      for (let i = 0; i < 500; i++) noteIn(`environment_${i}`, 'flood')
    }
    await assert.rejects(tally.flush(failing(flood).home(tenantId), tenantId), /gone/)
    await tally.flush(api.db.home(tenantId), tenantId)
    assert.deepEqual(await written(test), [])
  })
})
