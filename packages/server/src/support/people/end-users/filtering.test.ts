import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { listed, type Oracle, randomTree, type Shown } from '@backline/test/filter-trees.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { cases, Random, seedOf } from '@backline/test/random.ts'
import { rounds } from '@backline/test/thorough.ts'

const api = service()

const names = ['Ada', 'ada Lovelace', 'ÄRGER', '50% off', 'a_b']
const emails = ['one@example.com', 'TWO@Example.com', 'three@example.com']
const phones = ['+4930123456', '+4930123457']
const times = ['2026-01-01T00:00:00.000Z', '2026-06-15T12:30:00.500Z', '2026-12-31T23:59:59.999Z']

/** An environment with end users that differ in what filters can name. */
async function people(random: Random) {
  const { test: client } = await api.world()
  const post = async (path: string, body: object) => succeeded(await client.post(`/v1/${path}`, body))
  const define = (applies_to: string, field: object) =>
    post('custom_fields', { applies_to, name: 'Field', ...field })
  await define('end_user', { key: 'plan', type: 'select', options: [{ value: 'free' }, { value: 'pro' }] })
  await define('end_user', { key: 'score', type: 'number', indexed: true })
  await define('company', { key: 'tier', type: 'text', indexed: true })
  const companies: Body[] = []
  for (const tier of ['gold', 'Silver', null])
    companies.push(
      await post('companies', { name: `Company ${tier}`, custom_fields: tier === null ? {} : { tier } }),
    )
  const maybe = (chance: number, value: object) => (random.chance(chance) ? value : {})
  for (let i = 0; i < 50; i++) {
    const custom_fields = {
      ...maybe(0.6, { plan: random.pick(['free', 'pro']) }),
      ...maybe(0.6, { score: random.pick([-2.5, 0, 3]) }),
    }
    const merges = i > 0 && random.chance(0.1)
    const { id } = await post('end_users', {
      external_id: `user ${i}`,
      ...maybe(0.7, { name: random.pick(names) }),
      ...maybe(0.5, { emails: [{ address: random.pick(emails) }] }),
      ...maybe(0.4, { phones: [random.pick(phones)] }),
      ...maybe(0.4, { language: random.pick(['de', 'pt-BR']) }),
      ...maybe(merges ? 0 : 0.5, { company_ids: [random.pick(companies).id] }),
      custom_fields,
    })
    if (random.chance(0.2)) await post(`end_users/${id}/block`, {})
    if (merges) await post(`end_users/${id}/merge`, { into_id: await latest(client, id), keep_alias: true })
  }
  const present: Shown[] = succeeded(await client.get('/v1/end_users?limit=100')).data
  const merged: Shown[] = succeeded(await client.get('/v1/end_users?limit=100&status=merged')).data
  return { client, companies, all: [...present, ...merged] }
}

/** The latest end user besides this one. */
const latest = async (client: Client, id: string): Promise<string> =>
  succeeded(await client.get('/v1/end_users?limit=2')).data.find((each: Body) => each.id !== id).id

const oraclesOf = (companies: Body[]): Oracle[] => [
  { name: 'name', kind: 'text', of: ({ name }) => name, values: names },
  { name: 'language', kind: 'text', of: ({ language }) => language, values: ['de', 'pt-BR', 'fr'] },
  {
    name: 'status',
    kind: 'enum',
    of: ({ status }) => status,
    values: ['active', 'blocked', 'merged', 'erased'],
  },
  { name: 'verified', kind: 'boolean', of: (row) => row.verified_at !== null, values: [true, false] },
  { name: 'created_at', kind: 'time', of: (row) => row.created_at, values: times },
  { name: 'last_seen_at', kind: 'time', of: (row) => row.last_seen_at, values: times },
  {
    name: 'company_id',
    kind: 'id',
    of: ({ company_ids: [id] }) => id,
    values: companies.map(({ id }) => id),
  },
  {
    name: 'custom_fields.plan',
    kind: 'enum',
    of: (row) => row.custom_fields.plan,
    values: ['free', 'pro'],
  },
  { name: 'custom_fields.score', kind: 'number', of: (row) => row.custom_fields.score, values: [-2.5, 0, 7] },
  {
    name: 'company.custom_fields.tier',
    kind: 'text',
    of: ({ company_ids: [id] }) => companies.find((each) => each.id === id)?.custom_fields.tier,
    values: ['gold', 'Silver', 'old'],
  },
]

const namesIn = (json: object): boolean => JSON.stringify(json).includes('"field":"status"')
const rank: Record<string, (row: Shown) => string> = {
  '-created_at': ({ id }) => id,
  created_at: ({ id }) => id,
  name: ({ name, id }) => `${name === null ? '1' : `0${name.toUpperCase().toLowerCase()}`}\0${id}`,
}

test('a list with any filter is what an evaluation of each end user finds, in its order', async (t) => {
  const random = new Random(seedOf(t))
  const { client, companies, all } = await people(random)
  const oracles = oraclesOf(companies)
  for (const _ of cases(rounds(200, 50))) {
    const tree = randomTree(random, oracles, 4)
    const sort = random.pick(Object.keys(rank))
    const status = random.chance(0.2) ? random.pick(['active', 'blocked', 'merged']) : undefined
    const isListed = (row: Shown) =>
      status === undefined ? namesIn(tree.json) || row.status !== 'merged' : row.status === status
    const key = rank[sort]!
    const expected = all
      .filter((row) => isListed(row) && tree.meets(row))
      .sort((one, other) => (key(one) < key(other) ? -1 : 1))
      .map(({ id }) => id)
    if (sort.startsWith('-')) expected.reverse()
    const limit = random.pick(['7', '100'])
    const query = { filter: JSON.stringify(tree.json), sort, limit, ...(status ? { status } : {}) }
    assert.deepEqual(await listed(client, '/v1/end_users', query), expected, JSON.stringify(query))
    const { total } = succeeded(
      await client.get(`/v1/end_users?${new URLSearchParams({ ...query, include: 'total' })}`),
    )
    assert.equal(total, expected.length, JSON.stringify(query))
  }
})

test('a filter stands beside words and addresses, and finds one of several addresses', async () => {
  const { test: client } = await api.world()
  const create = async (body: object): Promise<string> =>
    succeeded(await client.post('/v1/end_users', body)).id
  const both = await create({ name: 'Ada', emails: [{ address: 'a@example.com' }, { address: 'B@x.org' }] })
  await create({ name: 'Ada', emails: [{ address: 'c@example.com' }] })
  await create({ name: 'Ben', emails: [{ address: 'd@x.org' }] })
  const filter = JSON.stringify({ field: 'email', op: 'contains', value: '@X.ORG' })
  for (const beside of [{ q: 'ada' }, { email: 'A@example.com' }])
    assert.deepEqual(await listed(client, '/v1/end_users', { filter, ...beside }), [both])
  const none = JSON.stringify({ field: 'email', op: 'is_not', value: 'b@x.org' })
  assert.equal((await listed(client, '/v1/end_users', { filter: none })).length, 2)
})

test('all faults of a filter are named at once, relative to it', async () => {
  const { test: client } = await api.world()
  const filter = {
    all: [
      { field: 'nme', op: 'is', value: 'x' },
      { not: { field: 'verified', op: 'is', value: 'yes' } },
      { field: 'status', op: 'gt', value: 'active' },
    ],
  }
  const query = new URLSearchParams({ filter: JSON.stringify(filter) })
  const { status, body } = await client.get(`/v1/end_users?${query}`)
  assert.equal(status, 400)
  assert.equal(body.code, 'invalid_query')
  assert.deepEqual(
    body.errors.map(({ parameter, pointer, code }: Body) => [parameter, pointer, code]),
    [
      ['filter', '/all/0/field', 'unknown_field'],
      ['filter', '/all/1/not/value', 'wrong_type'],
      ['filter', '/all/2/op', 'not_allowed'],
    ],
  )
})

test('the external id of an end user who was merged finds the one that remains', async () => {
  const { test: client } = await api.world()
  const made = async (external_id: string) =>
    succeeded(await client.post('/v1/end_users', { external_id })).id
  const [ada, ben] = [await made('ada'), await made('ben')]
  await made('cleo')
  succeeded(await client.post(`/v1/end_users/${ben}/merge`, { into_id: ada, keep_alias: true }))
  for (const op of ['is', 'starts_with']) {
    const filter = encodeURIComponent(JSON.stringify({ field: 'external_id', op, value: 'ben' }))
    const { data } = succeeded(await client.get(`/v1/end_users?filter=${filter}`))
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [ada],
    )
  }
})
