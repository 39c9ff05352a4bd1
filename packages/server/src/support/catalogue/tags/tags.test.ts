import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Body, conversation, shown, succeeded } from '@backline/test/desk.ts'
import { type Client, clientOf, service } from '@backline/test/harness.ts'
import { cleanUp, secondServer } from '@backline/test/processes.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()

const tag = async (client: Client, name: string): Promise<Body> =>
  succeeded(await client.post('/v1/tags', { name }))
const merge = (client: Client, from: Body, into: Body) =>
  client.post(`/v1/tags/${from.id}/merge`, { into_id: into.id })
const found = async (client: Client, name: string): Promise<string[]> =>
  succeeded(await client.get(`/v1/conversations?tag=${encodeURIComponent(name)}&limit=100`))
    .data.map(({ id }: Body) => id)
    .sort()
const usesOf = async (client: Client, { id }: Body): Promise<number> =>
  succeeded(await client.get(`/v1/tags/${id}`)).usage_count

test('a total is exact up to 10,000, and says so when there are more', async () => {
  const { test, environments } = await api.world()
  await tag(test, 'first')
  await api.db.write(sql`insert into tags (tenant_id, id, name, name_key, archived, created_at, updated_at, version)
    select tenant_id, gen_random_uuid(), 'tag ' || n, 'tag ' || n, archived, created_at, updated_at, version
    from tags, generate_series(1, 9999) n where tenant_id = ${environments.test.tenantId}`)
  const total = async () => {
    const { total, total_is_capped } = succeeded(await test.get('/v1/tags?limit=1&include=total'))
    return [total, total_is_capped]
  }
  assert.deepEqual(await total(), [10_000, false])
  await tag(test, 'one more')
  assert.deepEqual(await total(), [10_000, true])
})

test('a new name shows on every conversation at once, and finds them', async () => {
  const { test } = await api.world()
  const { id } = await conversation(test, { tags: ['billing'] })
  const [billing] = (await test.get('/v1/tags')).body.data
  succeeded(await test.patch(`/v1/tags/${billing.id}`, { name: 'Money' }))
  assert.deepEqual((await shown(test, id)).tags, ['Money'])
  assert.deepEqual(await found(test, 'money'), [id])
  assert.deepEqual(await found(test, 'billing'), [])
})

test('409 for deleting a tag that is used, also by way of an alias; 204 when it no longer is', async () => {
  const { test } = await api.world()
  const { id } = await conversation(test, { tags: ['used'] })
  const [used] = (await test.get('/v1/tags')).body.data
  const into = await tag(test, 'into')
  const refused = async (which: Body) => {
    const { status, body } = await test.delete(`/v1/tags/${which.id}`)
    assert.deepEqual([status, body.code, body.params], [409, 'resource_in_use', { hint: 'archive' }])
  }
  await refused(used)
  succeeded(await merge(test, used, into))
  await refused(into)
  succeeded(await test.put(`/v1/conversations/${id}/tags`, { tags: [] }))
  assert.equal((await test.delete(`/v1/tags/${into.id}`)).status, 204)
  await tag(test, 'used')
})

describe('merging', () => {
  test('moves every use, deletes the tag, and keeps its name as an alias', async () => {
    const { test } = await api.world()
    const [one, both] = [
      await conversation(test, { tags: ['old'] }),
      await conversation(test, { tags: ['old', 'other', 'new'] }),
    ]
    const tags: Body[] = (await test.get('/v1/tags')).body.data
    const [old, into] = ['old', 'new'].map((name) => tags.find((each) => each.name === name))
    const merged = await merge(test, old, into)
    assert.partialDeepStrictEqual(merged.body, { id: into.id, name: 'new', usage_count: 2 })
    assert.equal((await test.get(`/v1/tags/${old.id}`)).status, 404)
    assert.deepEqual((await shown(test, one.id)).tags, ['new'])
    assert.deepEqual((await shown(test, both.id)).tags, ['new', 'other'])
    for (const name of ['old', 'NEW']) assert.deepEqual(await found(test, name), [one.id, both.id].sort())
    assert.deepEqual((await conversation(test, { tags: ['OLD'] })).tags, ['new'])
    const taken = await test.post('/v1/tags', { name: 'Old' })
    assert.deepEqual([taken.status, taken.body.params], [409, { id: into.id, field: 'name' }])
    succeeded(await test.post(`/v1/conversations/${both.id}/tags`, { remove: ['old'] }))
    assert.deepEqual((await shown(test, both.id)).tags, ['other'])
    assert.equal(await usesOf(test, into), 2)
  })

  test('leads on: what went into a tag goes with it', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test, { tags: ['a', 'b'] })
    const tags: Body[] = (await test.get('/v1/tags')).body.data
    const [a, b] = ['a', 'b'].map((name) => tags.find((each) => each.name === name))
    const c = await tag(test, 'c')
    succeeded(await merge(test, a, b))
    succeeded(await merge(test, b, c))
    assert.deepEqual((await shown(test, id)).tags, ['c'])
    for (const name of ['a', 'b', 'c']) assert.deepEqual(await found(test, name), [id])
    assert.equal(await usesOf(test, c), 1)
  })

  test('422 for itself, for one that is none, and for one that was merged', async () => {
    const { test, live } = await api.world()
    const [a, b] = [await tag(test, 'a'), await tag(test, 'b')]
    for (const [into, code] of [
      [a, 'not_allowed'],
      [await tag(live, 'foreign'), 'not_found'],
    ]) {
      const { status, body } = await merge(test, a, into)
      assert.equal(status, 422)
      assert.partialDeepStrictEqual(body.errors, [{ pointer: '/into_id', code }])
    }
    succeeded(await merge(test, a, b))
    assert.equal((await merge(test, b, a)).status, 422)
    assert.equal((await merge(test, a, b)).status, 404)
  })
})

describe('beside others', () => {
  let otherUrl = ''
  before(async () => {
    otherUrl = (await secondServer(api)).url
  })
  after(cleanUp)

  test('a merge loses none of what 50 add and remove at the same time', async () => {
    const { test } = await api.world()
    const clients = [test, clientOf(otherUrl, test.key)]
    const before = await Promise.all(
      Array.from({ length: 25 }, () => conversation(test, { tags: ['old', 'extra'] })),
    )
    const plain = await Promise.all(Array.from({ length: 25 }, () => conversation(test)))
    const tags: Body[] = (await test.get('/v1/tags')).body.data
    const old = tags.find(({ name }) => name === 'old')
    const [middle, into] = [await tag(test, 'middle'), await tag(test, 'into')]
    const change = (id: string, i: number, body: object) =>
      clients[i % 2]!.post(`/v1/conversations/${id}/tags`, body)
    const mergeBoth = async () => {
      succeeded(await merge(clients[1]!, old, middle))
      return merge(test, middle, into)
    }
    const answers = await Promise.all([
      ...before.map(({ id }, i) => change(id, i, { remove: [i % 5 === 0 ? 'old' : 'extra'] })),
      mergeBoth(),
      ...plain.map(({ id }, i) => change(id, i, { add: ['old'] })),
    ])
    for (const answer of answers) succeeded(answer)
    const having = [...before.filter((_, i) => i % 5 !== 0), ...plain].map(({ id }) => id).sort()
    assert.deepEqual(await found(test, 'old'), having)
    assert.equal(await usesOf(test, into), having.length)
    for (const { id } of [...before, ...plain])
      assert.equal((await shown(test, id)).tags.includes('into'), having.includes(id))
  })

  test('two tags that are merged into each other at once: one goes into the other', async () => {
    const { test } = await api.world()
    const other = clientOf(otherUrl, test.key)
    for (let round = 0; round < 10; round++) {
      const [a, b] = [await tag(test, `a${round}`), await tag(test, `b${round}`)]
      const answers = await Promise.all([merge(test, a, b), merge(other, b, a)])
      const statuses = answers.map(({ status }) => status).sort()
      assert.ok(['200,404', '200,422'].includes(statuses.join()), answers.map(({ text }) => text).join())
    }
    assert.equal((await test.get('/v1/tags')).body.data.length, 10)
  })
})
