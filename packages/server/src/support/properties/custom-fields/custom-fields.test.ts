import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entriesOf } from '@backline/test/audit.ts'
import { type Body, conversation, succeeded } from '@backline/test/desk.ts'
import { type Client, clientOf, service } from '@backline/test/harness.ts'

const api = service({})

const define = async (client: Client, body: object) =>
  succeeded(await client.post('/v1/custom_fields', { applies_to: 'conversation', name: 'A field', ...body }))

test('each type takes its values, shows them, and refuses others by pointer', async () => {
  const { test: client } = await api.world()
  const options = [{ value: 'free' }, { value: 'pro', label: 'Pro' }, { value: 'old', archived: true }]
  const cases: [string, object, unknown[], unknown[]][] = [
    ['text', {}, ['x', 'ä'.repeat(1000)], [1, true, ['x'], '', 'x'.repeat(1001)]],
    ['number', {}, [0, -1.5, 1e300], ['1', true, [1]]],
    ['boolean', {}, [true, false], ['true', 1]],
    ['date', {}, ['2026-11-20'], ['2026-02-30', '2026-11-20T10:00:00Z', 5]],
    ['datetime', {}, ['2026-11-20T10:00:00.000Z'], ['2026-11-20', 'now', 5]],
    ['select', { options }, ['free', 'pro'], ['old', 'other', 1, ['free']]],
    ['multi_select', { options }, [['free'], ['free', 'pro']], ['free', ['old'], ['other'], [1]]],
    ['url', {}, ['https://example.com/a?b'], ['javascript:alert(1)', 'example', 1]],
  ]
  for (const [type, more] of cases) await define(client, { key: type, type, ...more })
  for (const [type, , good, bad] of cases) {
    for (const value of good) {
      const { custom_fields } = await conversation(client, { custom_fields: { [type]: value } })
      assert.deepEqual(custom_fields, { [type]: value })
    }
    for (const value of bad) {
      const answer = await client.post('/v1/conversations', {
        external_user_id: 'u',
        custom_fields: { [type]: value },
      })
      const what = `${type} ${JSON.stringify(value)}`
      assert.equal(answer.status, 422, what)
      assert.match(answer.body.errors[0].pointer, new RegExp(`^/custom_fields/${type}`), what)
    }
  }
})

test('a patch merges key by key, null clears, and an empty multi_select is no value', async () => {
  const { test: client } = await api.world()
  await define(client, { key: 'plan', type: 'text' })
  await define(client, { key: 'seats', type: 'number' })
  await define(client, { key: 'areas', type: 'multi_select', options: [{ value: 'a' }] })
  const { id } = await conversation(client, { custom_fields: { plan: 'pro', seats: 3, areas: ['a', 'a'] } })
  const patch = async (custom_fields: unknown) =>
    succeeded(await client.patch(`/v1/conversations/${id}`, { custom_fields })).custom_fields
  assert.deepEqual(await patch({}), { areas: ['a'], plan: 'pro', seats: 3 })
  assert.deepEqual(await patch({ seats: 4, areas: [] }), { plan: 'pro', seats: 4 })
  assert.deepEqual(await patch({ plan: null }), { seats: 4 })
  assert.deepEqual(await patch(null), {})
})

test('a deleted field shows no value anywhere, and another one with its key shows none of its values', async () => {
  const { test: client } = await api.world()
  const field = await define(client, { key: 'plan', type: 'text', indexed: true })
  const { id } = await conversation(client, { custom_fields: { plan: 'pro' } })
  const listed = async () => succeeded(await client.get('/v1/conversations')).data[0].custom_fields
  assert.deepEqual(await listed(), { plan: 'pro' })
  assert.equal((await client.delete(`/v1/custom_fields/${field.id}`)).status, 204)
  assert.deepEqual(succeeded(await client.get(`/v1/conversations/${id}`)).custom_fields, {})
  assert.deepEqual(await listed(), {})
  await define(client, { key: 'plan', type: 'number' })
  assert.deepEqual(await listed(), {})
  assert.deepEqual(
    succeeded(await client.patch(`/v1/conversations/${id}`, { custom_fields: { plan: 5 } })).custom_fields,
    { plan: 5 },
  )
})

test('the audit log tells changes key by key, and an event the former values', async () => {
  const { test: client } = await api.world()
  for (const key of ['city', 'plan', 'tier']) await define(client, { key, type: 'text' })
  const { id } = await conversation(client, {
    ...{ custom_fields: { city: 'Kiel', plan: 'free' }, metadata: { a: '1', b: '2' } },
  })
  const custom_fields = { plan: 'pro', tier: 'gold' }
  succeeded(await client.patch(`/v1/conversations/${id}`, { custom_fields, metadata: { b: '3' } }))
  succeeded(await client.patch(`/v1/conversations/${id}`, { custom_fields: null, priority: 'low' }))
  const entries = await entriesOf(client, { target_id: id, action: 'conversation.updated' })
  assert.deepEqual(entries.map(({ changes }) => changes).toReversed(), [
    {
      'custom_fields.plan': { from: 'free', to: 'pro' },
      'custom_fields.tier': { from: null, to: 'gold' },
      metadata: { from: { a: '1', b: '2' }, to: { a: '1', b: '3' } },
    },
    {
      'custom_fields.city': { from: 'Kiel', to: null },
      'custom_fields.plan': { from: 'pro', to: null },
      'custom_fields.tier': { from: 'gold', to: null },
      priority: { from: 'normal', to: 'low' },
    },
  ])
  const { data } = succeeded(await client.get(`/v1/events?resource_id=${id}&types=conversation.updated`))
  assert.deepEqual(
    data.map((event: Body) => [event.data.previous.custom_fields, event.data.object.custom_fields]),
    [
      [
        { city: 'Kiel', plan: 'free' },
        { city: 'Kiel', plan: 'pro', tier: 'gold' },
      ],
      [{ city: 'Kiel', plan: 'pro', tier: 'gold' }, {}],
    ],
  )
})

test('100 fields of each kind of object, 20 of them indexed, also by two processes at once', async () => {
  const { test: client } = await api.world()
  const beside = clientOf((await api.another()).url, client.key)
  const codes = async (count: number, request: (each: Client, i: number) => ReturnType<Client['post']>) => {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, i) => request(i % 2 === 0 ? client : beside, i)),
    )
    return answers.map(({ status, body }) =>
      status < 300 ? 'made' : body.errors.map(({ pointer, code }: Body) => `${pointer} ${code}`).join(),
    )
  }
  const field = (i: number, more: object) => ({
    ...{ applies_to: 'company', key: `f_${i}`, name: 'A field', type: 'text' },
    ...more,
  })
  const tally = (all: string[]) =>
    Object.fromEntries(
      [...new Set(all)].toSorted().map((each) => [each, all.filter((one) => one === each).length]),
    )
  const indexed = await codes(24, (each, i) => each.post('/v1/custom_fields', field(i, { indexed: true })))
  assert.deepEqual(tally(indexed), { '/indexed too_large': 4, made: 20 })
  const more = await codes(76, (each, i) => each.post('/v1/custom_fields', field(100 + i, {})))
  assert.deepEqual(tally(more), { made: 76 })
  const last = await codes(10, (each, i) => each.post('/v1/custom_fields', field(200 + i, {})))
  assert.deepEqual(tally(last), { '/applies_to too_large': 6, made: 4 })
  const plain = succeeded(await client.get('/v1/custom_fields?applies_to=company&limit=100')).data
  const [one, other] = plain.filter((each: Body) => each.indexed)
  succeeded(await client.patch(`/v1/custom_fields/${one.id}`, { indexed: false }))
  assert.equal((await client.delete(`/v1/custom_fields/${other.id}`)).status, 204)
  const rest = plain.filter((each: Body) => !each.indexed).slice(0, 6)
  const switched = await codes(6, (each, i) =>
    each.patch(`/v1/custom_fields/${rest[i].id}`, { indexed: true }),
  )
  assert.deepEqual(tally(switched), { '/indexed too_large': 4, made: 2 })
  const others = await codes(2, (each, i) =>
    each.post('/v1/custom_fields', field(i, { applies_to: 'end_user' })),
  )
  assert.deepEqual(tally(others), { made: 2 }, 'other objects have fields of their own')
})

test('numbers that are not finite, and texts that cannot be stored, are faults', async () => {
  const { test: client } = await api.world()
  await define(client, { key: 'size', type: 'number' })
  await define(client, { key: 'note', type: 'text' })
  for (const value of ['{"size":1e400}', '{"note":"a\\u0000b"}', '{"note":"\\ud800"}']) {
    const answer = await client.post('/v1/conversations', `{"external_user_id":"u","custom_fields":${value}}`)
    assert.equal(answer.status, 422, `${value} ${answer.text}`)
    assert.match(answer.body.errors[0].pointer, /^\/custom_fields\/(size|note)$/)
  }
})
