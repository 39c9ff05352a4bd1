import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { act, published, search } from '@backline/test/knowledge.ts'
import { made } from '@backline/test/macro-fixtures.ts'
import { until } from '@backline/test/processes.ts'
import pg from 'pg'

const api = service({ works: true })

/** The counted queries, the most searched first. */
const searches = async (client: Client, query = ''): Promise<Body[]> =>
  succeeded(await client.get(`/v1/kb/searches${query}`)).data

const counts = (found: Body[]) =>
  found.map(({ query, searches, found_nothing }) => [query, searches, found_nothing])

async function reader(client: Client, external_user_id: string): Promise<Client> {
  const { token } = await made(client, 'end_user_sessions', { external_user_id })
  return api.client(token)
}

const ask = async (client: Client, path: string, q: string, rest = '') =>
  succeeded(await client.get(`${path}?q=${encodeURIComponent(q)}${rest}`))

describe('searches of readers', () => {
  test('are counted by query, with those that found nothing', async () => {
    const { test } = await api.world()
    await published(test, { title: 'Zebra' })
    for (const query of ['Zebra', ' zebra ', 'Apple  Pay', 'apple pay', 'APPLE PAY'])
      await search(test, query)
    assert.deepEqual(counts(await searches(test)), [
      ['apple pay', 3, 3],
      ['zebra', 2, 0],
    ])
    assert.deepEqual(counts(await searches(test, '?last_found_nothing=true')), [['apple pay', 3, 3]])
    assert.deepEqual(counts(await searches(test, '?last_found_nothing=false')), [['zebra', 2, 0]])
    const [first] = await searches(test)
    assert.deepEqual(first, {
      object: 'kb_search',
      query: 'apple pay',
      locale: null,
      searches: 3,
      found_nothing: 3,
      last_searched_at: first.last_searched_at,
    })
  })

  test('of an environment are not shown in another', async () => {
    const { test, live } = await api.world()
    await search(test, 'unicorn')
    assert.equal((await searches(test)).length, 1)
    assert.deepEqual(await searches(live), [])
  })

  test('of articles and FAQs with the same words count as one, which found what either did', async () => {
    const { test } = await api.world()
    await published(test, { title: 'Zebra' })
    const me = await reader(test, 'user_1')
    for (const q of ['zebra', 'unicorn'])
      for (const path of ['/v1/me/kb/search', '/v1/me/faqs']) await ask(me, path, q)
    assert.deepEqual(counts(await searches(test)), [
      ['zebra', 1, 0],
      ['unicorn', 1, 1],
    ])
    assert.deepEqual(counts(await searches(test, '?last_found_nothing=true')), [['unicorn', 1, 1]])
  })

  test('no longer count as missing once an article answers them, and do again when it is taken back', async () => {
    const { test } = await api.world()
    const missing = async () => counts(await searches(test, '?last_found_nothing=true'))
    await search(test, 'unicorn')
    assert.deepEqual(await missing(), [['unicorn', 1, 1]])
    const article = await published(test, { title: 'Unicorn' })
    await search(test, 'unicorn')
    assert.deepEqual(await missing(), [])
    succeeded(await act(test, article, 'unpublish'))
    api.advance(120)
    await search(test, 'unicorn')
    assert.deepEqual(await missing(), [['unicorn', 3, 2]])
  })

  test('are counted by language, and found by it regardless of case', async () => {
    const { test } = await api.world()
    await search(test, 'einhorn', '&locale=de')
    await search(test, 'einhorn', '&locale=pt-br')
    await search(test, 'einhorn')
    const locales = (found: Body[]) => found.map(({ locale }) => String(locale)).toSorted()
    assert.deepEqual(locales(await searches(test)), ['de', 'null', 'pt-BR'])
    assert.deepEqual(locales(await searches(test, '?locale=PT-BR')), ['pt-BR'])
    assert.equal((await test.get('/v1/kb/searches?locale=xx')).status, 400)
  })

  test('are not counted for further pages, filters that hide answers, or operators', async () => {
    const { test } = await api.world()
    for (let i = 0; i < 2; i++) await published(test, { title: `Zebra ${i}` })
    const { next_cursor } = await ask(test, '/v1/kb/search', 'zebra', '&limit=1')
    await ask(test, '/v1/kb/search', 'zebra', `&limit=1&cursor=${next_cursor}`)
    assert.deepEqual(counts(await searches(test)), [['zebra', 1, 0]])
    const { id } = await made(test, 'kb/collections', { name: 'Cards' })
    await ask(test, '/v1/kb/search', 'in a collection', `&collection_id=${id}`)
    await ask(test, '/v1/faqs', 'with drafts')
    await ask(test, '/v1/faqs', 'of a tag', '&status=published&tag=vip')
    await ask(test, '/v1/faqs', 'public', '&status=published&locale=en')
    const operator = await made(test, 'operators', { name: 'Ada', email: 'ada@example.com' })
    const answer = await test.get('/v1/kb/search?q=internal', { 'backline-operator': operator.id })
    assert.equal(answer.status, 200)
    assert.deepEqual(counts(await searches(test, '?last_found_nothing=true')), [['public', 1, 1]])
  })

  test('that may be about a person are not kept', async () => {
    const { test } = await api.world()
    for (const query of [
      'ada@example.com',
      'order 123456',
      '+49 30 123-456',
      '4111 1111 1111 1111',
      'born 1815/12/10',
      'born 1815–12–10',
      '030\u20111234\u20115678',
      '12_34_56',
      '12:34:56',
      '12·34·56',
      '12\u200b34\u200b56',
      '12\u00ad34\u00ad56',
      '１２３４５６',
      'ada＠example.com',
      'A1b2C3d4E5f6G7h8',
      'a '.repeat(60),
    ])
      await search(test, query)
    for (const query of ['iphone 15', 'error 404', 'pay in 3 parts']) await search(test, query)
    const kept = (await searches(test)).map(({ query }) => query)
    assert.deepEqual(kept.toSorted(), ['error 404', 'iphone 15', 'pay in 3 parts'])
  })

  test('are sorted, filtered by time, and in pages', async () => {
    const { test } = await api.world()
    for (const query of ['one', 'two', 'two', 'three', 'three', 'three']) await search(test, query)
    assert.equal((await searches(test)).length, 3)
    api.advance(60)
    await search(test, 'one')
    const queries = (found: Body[]) => found.map(({ query }) => query)
    const [newest] = await searches(test, '?sort=-last_searched_at')
    assert.equal(newest.query, 'one')
    const time = encodeURIComponent(newest.last_searched_at)
    assert.deepEqual(queries(await searches(test, `?last_searched_before=${time}`)), ['three', 'two'])
    assert.deepEqual(queries(await searches(test, `?last_searched_after=${time}`)), [])
    const all: string[] = []
    for (let path = '?limit=1'; path; ) {
      const page = succeeded(await test.get(`/v1/kb/searches${path}&include=total`))
      assert.equal(page.total, 3)
      all.push(...queries(page.data))
      path = page.next_cursor && `?limit=1&cursor=${page.next_cursor}`
    }
    assert.deepEqual(all, ['three', 'two', 'one'])
  })

  test('that are being written are part of the list and of its total', async () => {
    const { test } = await api.world()
    await search(test, 'one')
    assert.equal((await searches(test)).length, 1)
    for (const query of ['one', 'two']) await search(test, query)
    const session = new pg.Client(api.connection)
    await session.connect()
    try {
      await session.query('begin')
      await session.query('select from kb_searches for update')
      const listing = test.get('/v1/kb/searches?include=total')
      await until('the write waits', async () => {
        const { rowCount } = await session.query(
          'select from pg_locks where pg_backend_pid() = any(pg_blocking_pids(pid))',
        )
        return rowCount! > 0
      })
      await session.query('commit')
      const { data, total } = succeeded(await listing)
      assert.deepEqual([data.length, total], [2, 2])
    } finally {
      await session.end()
    }
  })

  test('of several servers are added up; one that stops loses none', async () => {
    const { test } = await api.world()
    const other = await api.another()
    for (let i = 0; i < 3; i++) await search(other.client(test.key), 'unicorn')
    await search(test, 'unicorn')
    await other.stop()
    assert.deepEqual(counts(await searches(test)), [['unicorn', 4, 4]])
  })

  test('are removed 90 days after the last one', async () => {
    const { test } = await api.world()
    await search(test, 'kept')
    await search(test, 'unicorn')
    assert.equal((await searches(test)).length, 2)
    api.advance(89 * 86_400)
    await search(test, 'kept')
    assert.equal((await searches(test)).length, 2)
    api.advance(2 * 86_400)
    await until('the sweep', async () => (await searches(test)).length === 1)
    assert.equal((await searches(test))[0].query, 'kept')
  })
})
