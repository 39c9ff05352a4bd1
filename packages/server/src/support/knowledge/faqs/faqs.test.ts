import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { assertRefused, published } from '@backline/test/knowledge.ts'

const api = service()
const faq = async (client: Client, fields: object = {}): Promise<Body> =>
  succeeded(await client.post('/v1/faqs', { question: 'Why?', answer: 'Because.', ...fields }))
const questions = async (client: Client, query = ''): Promise<string[]> =>
  succeeded(await client.get(`/v1/faqs?${query}`)).data.map(({ question }: Body) => question)
const find = (client: Client, query: string, rest = '') =>
  questions(client, `q=${encodeURIComponent(query)}${rest}`)
const refusedReorder = async (client: Client, ids: string[]) => client.post('/v1/faqs/reorder', { ids })

describe('an FAQ', () => {
  test('is a draft by default, and its answer is Markdown', async () => {
    const { test } = await api.world()
    assert.partialDeepStrictEqual(await faq(test, { answer: '**Yes** <script>x</script>' }), {
      ...{ object: 'faq', status: 'draft', locale: 'en', position: 0, archived: false, tags: [] },
      ...{ answer_html: '<p><strong>Yes</strong> </p>', category_id: null, kb_article_id: null },
    })
  })

  test('422 for an unknown language, and for a category or article that is not there', async () => {
    const { test } = await api.world()
    const faultsOf = async (bad: object) => {
      const { body } = await test.post('/v1/faqs', { question: 'a', answer: 'b', ...bad })
      return body.errors.map(({ pointer, code }: Body) => [pointer, code])
    }
    const unknown = {
      category_id: 'cat_01kah1vgm0e1tbm5ye8n2m9q7c',
      kb_article_id: 'kba_01kah1vgm0e1tbm5ye8n2m9q7c',
    }
    assert.deepEqual(await faultsOf({ locale: 'zz', ...unknown }), [['/locale', 'not_allowed']])
    assert.deepEqual(await faultsOf(unknown), [
      ['/category_id', 'not_found'],
      ['/kb_article_id', 'not_found'],
    ])
  })

  test('422 for an answer whose table has too many cells', async () => {
    const { test } = await api.world()
    const answer = `${'|a'.repeat(300)}|\n${'|-'.repeat(300)}|\n${'a\n'.repeat(200)}`
    const { status, body } = await test.post('/v1/faqs', { question: 'Why?', answer })
    assert.equal(status, 422)
    assert.partialDeepStrictEqual(body.errors, [{ pointer: '/answer', code: 'too_long' }])
  })

  test('409 for deleting what it names', async () => {
    const { test } = await api.world()
    const article = await published(test)
    const category = succeeded(await test.post('/v1/categories', { name: 'Cards' }))
    const made = await faq(test, { kb_article_id: article.id, category_id: category.id, tags: ['x'] })
    const [tag] = succeeded(await test.get('/v1/tags')).data
    const paths = [`/v1/kb/articles/${article.id}`, `/v1/categories/${category.id}`, `/v1/tags/${tag.id}`]
    for (const path of paths) assert.equal((await test.delete(path)).status, 409, path)
    assert.equal((await test.delete(`/v1/faqs/${made.id}`)).status, 204)
    for (const path of paths) assert.equal((await test.delete(path)).status, 204, path)
  })

  test('is listed by its filters; archived only when asked for', async () => {
    const { test } = await api.world()
    await faq(test, { question: 'a', tags: ['Cards'], status: 'published' })
    await faq(test, { question: 'b', locale: 'de' })
    await faq(test, { question: 'c', archived: true })
    assert.deepEqual(await questions(test), ['a', 'b'])
    assert.deepEqual(await questions(test, 'archived=true'), ['a', 'b', 'c'])
    assert.deepEqual(await questions(test, 'tag=cards'), ['a'])
    assert.deepEqual(await questions(test, 'locale=DE'), ['b'])
    assert.deepEqual(await questions(test, 'status=published'), ['a'])
  })

  test('has one vote of each end user', async () => {
    const { test } = await api.world()
    const { id } = await faq(test)
    const vote = async (user: number, helpful: boolean) =>
      succeeded(await test.post(`/v1/faqs/${id}/feedback`, { helpful, external_user_id: `user ${user}` }))
    await Promise.all(Array.from({ length: 30 }, (_, i) => vote(i % 10, i % 10 < 7)))
    const now = succeeded(await test.get(`/v1/faqs/${id}`))
    assert.deepEqual([now.helpful_count, now.unhelpful_count, now.version], [7, 3, 1])
  })
})

describe('reordering', () => {
  test('gives positions by one request, and tells of each that moved', async () => {
    const { test } = await api.world()
    const [a, b, c] = [
      await faq(test, { question: 'a' }),
      await faq(test, { question: 'b' }),
      await faq(test, { question: 'c' }),
    ]
    const answer = succeeded(await test.post('/v1/faqs/reorder', { ids: [c.id, a.id, b.id] }))
    assert.partialDeepStrictEqual(answer, { object: 'list', has_more: false, next_cursor: null })
    assert.deepEqual(
      answer.data.map(({ question, position, version }: Body) => [question, position, version]),
      [
        ['c', 0, 1],
        ['a', 1, 2],
        ['b', 2, 2],
      ],
    )
    assert.deepEqual(await questions(test), ['c', 'a', 'b'])
    const events = succeeded(await test.get('/v1/events?types=faq.reordered')).data
    assert.deepEqual(events.map(({ data }: Body) => [data.object.question, data.previous]).toSorted(), [
      ['a', { position: 0 }],
      ['b', { position: 0 }],
    ])
  })

  test('leaves an order that somebody asked for, however many ask at once', async () => {
    const { test } = await api.world()
    const made = await Promise.all(Array.from({ length: 6 }, () => faq(test)))
    const ids = made.map(({ id }) => id)
    const orders = [ids, ids.toReversed(), ids.toSpliced(0, 1).concat(ids[0])]
    await Promise.all(
      [...orders, ...orders].map(async (order) => succeeded(await refusedReorder(test, order))),
    )
    const now = succeeded(await test.get('/v1/faqs')).data.map(({ id }: Body) => id)
    assert.ok(orders.some((order) => order.join() === now.join()))
  })

  test('422 for an id twice, and for one that is not there', async () => {
    const { test } = await api.world()
    const { id } = await faq(test)
    assertRefused(await refusedReorder(test, [id, id]), '/ids/1', 'not_allowed')
    const none = 'faq_01kah1vgm0e1tbm5ye8n2m9q7c'
    assertRefused(await refusedReorder(test, [id, none]), '/ids/1', 'not_found')
  })
})

test('q finds by question and answer, unfinished and misspelt, best first, in pages, with the other filters', async () => {
  const { test } = await api.world()
  await faq(test, { question: 'Something else', answer: 'about a refund', position: 1 })
  await faq(test, { question: 'How do I get a refund?', position: 2, status: 'published' })
  await faq(test, { question: 'Unrelated', position: 0 })
  const best = ['How do I get a refund?', 'Something else']
  for (const query of ['refund', 'refu', 'refnud', 'REFUND', 'refund xyzzy'])
    assert.deepEqual(await find(test, query), best, query)
  assert.deepEqual(await find(test, 'refund', '&status=published'), [best[0]])
  const first = succeeded(await test.get('/v1/faqs?q=refund&limit=1&include=total'))
  assert.deepEqual([first.data[0].question, first.total], [best[0], 2])
  const next = succeeded(await test.get(`/v1/faqs?q=refund&limit=1&cursor=${first.next_cursor}`))
  assert.deepEqual([next.data[0].question, next.has_more], [best[1], false])
  assert.equal((await test.get('/v1/faqs?q=%22')).status, 400)
})

test('q finds with other filters among any number that have the words, and so do suggestions', async () => {
  const { test } = await api.world()
  await Promise.all(Array.from({ length: 210 }, (_, i) => faq(test, { question: `Refund ${i}` })))
  const { id } = await faq(test, { question: 'Refund?', status: 'published' })
  assert.deepEqual(await find(test, 'refund', '&status=published'), ['Refund?'])
  const about = succeeded(await test.post('/v1/conversations', { external_user_id: 'u', subject: 'Refund' }))
  const { data } = succeeded(await test.get(`/v1/conversations/${about.id}/suggestions`))
  assert.deepEqual(
    data.map((each: Body) => each.faq.id),
    [id],
  )
})

test('q finds what an FAQ says now', async () => {
  const { test } = await api.world()
  const { id } = await faq(test, { question: 'Zebra' })
  succeeded(await test.patch(`/v1/faqs/${id}`, { question: 'Giraffe' }))
  assert.deepEqual(await find(test, 'zebra'), [])
  assert.deepEqual(await find(test, 'giraffe'), ['Giraffe'])
  assert.equal((await test.delete(`/v1/faqs/${id}`)).status, 204)
  assert.deepEqual(await find(test, 'giraffe'), [])
})
