import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conversation, operator, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'

const api = service()

const filtered = (client: Client, filter: unknown, headers = {}) =>
  client.get(
    `/v1/conversations?filter=${encodeURIComponent(typeof filter === 'string' ? filter : JSON.stringify(filter))}`,
    headers,
  )

/** Each fault as `<pointer> <code>`. */
async function faultsOf(client: Client, filter: unknown): Promise<string[]> {
  const { status, body } = await filtered(client, filter)
  assert.equal(status, 400, JSON.stringify(body))
  assert.equal(body.code, 'invalid_query')
  for (const { parameter } of body.errors) assert.equal(parameter, 'filter')
  return body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)
}

const open = { field: 'status', op: 'is', value: 'open' }
const deep = (levels: number): object => (levels === 1 ? open : { not: deep(levels - 1) })

test('each fault of a filter is named by the pointer of its node', async () => {
  const { test: client } = await api.world()
  const cases: [unknown, string[]][] = [
    ['{', [' bad_format']],
    ['{"field":"status","op":"eq","value":"open","value":"closed"}', [' bad_format']],
    ['[]', [' wrong_type']],
    ['null', [' wrong_type']],
    [{}, [' bad_format']],
    [{ all: [] }, ['/all too_short']],
    [{ any: {} }, ['/any wrong_type']],
    [{ all: [open], any: [open] }, [' bad_format']],
    [{ all: [open], more: 1 }, ['/more unknown_field']],
    [deep(5), ['/not/not/not/not too_large']],
    [{ all: Array.from({ length: 31 }, () => open) }, ['/all/30 too_large']],
    [{ field: 'statuz', op: 'is', value: 'open' }, ['/field unknown_field']],
    [{ field: '__proto__', op: 'is', value: 'x' }, ['/field unknown_field']],
    [{ field: 'custom_fields.plan', op: 'is', value: 'x' }, ['/field unknown_field']],
    [{ field: 'status', op: 'contains', value: 'x' }, ['/op not_allowed']],
    [{ field: 'status', op: 'is', value: 'opened' }, ['/value not_allowed']],
    [{ field: 'status', op: 'is', value: 1 }, ['/value wrong_type']],
    [{ field: 'status', op: 'in', value: [] }, ['/value too_short']],
    [{ field: 'status', op: 'in', value: ['open', 1, 'x'] }, ['/value/1 wrong_type', '/value/2 not_allowed']],
    [{ field: 'subject', op: 'in', value: Array.from({ length: 101 }, String) }, ['/value too_long']],
    [{ field: 'subject', op: 'is', value: 'a\u0000' }, ['/value bad_format']],
    [{ field: 'message_count', op: 'gt', value: '1' }, ['/value wrong_type']],
    ['{"field":"message_count","op":"lt","value":1e999}', ['/value wrong_type']],
    [{ field: 'created_at', op: 'within', value: 7 }, ['/value wrong_type']],
    [{ field: 'created_at', op: 'gt', value: 'yesterday' }, ['/value bad_format']],
    [{ field: 'created_at', op: 'gt', value: '2026-02-30' }, ['/value bad_format']],
    [{ field: 'created_at', op: 'within', value: 'P1Y' }, ['/value bad_format']],
    [{ field: 'created_at', op: 'within', value: 'P' }, ['/value bad_format']],
    [{ field: 'assignee_id', op: 'is', value: 'me' }, ['/value not_allowed']],
    [{ field: 'assignee_id', op: 'is', value: 'conv_1' }, ['/value bad_format']],
    [{ field: 'assignee_id', op: 'exists', value: 'yes' }, ['/value wrong_type']],
    [{ field: 'status' }, ['/op required', '/value required']],
    [{ op: 'is', value: 1 }, ['/field required']],
    [{ ...open, extra: 1 }, ['/extra unknown_field']],
    [
      { all: [{ field: 'x', op: 'is', value: 1 }, { not: { field: 'tags', op: 'is', value: 'a' } }] },
      ['/all/0/field unknown_field', '/all/1/not/op not_allowed'],
    ],
  ]
  for (const [filter, faults] of cases)
    assert.deepEqual(await faultsOf(client, filter), faults, JSON.stringify(filter))
})

test('an unknown field is refused with the name that was probably meant', async () => {
  const { test: client } = await api.world()
  const { body } = await filtered(client, { field: 'custom_field.plan', op: 'is', value: 'x' })
  assert.equal(body.errors[0].code, 'unknown_field')
  const { body: near } = await filtered(client, { field: 'assigne_id', op: 'exists', value: true })
  assert.match(near.errors[0].detail, /did you mean assignee_id\?/)
})

test('a filter of more than 4 KiB is refused', async () => {
  const { test: client } = await api.world()
  const value = 'x'.repeat(900)
  const leaf = { field: 'subject', op: 'is', value }
  succeeded(await filtered(client, { any: [leaf, leaf, leaf, leaf] }))
  const { status, body } = await filtered(client, { any: [leaf, leaf, leaf, leaf, leaf] })
  assert.equal(status, 400)
  assert.equal(body.errors[0].code, 'too_long')
})

test('me is the operator of Backline-Operator', async () => {
  const { test: client } = await api.world()
  const [ada, ben] = [await operator(client), await operator(client)]
  const { id } = await conversation(client, { assignee_id: ada })
  await conversation(client, { assignee_id: ben })
  const mine = { field: 'assignee_id', op: 'is', value: 'me' }
  const { data } = succeeded(await filtered(client, mine, { 'backline-operator': ada }))
  assert.deepEqual(
    data.map((row: { id: string }) => row.id),
    [id],
  )
})

test('a cursor continues the list of its own filter alone', async () => {
  const { test: client } = await api.world()
  for (let i = 0; i < 3; i++) await conversation(client)
  const filter = encodeURIComponent(JSON.stringify({ field: 'subject', op: 'exists', value: false }))
  const { next_cursor } = succeeded(await client.get(`/v1/conversations?limit=1&filter=${filter}`))
  const other = encodeURIComponent(JSON.stringify(open))
  const { status, body } = await client.get(`/v1/conversations?filter=${other}&cursor=${next_cursor}`)
  assert.equal(status, 400)
  assert.equal(body.code, 'cursor_mismatch')
})

test('a cursor of a filter that names me is that of one operator', async () => {
  const { test: client } = await api.world()
  for (let i = 0; i < 3; i++) await conversation(client)
  const [ada, ben] = [await operator(client), await operator(client)]
  const pageOf = (filter: object, me: string, cursor = '') =>
    client.get(
      `/v1/conversations?limit=1&filter=${encodeURIComponent(JSON.stringify(filter))}${cursor && `&cursor=${cursor}`}`,
      { 'backline-operator': me },
    )
  for (const [value, expected] of [
    ['me', 400],
    [ada, 200],
  ] as const) {
    const filter = { not: { field: 'assignee_id', op: 'in', value: [value] } }
    const { next_cursor } = succeeded(await pageOf(filter, ada))
    succeeded(await pageOf(filter, ada, next_cursor))
    const { status, body } = await pageOf(filter, ben, next_cursor)
    assert.equal(status, expected)
    if (status === 400) assert.equal(body.code, 'cursor_mismatch')
  }
})

test('a filter with hundreds of faults names the first hundred', async () => {
  const { test: client } = await api.world()
  const faults = await faultsOf(client, { all: Array.from({ length: 1_900 }, () => 0) })
  assert.equal(faults.length, 100)
  assert.equal(faults.at(-1), '/all/99 wrong_type')
})

test('a value has up to 2,048 characters, which are counted as code points', async () => {
  const { test: client } = await api.world()
  const is = (value: string) => ({ field: 'subject', op: 'is', value })
  succeeded(await filtered(client, is('x'.repeat(2_048))))
  succeeded(await filtered(client, is('😀'.repeat(600))))
  assert.deepEqual(await faultsOf(client, is('x'.repeat(2_049))), ['/value too_long'])
  const url = `https://example.com/${'x'.repeat(1_500)}`
  succeeded(
    await client.post('/v1/custom_fields', {
      ...{ applies_to: 'conversation', key: 'link', name: 'Link', type: 'url' },
    }),
  )
  const { id } = await conversation(client, { custom_fields: { link: url } })
  const { data } = succeeded(await filtered(client, { field: 'custom_fields.link', op: 'is', value: url }))
  assert.deepEqual(
    data.map((row: { id: string }) => row.id),
    [id],
  )
})

test('422 at the filter of a body that is nested very deeply', async () => {
  const { test: client } = await api.world()
  const bodies = {
    '/v1/views': { name: 'Deep' },
    '/v1/webhook_endpoints': { url: 'https://example.com/x', enabled_events: ['*'] },
  }
  for (const [path, fields] of Object.entries(bodies))
    for (const levels of [10, 60]) {
      const { status, body } = await client.post(path, { ...fields, filter: deep(levels) })
      assert.equal(status, 422, JSON.stringify(body))
      assert.equal(body.errors.length, 1)
      assert.match(body.errors[0].pointer, /^\/filter(\/not){4}$/)
      assert.equal(body.errors[0].code, 'too_large')
    }
})

test('a condition on the end user or company requires the right to read them, wherever the filter is used', async () => {
  const { test: client, withScopes } = await api.world()
  const define = (applies_to: string) =>
    client.post('/v1/custom_fields', { applies_to, key: 'plan', name: 'Plan', type: 'text' })
  for (const applies_to of ['end_user', 'company']) succeeded(await define(applies_to))
  const cases = [
    ['end_user.email', 'end_users:read'],
    ['end_user.custom_fields.plan', 'end_users:read'],
    ['company.custom_fields.plan', 'companies:read'],
  ] as const
  for (const [field, scope] of cases) {
    const filter = { not: { field, op: 'is', value: 'x' } }
    const { id } = succeeded(await client.post('/v1/views', { name: field, filter }))
    const weak = await withScopes(
      'conversations:read',
      'views:read',
      'events:read',
      'webhook_endpoints:write',
    )
    const refused = [
      await filtered(weak, filter),
      await weak.get(`/v1/views/${id}/items`),
      await weak.post('/v1/webhook_endpoints', { url: 'https://example.com/', filter }),
    ]
    for (const { status, body } of refused) {
      assert.equal(status, 403, JSON.stringify(body))
      assert.deepEqual([body.code, body.params.scope], ['scope_missing', scope])
    }
    succeeded(await filtered(await withScopes('conversations:read', scope), filter))
  }
})
