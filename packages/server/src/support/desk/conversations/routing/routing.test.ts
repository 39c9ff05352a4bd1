import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  act,
  type Body,
  conversation,
  department,
  holdReason,
  operator,
  operators,
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

function assertEven(assignees: (string | null)[], members: string[]): void {
  const counts = tally(assignees)
  const each = members.map((member) => counts.get(member) ?? 0)
  assert.ok(Math.max(...each) - Math.min(...each) <= 1, `given out ${each}`)
  assert.equal(
    each.reduce((sum, count) => sum + count),
    assignees.length,
    'all of them to members',
  )
}

describe('round robin', () => {
  test('one after the other has a turn', async () => {
    const { test } = await api.world()
    const members = await operators(test, 3)
    const id = await department(test, members)
    const assignees = await assigneesOf(test, await several(test, id, 7))
    const round = assignees.slice(0, 3)
    assert.deepEqual([...round].sort(), [...members].sort())
    assert.deepEqual(assignees, [...round, ...round, round[0]])
  })

  test('100 at once are given out evenly', async () => {
    const { test } = await api.world()
    const members = await operators(test, 7)
    const id = await department(test, members)
    const made = await Promise.all(Array.from({ length: 100 }, () => newest(test, id)))
    assertEven(
      made.map(({ assignee_id }) => assignee_id),
      members,
    )
  })

  test('who is not online, archived, full or no member has no turn', async () => {
    const { test } = await api.world()
    const [there, away, busy, offline, archived, full] = await operators(test, 6)
    const id = await department(test, [there!, away!, busy!, offline!, archived!, full!])
    await setStatus(test, away!, 'away')
    await setStatus(test, busy!, 'busy')
    await setStatus(test, offline!, 'offline')
    succeeded(await test.patch(`/v1/operators/${archived}`, { archived: true }))
    succeeded(await test.patch(`/v1/operators/${full}`, { capacity: 0 }))
    await operator(test)
    assert.deepEqual(tally(await assigneesOf(test, await several(test, id, 4))), new Map([[there, 4]]))
  })

  test('a response and an event say who it is, by what rule, and of how many', async () => {
    const { test } = await api.world()
    const members = await operators(test, 2)
    const made = await newest(test, await department(test, members))
    assert.partialDeepStrictEqual(made, {
      status: 'open',
      version: 1,
      assignment: { strategy: 'round_robin', at: made.created_at },
    })
    assert.match(made.assignment.reason, /^Next in turn, one of 2 /)
    const { data } = succeeded(await test.get(`/v1/conversations/${made.id}/timeline`))
    assert.deepEqual(
      data.map(({ type, data }: Body) => [type, data.object.assignee_id]),
      [
        ['conversation.created', made.assignee_id],
        ['conversation.assigned', made.assignee_id],
      ],
    )
  })
})

describe('least busy', () => {
  test('the one with the fewest open conversations over all departments is given the next', async () => {
    const { test } = await api.world()
    const [one, two, three] = await operators(test, 3)
    for (const [member, count] of [
      [one, 2],
      [two, 1],
      [three, 3],
    ] as const)
      for (let i = 0; i < count; i++) await conversation(test, { assignee_id: member })
    const id = await department(test, [one!, two!, three!], { assignment: { strategy: 'least_busy' } })
    const given = await several(test, id, 6)
    const counts = tally(await assigneesOf(test, given))
    assert.deepEqual([counts.get(one!), counts.get(two!), counts.get(three!)], [2, 3, 1])
    assert.match((await shown(test, given[0]!)).assignment.reason, /^Fewest open conversations \(1\)/)
  })
})

describe('limits', () => {
  test('a member is given no more than max_open_per_operator of a department, and its capacity of all', async () => {
    const { test } = await api.world()
    const [small, large] = [await operator(test, { capacity: 1 }), await operator(test)]
    const assignment = { strategy: 'least_busy', max_open_per_operator: 3 }
    const id = await department(test, [small, large], { assignment })
    const other = await department(test, [large])
    const counts = tally(await assigneesOf(test, await several(test, id, 6)))
    assert.deepEqual([counts.get(small), counts.get(large), counts.get(null)], [1, 3, 2])
    assert.equal((await newest(test, other)).assignee_id, large)
  })

  test('by hand, limits do not count', async () => {
    const { test } = await api.world()
    const full = await operator(test, { capacity: 0 }, 'offline')
    const { id } = await conversation(test)
    const given = await act(test, id, 'assign', { assignee_id: full })
    assert.partialDeepStrictEqual(given, {
      status: 'open',
      assignee_id: full,
      assignment: { strategy: 'manual' },
    })
  })
})

describe('who waits', () => {
  test('is not overtaken by somebody new', async () => {
    const { test } = await api.world()
    const member = await operator(test, { capacity: 1 })
    const id = await department(test, [member])
    const [first, second] = await several(test, id, 2)
    // Capacity without a notification: routing reads the row of the counter.
    succeeded(await test.patch(`/v1/departments/${id}`, { assignment: { strategy: 'manual' } }))
    await act(test, first!, 'resolve')
    const third = await newest(test, id)
    succeeded(await test.patch(`/v1/departments/${id}`, { assignment: { strategy: 'round_robin' } }))
    assert.deepEqual(await assigneesOf(test, [second!, third.id]), [member, null])
    const fourth = await newest(test, id)
    await act(test, second!, 'resolve')
    assert.deepEqual(await assigneesOf(test, [third.id, fourth.id]), [member, null])
  })

  test('is whoever was unassigned by routing; whom a person took from an operator, only in another department', async () => {
    const { test } = await api.world()
    const member = await operator(test)
    const [here, there] = [await department(test, [member]), await department(test, [member])]
    const { id } = await newest(test, here)
    assert.equal((await act(test, id, 'assign', { assignee_id: null })).assignee_id, null)
    for (const action of ['resolve', 'reopen']) await act(test, id, action)
    await setStatus(test, member, 'away')
    await setStatus(test, member, 'online')
    succeeded(await test.patch(`/v1/departments/${here}`, { description: 'New' }))
    assert.equal((await shown(test, id)).assignee_id, null)
    assert.equal((await act(test, id, 'assign', { department_id: here })).assignee_id, null)
    assert.equal((await act(test, id, 'assign', { department_id: there })).assignee_id, member)
  })

  test('goes to the operators of another department in the very request that takes it from the first', async () => {
    const { test } = await api.world()
    const [here, there] = await operators(test, 2)
    const first = await department(test, [here!])
    const second = await department(test, [there!])
    const { id } = await newest(test, first)
    const moved = await act(test, id, 'assign', { assignee_id: null, department_id: second })
    assert.partialDeepStrictEqual(moved, { department_id: second, assignee_id: there })
  })

  test('may come back to the same operator, who has it once', async () => {
    const { test } = await api.world()
    const member = await operator(test, { capacity: 2 })
    const first = await department(test, [member])
    const second = await department(test, [member])
    const third = await department(test, [], { fallback_department_id: first })
    const { id } = await newest(test, first)
    for (const [department_id, becomes] of [
      [second, second],
      [first, first],
      [third, first],
    ]) {
      const moved = await act(test, id, 'assign', { assignee_id: null, department_id })
      assert.partialDeepStrictEqual(moved, { department_id: becomes, assignee_id: member })
      const { body } = await test.get(`/v1/operators/${member}`)
      assert.equal(body.open_conversations, 1)
    }
    assert.equal((await newest(test, second)).assignee_id, member)
    assert.equal((await newest(test, second)).assignee_id, null)
  })

  test('has a department that it came to by a patch or a category, and opens again', async () => {
    const { test } = await api.world()
    const member = await operator(test)
    const id = await department(test, [member])
    const patched = await conversation(test)
    const answer = await test.patch(`/v1/conversations/${patched.id}`, { department_id: id })
    assert.partialDeepStrictEqual(succeeded(answer), { status: 'open', assignee_id: member })
    const category = { name: 'Refunds', default_department_id: id }
    const { id: category_id } = succeeded(await test.post('/v1/categories', category))
    assert.partialDeepStrictEqual(await conversation(test, { category_id }), {
      department_id: id,
      assignee_id: member,
    })

    await setStatus(test, member, 'away')
    const held = await newest(test, id)
    await act(test, held.id, 'hold', { hold_reason_id: await holdReason(test) })
    const resolved = await newest(test, id)
    await act(test, resolved.id, 'resolve')
    await setStatus(test, member, 'online')
    assert.deepEqual(await assigneesOf(test, [held.id, resolved.id]), [null, null])
    assert.equal((await act(test, held.id, 'resume')).assignee_id, member)
    await test.post(`/v1/conversations/${resolved.id}/messages`, { author_side: 'end_user', body: 'Again' })
    assert.partialDeepStrictEqual(await shown(test, resolved.id), { status: 'open', assignee_id: member })
  })
})

describe('the fallback', () => {
  test('takes what nobody in the department can take; the department becomes the fallback', async () => {
    const { test } = await api.world()
    const [own, substitute] = [await operator(test, { capacity: 1 }), await operator(test, { capacity: 1 })]
    const fallback = await department(test, [substitute])
    const name = 'Billing'
    const id = await department(test, [own], { name, fallback_department_id: fallback })
    assert.partialDeepStrictEqual(await newest(test, id), { department_id: id, assignee_id: own })
    const second = await newest(test, id)
    assert.partialDeepStrictEqual(second, { department_id: fallback, assignee_id: substitute })
    assert.match(second.assignment.reason, /; fallback of Billing, where no operator was available$/)
    const third = await newest(test, id)
    assert.partialDeepStrictEqual(third, { department_id: id, assignee_id: null, assignment: null })
    await act(test, second.id, 'resolve')
    assert.partialDeepStrictEqual(await shown(test, third.id), {
      department_id: fallback,
      assignee_id: substitute,
    })
  })

  test('is not asked while it is archived or gives out by hand', async () => {
    const { test } = await api.world()
    const fallback = await department(test, [await operator(test)])
    const id = await department(test, [], { fallback_department_id: fallback })
    for (const patch of [{ archived: true }, { archived: false, assignment: { strategy: 'manual' } }]) {
      succeeded(await test.patch(`/v1/departments/${fallback}`, patch))
      assert.partialDeepStrictEqual(await newest(test, id), { department_id: id, assignee_id: null })
    }
  })
})
