import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, type Body, conversation, department, operator, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'

const api = service({})

const open = { field: 'status', op: 'in', value: ['new', 'open'] }
const breachedSince = (value: string) => ({ field: 'sla.breached_at', op: 'gte', value })

const pathOf = (filters: object, group_by: string, query = {}) =>
  `/v1/views/counts?${new URLSearchParams({ ...query, filters: JSON.stringify(filters), group_by })}`
const counted = async (client: Client, filters: object, by: string): Promise<Body[]> =>
  succeeded(await client.get(pathOf(filters, by))).data
const sorted = (groups: Body[]) => groups.toSorted((a, b) => String(a.id).localeCompare(String(b.id)))

describe('counts by group', () => {
  test('are exact for each assignee and each department, with the longest wait', async () => {
    const { test: client } = await api.world()
    const [ada, ben] = [await operator(client), await operator(client)]
    const dept = await department(client, [])
    const first = await conversation(client, { department_id: dept })
    api.advance(60_000)
    const rest = []
    for (let i = 0; i < 3; i++) rest.push(await conversation(client, i === 0 ? { department_id: dept } : {}))
    for (const { id } of [first, rest[0]!]) await act(client, id, 'assign', { assignee_id: ada })
    await act(client, rest[1]!.id, 'assign', { assignee_id: ben })
    const [byOperator] = await counted(client, { open }, 'assignee_id')
    assert.partialDeepStrictEqual(byOperator, { name: 'open', count: 4, more: false })
    assert.deepEqual(
      sorted(byOperator!.groups),
      sorted([
        { id: ada, count: 2, waiting_since: first.waiting_since },
        { id: ben, count: 1, waiting_since: rest[1]!.waiting_since },
        { id: null, count: 1, waiting_since: rest[2]!.waiting_since },
      ]),
    )
    const unassigned = { all: [open, { field: 'assignee_id', op: 'exists', value: false }] }
    const [all, none] = await counted(client, { open, unassigned }, 'department_id')
    assert.deepEqual(
      sorted(all!.groups),
      sorted([
        { id: dept, count: 2, waiting_since: first.waiting_since },
        { id: null, count: 2, waiting_since: rest[1]!.waiting_since },
      ]),
    )
    assert.deepEqual(none!.groups, [{ id: null, count: 1, waiting_since: rest[2]!.waiting_since }])
  })

  test('are of views as well, but not of end users, and only where they are asked for', async () => {
    const { test: client } = await api.world()
    await conversation(client)
    const view = async (fields: object): Promise<string> =>
      succeeded(await client.post('/v1/views', { name: JSON.stringify(fields), ...fields })).id
    const ids = [
      await view({ filter: open }),
      await view({ filter: { field: 'last_seen_at', op: 'exists', value: true }, applies_to: 'end_user' }),
    ]
    const path = `/v1/views/counts?ids=${ids}`
    const { data } = succeeded(await client.get(`${path}&group_by=assignee_id`))
    assert.deepEqual(
      data.map(({ groups }: Body) => groups?.map(({ id, count }: Body) => [id, count]) ?? null),
      [[[null, 1]], null],
    )
    const plain = succeeded(await client.get(path))
    assert.ok(plain.data.every((each: Body) => !('groups' in each)))
    assert.equal((await client.get(`${path}&group_by=priority`)).status, 400)
  })

  test('have a tag of their own, which ends when a group changes and the sum does not', async () => {
    const { test: client } = await api.world()
    const ada = await operator(client)
    const { id } = await conversation(client)
    const path = pathOf({ open }, 'assignee_id')
    const first = await client.get(path)
    const tag = first.headers.get('etag')!
    assert.notEqual(tag, (await client.get(pathOf({ open }, 'department_id'))).headers.get('etag'))
    assert.equal((await client.get(path, { 'if-none-match': tag })).status, 304)
    await act(client, id, 'assign', { assignee_id: ada })
    const after = await client.get(path, { 'if-none-match': tag })
    assert.partialDeepStrictEqual(succeeded(after).data, [{ count: 1, groups: [{ id: ada, count: 1 }] }])
  })

  test('stay within the environment', async () => {
    const { test: one, live: other } = await api.world()
    await conversation(one)
    assert.deepEqual((await counted(other, { open }, 'assignee_id'))[0]!.groups, [])
  })
})

describe('a filter of the time of a breach', () => {
  test('finds those that are late since, told of or not, and whatever became of them', async () => {
    const { test: client } = await api.world()
    const targets = [{ first_response_seconds: 3600, resolution_seconds: 7200 }]
    succeeded(await client.post('/v1/sla_configs', { name: 'SLA', targets }))
    const early = await conversation(client)
    const advance = async (seconds: number): Promise<string> =>
      succeeded(await client.post('/v1/test_clock/advance', { seconds })).now
    const middle = await advance(4000)
    const late = await conversation(client)
    const found = async (filter: object): Promise<string[]> => {
      const query = new URLSearchParams({ filter: JSON.stringify(filter), sort: 'created_at' })
      return succeeded(await client.get(`/v1/conversations?${query}`)).data.map(({ id }: Body) => id)
    }
    assert.deepEqual(await found(breachedSince(middle)), [])
    assert.deepEqual(await found({ field: 'sla.breached_at', op: 'exists', value: true }), [early.id])
    assert.deepEqual(await found({ field: 'sla.breached_at', op: 'within', value: '-PT1H' }), [early.id])
    await act(client, early.id, 'resolve')
    await advance(3601)
    assert.deepEqual(await found(breachedSince(middle)), [late.id])
    assert.deepEqual(await found({ field: 'sla.breached_at', op: 'lt', value: middle }), [early.id])
    const [count] = await counted(client, { late: breachedSince(early.created_at) }, 'assignee_id')
    assert.deepEqual([count!.count, count!.groups[0].count], [2, 2])
  })
})
