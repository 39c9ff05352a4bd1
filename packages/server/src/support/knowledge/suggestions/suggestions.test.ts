import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { article, published } from '@backline/test/knowledge.ts'

const api = service()

const faq = async (client: Client, fields: object): Promise<Body> =>
  succeeded(await client.post('/v1/faqs', { answer: 'An answer', status: 'published', ...fields }))
const suggestions = async (client: Client, { id }: Body, query = ''): Promise<Body[]> =>
  succeeded(await client.get(`/v1/conversations/${id}/suggestions?${query}`)).data
const named = (all: Body[]): string[] => all.map(({ article, faq }) => article?.title ?? faq.question)

test('articles and FAQs that fit the subject, the best first; no drafts, nothing archived', async () => {
  const { test } = await api.world()
  await published(test, { title: 'Card declined abroad', body: 'What to do' })
  await published(test, { title: 'Parcels', body: 'My card was in the parcel' })
  await published(test, { title: 'Unrelated' })
  await article(test, { title: 'Card declined: a draft' })
  await faq(test, { question: 'Why was my card declined?' })
  await faq(test, { question: 'Card declined: a draft', status: 'draft' })
  await faq(test, { question: 'Card declined: archived', archived: true })
  const found = await suggestions(test, await conversation(test, { subject: 'Card declined' }))
  assert.deepEqual(named(found).slice(0, 2).toSorted(), ['Card declined abroad', 'Why was my card declined?'])
  assert.deepEqual(named(found).slice(2), ['Parcels'])
  for (const each of found) {
    assert.deepEqual(Object.keys(each), ['type', 'article', 'faq', 'score'])
    assert.equal(each.type === 'faq' ? each.article : each.faq, null)
  }
})

test("go by the end user's last messages, too, not by what operators say", async () => {
  const { test } = await api.world()
  await published(test, { title: 'Parachutes' })
  await published(test, { title: 'Submarines' })
  const about = await conversation(test, { subject: 'Hello' })
  assert.deepEqual(await suggestions(test, about), [])
  await say(test, about.id, 'end_user', { body: 'My parachutes are late' })
  await say(test, about.id, 'system', { body: 'submarines' })
  assert.deepEqual(named(await suggestions(test, about)), ['Parachutes'])
})

test('are in the language of the conversation, or one that it falls back to', async () => {
  const { test } = await api.world()
  for (const locale of ['de', 'en', 'pt', 'pt-BR']) await published(test, { title: `Pix ${locale}`, locale })
  const found = async (language: string | null) =>
    named(await suggestions(test, await conversation(test, { subject: 'Pix', language }))).toSorted()
  assert.deepEqual(await found('pt-BR'), ['Pix pt', 'Pix pt-BR'])
  assert.deepEqual(await found('de'), ['Pix de'])
  assert.deepEqual(await found('zz'), [])
  assert.equal((await found(null)).length, 4)
})

test('show only what the key may read', async () => {
  const { test, withScopes } = await api.world()
  await published(test, { title: 'Card' })
  await faq(test, { question: 'Card?' })
  const about = await conversation(test, { subject: 'Card' })
  for (const [scope, types] of [
    ['kb:read', ['kb_article']],
    ['faqs:read', ['faq']],
    ['tags:read', []],
  ] as const) {
    const client = await withScopes('conversations:read', scope)
    assert.deepEqual(
      (await suggestions(client, about)).map(({ type }) => type),
      types,
    )
  }
})

test('come in pages', async () => {
  const { test } = await api.world()
  for (let i = 0; i < 4; i++) await published(test, { title: `Card ${i}` })
  for (let i = 0; i < 3; i++) await faq(test, { question: `Card ${i}?` })
  const { id } = await conversation(test, { subject: 'Card' })
  const seen: string[] = []
  let path: string | null = `/v1/conversations/${id}/suggestions?limit=2&include=total`
  while (path) {
    const page: Body = succeeded(await test.get(path))
    assert.equal(page.total, 7)
    seen.push(...named(page.data))
    path = page.has_more
      ? `/v1/conversations/${id}/suggestions?limit=2&include=total&cursor=${page.next_cursor}`
      : null
  }
  assert.equal(new Set(seen).size, 7)
  assert.equal(seen.length, 7)
})

test('404 for no conversation; none for one in which nothing is said', async () => {
  const { test } = await api.world()
  const none = await test.get('/v1/conversations/conv_01kah1vgm0e1tbm5ye8n2m9q7c/suggestions')
  assert.equal(none.status, 404)
  await published(test)
  assert.deepEqual(await suggestions(test, await conversation(test, { subject: '?!' })), [])
})
