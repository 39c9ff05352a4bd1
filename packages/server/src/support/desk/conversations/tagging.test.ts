import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, type Body, conversation, shown, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { maxTags } from '../../vocabulary/conversations.ts'

const api = service()

const retag = async (client: Client, id: string, change: object): Promise<Body> =>
  succeeded(await client.post(`/v1/conversations/${id}/tags`, change))
const replace = async (client: Client, id: string, tags: string[]): Promise<Body> =>
  succeeded(await client.put(`/v1/conversations/${id}/tags`, { tags }))
const namesOf = async (client: Client): Promise<string[]> =>
  succeeded(await client.get('/v1/tags?limit=100')).data.map(({ name }: Body) => name)
const tagNamed = async (client: Client, name: string): Promise<Body> =>
  succeeded(await client.get('/v1/tags?limit=100')).data.find((tag: Body) => tag.name === name)

describe('tags of a conversation', () => {
  test('are replaced, added and removed, in their order and each once', async () => {
    const { test } = await api.world()
    const { id, tags } = await conversation(test, { tags: ['vip', 'billing'] })
    assert.deepEqual(tags, ['vip', 'billing'])
    assert.deepEqual((await retag(test, id, { add: ['late', 'vip'], remove: ['billing', 'none'] })).tags, [
      'vip',
      'late',
    ])
    const replaced = await replace(test, id, ['a', 'b', 'a'])
    assert.partialDeepStrictEqual(replaced, { tags: ['a', 'b'], version: 3 })
    assert.deepEqual((await replace(test, id, [])).tags, [])
    assert.deepEqual(await namesOf(test), ['a', 'b', 'billing', 'late', 'vip'])
  })

  test('that stay as they are change no version and tell nothing', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test, { tags: ['vip'] })
    await replace(test, id, ['VIP'])
    await retag(test, id, { add: ['Vip'], remove: ['none'] })
    const { version } = await retag(test, id, {})
    assert.equal(version, 1)
    assert.equal((await test.get(`/v1/conversations/${id}/timeline`)).body.data.length, 1)
  })

  test('are told of in one event, and each new tag in one of its own', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    await retag(test, id, { add: ['one', 'two'] })
    const { data } = succeeded(await test.get('/v1/conversations?limit=1'))
    assert.deepEqual(data[0].tags, ['one', 'two'])
    const timeline = (await test.get(`/v1/conversations/${id}/timeline`)).body.data
    assert.partialDeepStrictEqual(timeline.at(-1), {
      type: 'conversation.tags_changed',
      data: { previous: { tags: [] } },
    })
  })

  test('are one tag in every letter case, width and composition, in any script', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    for (const variants of [
      ['vip', 'VIP', ' Vip ', 'ＶＩＰ'],
      ['straße', 'STRASSE', 'Strasse'],
      ['Σίσυφος', 'ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
      ['café', 'cafe\u0301', 'CAFÉ'],
      ['Ёлка', 'ёлка'],
    ]) {
      for (const variant of variants) assert.equal((await replace(test, id, [variant])).tags.length, 1)
      assert.equal((await replace(test, id, variants)).tags.length, 1)
      assert.partialDeepStrictEqual(
        (await test.get(`/v1/conversations?tag=${encodeURIComponent(variants.at(-1)!)}`)).body.data,
        [{ id }],
      )
      const { status, body } = await test.post('/v1/tags', { name: variants.at(-1) })
      assert.deepEqual([status, body.code], [409, 'already_exists'])
    }
    assert.equal((await namesOf(test)).length, 5)
  })

  test('422 at the name of an archived one, unless the conversation has it already', async () => {
    const { test } = await api.world()
    const has = await conversation(test, { tags: ['old'] })
    const lacks = await conversation(test)
    const { id } = await tagNamed(test, 'old')
    succeeded(await test.patch(`/v1/tags/${id}`, { archived: true }))
    for (const [path, method, body, pointer] of [
      [`/v1/conversations/${lacks.id}/tags`, 'post', { add: ['new', 'OLD'] }, '/add/1'],
      [`/v1/conversations/${lacks.id}/tags`, 'put', { tags: ['old'] }, '/tags/0'],
      ['/v1/conversations', 'post', { external_user_id: 'u', tags: ['a', 'b', 'old'] }, '/tags/2'],
    ] as const) {
      const answer = await test[method](path, body)
      assert.equal(answer.status, 422, answer.text)
      assert.partialDeepStrictEqual(answer.body.errors, [{ pointer, code: 'not_allowed' }])
    }
    assert.equal(await tagNamed(test, 'new'), undefined)
    assert.deepEqual((await replace(test, has.id, ['new', 'old'])).tags, ['new', 'old'])
    assert.deepEqual((await retag(test, has.id, { remove: ['old'] })).tags, ['new'])
  })

  test('may change on a closed conversation, and are not too many on any', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    await act(test, id, 'close')
    assert.deepEqual((await retag(test, id, { add: ['late'] })).tags, ['late'])
    await replace(
      test,
      id,
      Array.from({ length: maxTags }, (_, i) => `t${i}`),
    )
    const { status, body } = await test.post(`/v1/conversations/${id}/tags`, { add: ['another'] })
    assert.partialDeepStrictEqual([status, body], [422, { errors: [{ pointer: '/add' }] }])
    assert.equal((await shown(test, id)).tags.length, maxTags)
  })

  test('one new name that many use at once becomes one tag, which all of them have', async () => {
    const { test } = await api.world()
    const made = await Promise.all(Array.from({ length: 20 }, () => conversation(test)))
    const variant = (i: number) => (i % 2 ? 'Sudden' : 'SUDDEN')
    await Promise.all(made.map(({ id }, i) => retag(test, id, { add: [variant(i)] })))
    await Promise.all(Array.from({ length: 10 }, (_, i) => conversation(test, { tags: [variant(i)] })))
    assert.equal((await namesOf(test)).length, 1)
    const { data } = succeeded(await test.get('/v1/conversations?tag=sudden&limit=100'))
    assert.equal(data.length, 30)
    assert.equal((await test.get('/v1/tags')).body.data[0].usage_count, 30)
  })

  test('of one conversation that are changed by many at once are all there', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test, { tags: ['gone'] })
    const names = Array.from({ length: 20 }, (_, i) => `t${i}`)
    await Promise.all(names.map((name) => retag(test, id, { add: [name], remove: ['gone'] })))
    assert.deepEqual((await shown(test, id)).tags.sort(), names.sort())
  })
})
