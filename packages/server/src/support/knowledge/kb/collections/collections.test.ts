import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { act, article, assertRefused, patch } from '@backline/test/knowledge.ts'

const api = service()
const path = '/v1/kb/collections'
const collection = async (client: Client, fields: object): Promise<Body> =>
  succeeded(await client.post(path, fields))
const move = (client: Client, { id }: Body, fields: object) => client.patch(`${path}/${id}`, fields)
const names = async (client: Client, query: string): Promise<string[]> =>
  succeeded(await client.get(`${path}?${query}`)).data.map(({ name }: Body) => name)

test('a root by default, with a slug from its name', async () => {
  const { test } = await api.world()
  assert.partialDeepStrictEqual(await collection(test, { name: 'Cards & Payments' }), {
    ...{ object: 'kb_collection', slug: 'cards-payments', parent_id: null, position: 0 },
    ...{ description: null, archived: false, article_count: 0 },
  })
})

test('another parent and place by one request, with all that is below', async () => {
  const { test } = await api.world()
  const [a, b] = [await collection(test, { name: 'A' }), await collection(test, { name: 'B' })]
  const one = await collection(test, { name: 'One', parent_id: a.id, position: 1 })
  await collection(test, { name: 'Below one', parent_id: one.id })
  await collection(test, { name: 'Two', parent_id: b.id, position: 1 })
  await collection(test, { name: 'Three', parent_id: b.id, position: 3 })
  const moved = succeeded(await move(test, one, { parent_id: b.id, position: 2 }))
  assert.partialDeepStrictEqual(moved, { parent_id: b.id, position: 2, version: 2 })
  assert.deepEqual(await names(test, `parent_id=${b.id}`), ['Two', 'One', 'Three'])
  assert.deepEqual(await names(test, `parent_id=${a.id}`), [])
  assert.deepEqual(await names(test, `parent_id=${one.id}`), ['Below one'])
})

test('422 for a cycle, a level too deep, and a parent that is not there', async () => {
  const { test } = await api.world()
  const chain: Body[] = []
  for (let level = 1; level <= 8; level++)
    chain.push(await collection(test, { name: `Level ${level}`, parent_id: chain.at(-1)?.id ?? null }))
  assertRefused(await move(test, chain[0], { parent_id: chain[3].id }), '/parent_id', 'not_allowed')
  assertRefused(await move(test, chain[0], { parent_id: chain[0].id }), '/parent_id', 'not_allowed')
  const deeper = { name: 'Level 9', parent_id: chain[7].id }
  assertRefused(await test.post(path, deeper), '/parent_id', 'not_allowed')
  const nowhere = { name: 'x', parent_id: 'kbc_01kah1vgm0e1tbm5ye8n2m9q7c' }
  assertRefused(await test.post(path, nowhere), '/parent_id', 'not_found')
})

test('of moves that would make a cycle together, one is refused', async () => {
  const { test } = await api.world()
  for (let round = 0; round < 5; round++) {
    const [a, b] = [
      await collection(test, { name: `A${round}` }),
      await collection(test, { name: `B${round}` }),
    ]
    const answers = await Promise.all([
      move(test, a, { parent_id: b.id }),
      move(test, b, { parent_id: a.id }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422])
  }
})

test('409 for a name or slug that a sibling has, archived or not; elsewhere it is free', async () => {
  const { test } = await api.world()
  const cards = await collection(test, { name: 'Cards', archived: true })
  for (const [fields, field] of [
    [{ name: 'CARDS', slug: 'x' }, 'name'],
    [{ name: 'x', slug: 'cards' }, 'slug'],
  ] as const) {
    const { status, body } = await test.post(path, fields)
    assert.deepEqual([status, body.code, body.params], [409, 'already_exists', { id: cards.id, field }])
  }
  const other = await collection(test, { name: 'Other' })
  await collection(test, { name: 'Cards', parent_id: other.id })
})

test('a slug that is made from a name is never taken among siblings', async () => {
  const { test } = await api.world()
  assert.equal((await collection(test, { name: 'Q A' })).slug, 'q-a')
  assert.match((await collection(test, { name: 'Q & A' })).slug, /^q-a-[0-9a-f]{12}$/)
  assert.match((await collection(test, { name: '!?' })).slug, /^[0-9a-f]{12}$/)
})

test('409 resource_in_use for deleting one with collections, drafts or served articles; 204 once it is empty', async () => {
  const { test } = await api.world()
  const parent = await collection(test, { name: 'Parent' })
  const child = await collection(test, { name: 'Child', parent_id: parent.id })
  const inUse = async ({ id }: Body) => (await test.delete(`${path}/${id}`)).body?.code === 'resource_in_use'
  assert.equal(await inUse(parent), true)
  const draft = await article(test, { collection_id: child.id })
  assert.equal(await inUse(child), true)
  succeeded(await act(test, draft, 'publish'))
  succeeded(await patch(test, draft, { collection_id: null }))
  assert.equal(await inUse(child), true, 'It is still served there')
  succeeded(await act(test, draft, 'publish'))
  assert.equal(await inUse(child), false)
  assert.equal(await inUse(parent), false)
})

test('counts what is served in it, not drafts, and not what is below', async () => {
  const { test } = await api.world()
  const cards = await collection(test, { name: 'Cards' })
  const below = await collection(test, { name: 'Below', parent_id: cards.id })
  const count = async () => succeeded(await test.get(`${path}/${cards.id}`)).article_count
  const first = await article(test, { collection_id: cards.id })
  await article(test, { collection_id: below.id }, true)
  assert.equal(await count(), 0)
  succeeded(await act(test, first, 'publish'))
  assert.equal(await count(), 1)
  succeeded(await patch(test, first, { collection_id: below.id }))
  assert.equal(await count(), 1)
  succeeded(await act(test, first, 'unpublish'))
  assert.equal(await count(), 0)
})

test('422 for an article in an archived one; it may stay where it is', async () => {
  const { test } = await api.world()
  const cards = await collection(test, { name: 'Cards' })
  const first = await article(test, { collection_id: cards.id })
  succeeded(await move(test, cards, { archived: true }))
  assertRefused(
    await test.post('/v1/kb/articles', { collection_id: cards.id }),
    '/collection_id',
    'not_allowed',
  )
  succeeded(await patch(test, first, { collection_id: cards.id, title: 'x' }))
  assert.deepEqual(await names(test, ''), [])
  assert.deepEqual(await names(test, 'archived=true'), ['Cards'])
})
