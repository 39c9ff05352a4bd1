import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  act,
  conversation,
  department,
  holdReason,
  operator,
  setStatus,
  shown,
  succeeded,
  tally,
} from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'

const api = service()

const newest = (client: Client, departmentId: string) => conversation(client, { department_id: departmentId })

/** Conversations of a department, oldest first; ids of later milliseconds sort later. */
async function several(client: Client, departmentId: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push((await newest(client, departmentId)).id)
  return ids
}

const assigneesOf = (client: Client, ids: string[]): Promise<(string | null)[]> =>
  Promise.all(ids.map(async (id) => (await shown(client, id)).assignee_id))

/** A department with three waiting conversations, whose only member is at capacity. */
async function backlog(client: Client, { status = 'online', assignment = {}, capacity = 1 } = {}) {
  const member = await operator(client, { capacity }, status)
  const rules = { strategy: 'round_robin', max_open_per_operator: null, ...assignment }
  const id = await department(client, [member], { assignment: rules })
  const ids = await several(client, id, 4)
  const [first, ...waiting] = ids
  return { id, member, first: first!, waiting, ids }
}

describe('what waits is given out, oldest first, by the very request that makes room', () => {
  type Backlog = Awaited<ReturnType<typeof backlog>>
  let client: Client
  before(async () => {
    client = (await api.world()).test
  })

  async function assertFirstGiven({ member, waiting }: Backlog, count = 1): Promise<void> {
    const assignees = await assigneesOf(client, waiting)
    const expected = waiting.map((_, i) => (i < count ? member : null))
    assert.deepEqual(assignees, expected)
  }

  for (const [how, path, body] of [
    ['a conversation is resolved', 'resolve', undefined],
    ['a conversation is closed', 'close', undefined],
    ['a conversation is taken away by hand', 'assign', { assignee_id: null }],
    ['a conversation is given to somebody else', 'assign', 'other'],
    ['a conversation is put on hold', 'hold', 'reason'],
    ['a conversation is merged', 'merge', 'target'],
  ] as const) {
    test(how, async () => {
      const desk = await backlog(client)
      const bodies = {
        other: async () => ({ assignee_id: await operator(client) }),
        reason: async () => ({ hold_reason_id: await holdReason(client) }),
        target: async () => ({ into_id: (await conversation(client)).id }),
      }
      await act(client, desk.first, path, typeof body === 'string' ? await bodies[body]() : body)
      await assertFirstGiven(desk)
    })
  }

  test("an operator's message resolves a conversation", async () => {
    const desk = await backlog(client)
    const message = { author_side: 'operator', body: 'Done', set_status: 'resolved' }
    succeeded(await client.post(`/v1/conversations/${desk.first}/messages`, message))
    await assertFirstGiven(desk)
  })

  test('an operator comes online', async () => {
    const desk = await backlog(client, { status: 'away', capacity: 2 })
    assert.deepEqual(tally(await assigneesOf(client, desk.ids)), new Map([[null, 4]]))
    await setStatus(client, desk.member, 'online')
    assert.deepEqual(await assigneesOf(client, desk.ids), [desk.member, desk.member, null, null])
  })

  test('an operator comes online by a heartbeat', async () => {
    const desk = await backlog(client, { status: 'offline', capacity: 3 })
    succeeded(await client.post(`/v1/operators/${desk.member}/heartbeat`))
    assert.equal((await shown(client, desk.first)).assignee_id, desk.member)
    await assertFirstGiven(desk, 2)
  })

  test('a capacity is raised', async () => {
    const desk = await backlog(client)
    succeeded(await client.patch(`/v1/operators/${desk.member}`, { capacity: 3 }))
    await assertFirstGiven(desk, 2)
  })

  test('a capacity becomes unlimited', async () => {
    const desk = await backlog(client)
    succeeded(await client.patch(`/v1/operators/${desk.member}`, { capacity: null }))
    await assertFirstGiven(desk, 3)
  })

  test('somebody becomes a member', async () => {
    const desk = await backlog(client)
    const member = await operator(client, { capacity: 2 })
    succeeded(await client.put(`/v1/departments/${desk.id}/operators/${member}`))
    await assertFirstGiven({ ...desk, member }, 2)
  })

  test('a department no longer gives out by hand', async () => {
    const desk = await backlog(client, { assignment: { strategy: 'manual' }, capacity: 2 })
    succeeded(await client.patch(`/v1/departments/${desk.id}`, { assignment: { strategy: 'round_robin' } }))
    assert.deepEqual(await assigneesOf(client, desk.ids), [desk.member, desk.member, null, null])
  })

  test('max_open_per_operator is raised', async () => {
    const desk = await backlog(client, { assignment: { max_open_per_operator: 1 }, capacity: 9 })
    succeeded(await client.patch(`/v1/departments/${desk.id}`, { assignment: { max_open_per_operator: 3 } }))
    await assertFirstGiven(desk, 2)
  })

  test('a conversation moves to another department, whose limit it counts for from then on', async () => {
    const desk = await backlog(client, { assignment: { max_open_per_operator: 1 }, capacity: 9 })
    const other = await department(client, [], { assignment: { strategy: 'manual' } })
    await act(client, desk.first, 'assign', { department_id: other })
    await assertFirstGiven(desk)
  })

  test('a fallback is set', async () => {
    const desk = await backlog(client)
    const member = await operator(client, { capacity: 2 })
    const fallback = await department(client, [member])
    succeeded(await client.patch(`/v1/departments/${desk.id}`, { fallback_department_id: fallback }))
    await assertFirstGiven({ ...desk, member }, 2)
  })

  for (const [how, former, patch, given] of [
    ['is unarchived', { archived: true }, { archived: false }, 3],
    [
      'no longer gives out by hand',
      { assignment: { strategy: 'manual' } },
      { assignment: { strategy: 'least_busy' } },
      3,
    ],
    [
      'has a higher limit',
      { assignment: { max_open_per_operator: 1 } },
      { assignment: { max_open_per_operator: 3 } },
      2,
    ],
  ] as const) {
    test(`the fallback ${how}`, async () => {
      const member = await operator(client)
      const fallback = await department(client, [member])
      const id = await department(client, [], { fallback_department_id: fallback })
      succeeded(await client.patch(`/v1/departments/${fallback}`, former))
      if (given < 3) await newest(client, fallback)
      const waiting = await several(client, id, 3)
      assert.deepEqual(await assigneesOf(client, waiting), [null, null, null])
      succeeded(await client.patch(`/v1/departments/${fallback}`, patch))
      await assertFirstGiven({ id, member, first: '', waiting, ids: waiting }, given)
    })
  }

  test('somebody comes online in the fallback', async () => {
    const member = await operator(client, { capacity: 2 }, 'away')
    const fallback = await department(client, [member])
    const desk = await backlog(client)
    succeeded(await client.patch(`/v1/departments/${desk.id}`, { fallback_department_id: fallback }))
    await setStatus(client, member, 'online')
    await assertFirstGiven({ ...desk, member }, 2)
  })
})
