import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, conversation, operator, succeeded } from '@backline/test/desk.ts'
import { listed } from '@backline/test/filter-trees.ts'
import { type Client, service } from '@backline/test/harness.ts'

const api = service()

let made = 0
const view = async (client: Client, filter: object, fields: object = {}): Promise<string> =>
  succeeded(await client.post('/v1/views', { name: `View ${++made}`, filter, ...fields })).id
const high = { field: 'priority', op: 'is', value: 'high' }
const itemsOf = (client: Client, id: string, query: Record<string, string> = {}) =>
  listed(client, `/v1/views/${id}/items`, query)
const several = async (client: Client, count: number, fields: object = {}): Promise<string[]> =>
  (await Promise.all(Array.from({ length: count }, () => conversation(client, fields)))).map(({ id }) => id)
const byId = (ids: string[]) => ids.toSorted()

test('items are those of the list, in the order of the view, page by page', async () => {
  const { test: client } = await api.world()
  await several(client, 3)
  const ids = byId(await several(client, 7, { priority: 'high', subject: 'Refund' }))
  const oldest = await view(client, high, { sort: 'created_at' })
  const newest = await view(client, { any: [high, { field: 'subject', op: 'is', value: 'x' }] })
  for (const limit of ['2', '7', '100']) {
    assert.deepEqual(await itemsOf(client, oldest, { limit }), ids)
    assert.deepEqual(await itemsOf(client, newest, { limit }), ids.toReversed())
  }
  const list = succeeded(await client.get('/v1/conversations?priority=high&sort=created_at&include=end_user'))
  const items = succeeded(await client.get(`/v1/views/${oldest}/items?include=total,end_user`))
  assert.deepEqual(items.data, list.data)
  assert.equal(items.total, 7)
  assert.equal(succeeded(await client.get(`/v1/views/${newest}/items?include=total`)).total, 7)
})

test('a walk sees each item once while others are created', async () => {
  const { test: client } = await api.world()
  const ids = byId(await several(client, 6, { priority: 'high' }))
  const id = await view(client, { all: [high, { field: 'message_count', op: 'gte', value: 0 }] })
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Body = succeeded(
      await client.get(`/v1/views/${id}/items?limit=2${cursor && `&cursor=${cursor}`}`),
    )
    seen.push(...page.data.map((each: Body) => each.id))
    cursor = page.next_cursor
    await several(client, 2, { priority: 'high' })
  }
  assert.deepEqual(seen, ids.toReversed())
})

test('the order is that of the view alone', async () => {
  const { test: client } = await api.world()
  const id = await view(client, high)
  for (const sort of ['view', 'created_at']) {
    const { status, body } = await client.get(`/v1/views/${id}/items?sort=${sort}`)
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map(({ parameter, code }: Body) => [parameter, code]),
      [['sort', 'unknown_field']],
    )
  }
})

test('a cursor does not continue the list in another order', async () => {
  const { test: client } = await api.world()
  await several(client, 3, { priority: 'high' })
  const id = await view(client, high)
  const { next_cursor } = succeeded(await client.get(`/v1/views/${id}/items?limit=1`))
  const path = `/v1/views/${id}/items?limit=1&cursor=${next_cursor}`
  succeeded(await client.patch(`/v1/views/${id}`, { name: 'With another name' }))
  succeeded(await client.get(path))
  succeeded(await client.patch(`/v1/views/${id}`, { sort: '-last_message_at' }))
  const answer = await client.get(path)
  assert.equal(answer.status, 400)
  assert.equal(answer.body.code, 'cursor_mismatch')
})

test('a cursor does not continue the list with another filter of the view, or for another me', async () => {
  const { test: client } = await api.world()
  await several(client, 3, { priority: 'high' })
  const mine = { field: 'assignee_id', op: 'is_not', value: 'me' }
  const [ada, ben] = [await operator(client), await operator(client)]
  const id = await view(client, high)
  const named = await view(client, mine)
  const get = (path: string, me = ada) => client.get(path, { 'backline-operator': me })
  const further = async (path: string) => {
    const { next_cursor } = succeeded(await get(path))
    return `${path}&cursor=${next_cursor}`
  }
  const path = await further(`/v1/views/${id}/items?limit=1`)
  succeeded(await get(path, ben))
  for (const of of [
    `/v1/views/${named}/items?limit=1`,
    `/v1/views/${id}/items?limit=1&filter=${encodeURIComponent(JSON.stringify(mine))}`,
  ]) {
    const next = await further(of)
    succeeded(await get(next))
    const answer = await get(next, ben)
    assert.deepEqual([answer.status, answer.body.code], [400, 'cursor_mismatch'])
  }
  const other = { field: 'priority', op: 'is_not', value: 'low' }
  succeeded(await client.patch(`/v1/views/${id}`, { filter: other }))
  assert.equal((await get(path)).body.code, 'cursor_mismatch')
  succeeded(await client.patch(`/v1/views/${id}`, { filter: high }))
  succeeded(await get(path))
})

test('simple filters and a further filter stand beside that of the view', async () => {
  const { test: client } = await api.world()
  const [one] = await several(client, 1, { priority: 'high', external_user_id: 'anna', tags: ['vip'] })
  await several(client, 2, { priority: 'high' })
  await several(client, 2, { external_user_id: 'anna' })
  const id = await view(client, high)
  const filter = JSON.stringify({ field: 'tags', op: 'contains', value: 'VIP' })
  for (const query of [
    { external_user_id: 'anna' },
    { tag: 'vip' },
    { filter },
    { filter, status: 'new,open' },
  ])
    assert.deepEqual(await itemsOf(client, id, query), [one])
  assert.deepEqual(await itemsOf(client, id, { priority: 'normal' }), [])
  const wrong = await client.get(`/v1/views/${id}/items?email=a@example.com&status=active`)
  assert.equal(wrong.status, 400)
  assert.deepEqual(
    wrong.body.errors.map(({ parameter, code }: Body) => [parameter, code]),
    [
      ['email', 'not_allowed'],
      ['status', 'not_allowed'],
    ],
  )
})

test('a view of end users lists end users, with their filters', async () => {
  const { test: client } = await api.world()
  const person = async (name: string, address: string): Promise<string> =>
    succeeded(await client.post('/v1/end_users', { name, emails: [{ address }] })).id
  const [zoe, ada] = [await person('Zoe', 'z@x.org'), await person('Ada', 'a@x.org')]
  const eve = await person('Eve', 'eve@example.com')
  const filter = { field: 'email', op: 'contains', value: '@x.org' }
  const id = await view(client, filter, { applies_to: 'end_user', sort: 'name' })
  assert.deepEqual(await itemsOf(client, id, { limit: '1' }), [ada, zoe])
  assert.deepEqual(await itemsOf(client, id, { email: 'Z@x.org' }), [zoe])
  assert.deepEqual(await itemsOf(client, id, { q: 'ada' }), [ada])
  succeeded(await client.post(`/v1/end_users/${zoe}/block`))
  assert.deepEqual(await itemsOf(client, id, { status: 'blocked' }), [zoe])
  succeeded(await client.post(`/v1/end_users/${zoe}/merge`, { into_id: eve }))
  assert.deepEqual(await itemsOf(client, id), [eve, ada].toReversed())
  const page = succeeded(await client.get(`/v1/views/${id}/items?include=total`))
  assert.deepEqual([page.total, page.data[0].object], [2, 'end_user'])
  for (const query of ['priority=high', 'status=open', 'status=active,blocked', 'include=assignee'])
    assert.equal((await client.get(`/v1/views/${id}/items?${query}`)).status, 400, query)
})

test('me is the operator of the request', async () => {
  const { test: client } = await api.world()
  const [ada, ben] = [await operator(client), await operator(client)]
  const [hers] = await several(client, 1, { assignee_id: ada })
  const [his] = await several(client, 1, { assignee_id: ben })
  const id = await view(client, { field: 'assignee_id', op: 'in', value: ['me'] })
  const as = async (me: string) =>
    succeeded(await client.get(`/v1/views/${id}/items`, { 'backline-operator': me })).data.map(
      (each: Body) => each.id,
    )
  assert.deepEqual(await as(ada), [hers])
  assert.deepEqual(await as(ben), [his])
  for (const path of [`/v1/views/${id}/items`, `/v1/views/counts?ids=${id}`]) {
    const answer = await client.get(path)
    assert.equal(answer.status, 400)
    assert.deepEqual(
      answer.body.errors.map(({ header, code }: Body) => [header, code]),
      [['Backline-Operator', 'required']],
    )
  }
  const counted = succeeded(await client.get(`/v1/views/counts?ids=${id}`, { 'backline-operator': ada })).data
  assert.equal(counted[0].count, 1)
})

test('items and counts need the right to read the objects', async () => {
  const world = await api.world()
  const { test: client } = world
  const of = {
    conversations: await view(client, high),
    end_users: await view(client, { field: 'name', op: 'exists', value: true }, { applies_to: 'end_user' }),
  }
  for (const [family, id] of Object.entries(of)) {
    const limited = await world.withScopes('views:read')
    const enough = await world.withScopes('views:read', `${family}:read`)
    for (const path of [`/v1/views/${id}/items`, `/v1/views/counts?ids=${id}`]) {
      const answer = await limited.get(path)
      assert.equal(answer.status, 403)
      assert.deepEqual(answer.body.params, { scope: `${family}:read` })
      assert.equal((await enough.get(path)).status, 200)
    }
  }
  const both = await world.withScopes('views:read', 'conversations:read')
  assert.equal((await both.get(`/v1/views/counts?ids=${of.conversations},${of.end_users}`)).status, 403)
})

test('counts are exact, in the order of the ids, and tell of broken views', async () => {
  const { test: client } = await api.world()
  await several(client, 3, { priority: 'high' })
  await several(client, 2)
  const field = succeeded(
    await client.post('/v1/custom_fields', { applies_to: 'conversation', name: 'A', key: 'a', type: 'text' }),
  ).id
  const ids = [
    await view(client, high),
    await view(client, { field: 'custom_fields.a', op: 'exists', value: false }),
    await view(client, { not: high }),
    await view(client, { field: 'external_id', op: 'is', value: 'user_42' }, { applies_to: 'end_user' }),
  ]
  const counted = async (query: string) =>
    succeeded(await client.get(`/v1/views/counts${query}`)).data.map(
      ({ view_id, count, more, broken }: Body) => [
        ids.indexOf(view_id),
        count,
        more,
        broken?.pointer ?? null,
      ],
    )
  const all = `?ids=${ids.toReversed().join()}`
  assert.deepEqual(await counted(all), [
    [3, 1, false, null],
    [2, 2, false, null],
    [1, 5, false, null],
    [0, 3, false, null],
  ])
  assert.equal((await client.delete(`/v1/custom_fields/${field}`)).status, 204)
  assert.deepEqual(await counted(`?ids=${ids[1]},${ids[0]},${ids[1]}`), [
    [1, null, false, '/field'],
    [0, 3, false, null],
  ])
  assert.deepEqual((await counted('')).length, 4)
  for (const given of [`ids=${ids.toReversed().join()}&`, '']) {
    const walked: Body[] = []
    let cursor = ''
    do {
      const page = succeeded(await client.get(`/v1/views/counts?${given}limit=3${cursor}&include=total`))
      walked.push(...page.data)
      assert.equal(page.total, 4)
      cursor = page.has_more ? `&cursor=${page.next_cursor}` : ''
    } while (cursor)
    assert.deepEqual(
      walked.map(({ view_id }) => view_id),
      given ? ids.toReversed() : ids,
    )
  }
  const unknown = 'view_01kah1vgm0e1tbm5ye8n2m9q7c'
  const answer = await client.get(`/v1/views/counts?ids=${ids[0]},${unknown}`)
  assert.equal(answer.status, 400)
  assert.deepEqual(
    answer.body.errors.map(({ parameter, code }: Body) => [parameter, code]),
    [['ids', 'not_found']],
  )
  assert.match(answer.body.errors[0].detail, new RegExp(unknown))
  const tooMany = await client.get(`/v1/views/counts?ids=${Array(51).fill(ids[0]).join()}`)
  assert.equal(tooMany.status, 400)
  assert.deepEqual(tooMany.body.errors, [
    { parameter: 'ids', code: 'too_long', detail: 'must have at most 50 ids' },
  ])
  assert.equal((await client.get(`/v1/views/counts?ids=${Array(50).fill(ids[0]).join()}`)).status, 200)
})

test('without ids, the views that the request can count are counted', async () => {
  const world = await api.world()
  const { test: client } = world
  const plain = await view(client, high)
  const people = { field: 'name', op: 'exists', value: true }
  const ofPeople = await view(client, people, { applies_to: 'end_user' })
  const mine = await view(client, { field: 'assignee_id', op: 'is', value: 'me' })
  const ada = await operator(client)
  const countedBy = async (by: Client, headers = {}): Promise<string[]> =>
    succeeded(await by.get('/v1/views/counts', headers)).data.map((each: Body) => each.view_id)
  const me = { 'backline-operator': ada }
  assert.deepEqual(byId(await countedBy(client, me)), byId([plain, ofPeople, mine]))
  assert.deepEqual(byId(await countedBy(client)), byId([plain, ofPeople]))
  const limited = await world.withScopes('views:read', 'conversations:read')
  assert.deepEqual(byId(await countedBy(limited, me)), byId([plain, mine]))
  assert.deepEqual(await countedBy(await world.withScopes('views:read')), [])
})

test('a count stops at 1,000 and says that there are more', async () => {
  const { test: client } = await api.world()
  for (let i = 0; i < 10; i++) await several(client, 100)
  const plain = await view(client, { field: 'status', op: 'is', value: 'new' })
  const checked = await view(client, { field: 'message_count', op: 'lt', value: 5 })
  const counts = async () =>
    succeeded(await client.get(`/v1/views/counts?ids=${plain},${checked}`)).data.map(
      ({ count, more }: Body) => [count, more],
    )
  assert.deepEqual(await counts(), [
    [1000, false],
    [1000, false],
  ])
  await several(client, 1)
  assert.deepEqual(await counts(), [
    [1000, true],
    [1000, true],
  ])
})
