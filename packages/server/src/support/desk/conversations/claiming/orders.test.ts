import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  act,
  type Body,
  conversation,
  department,
  holdReason,
  operator,
  operators,
  say,
  shown,
  succeeded,
} from '@backline/test/desk.ts'
import { type Client, clientOf, service } from '@backline/test/harness.ts'
import { interceptHomes } from '@backline/test/intercept.ts'
import { cleanUp, secondServer } from '@backline/test/processes.ts'
import { Random, seedOf } from '@backline/test/random.ts'
import { config } from '@backline/test/sla-fixtures.ts'

const api = service({})
const minute = 60

const claimNext = async (client: Client, operatorId: string, body: Body = {}): Promise<Body> =>
  succeeded(await client.post('/v1/conversations/claim_next', body, { 'backline-operator': operatorId }))

/** Claims until nobody waits any more. */
async function claimAll(client: Client, operatorId: string, body: Body = {}): Promise<string[]> {
  const claimed: string[] = []
  for (;;) {
    const { conversation } = await claimNext(client, operatorId, body)
    if (conversation === null) return claimed
    claimed.push(conversation.id)
  }
}

const orderOfWorkspace = async (client: Client, claim_order: string) =>
  succeeded(await client.patch('/v1/workspace', { claim_order }))
const advance = async (client: Client, seconds: number) =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds }))

/** A first response within some minutes for each channel. */
async function promises(client: Client, minutes: Record<string, number>): Promise<void> {
  for (const [channel, each] of Object.entries(minutes))
    await config(client, {
      conditions: { channels: [channel] },
      targets: [{ first_response_seconds: each * minute }],
    })
}

describe('the order due', () => {
  let client: Client
  let me: string
  before(async () => {
    client = (await api.world()).test
    me = await operator(client)
    await promises(client, { chat: 1, web: 60, email: 120 })
    await orderOfWorkspace(client, 'due')
  })
  const of = (channel: string, fields: object = {}) => conversation(client, { channel, ...fields })

  test('begins with what is overdue most, and ends with those without a clock, by priority and waiting time', async () => {
    const normal = await of('phone')
    const [later, soon] = [await of('email'), await of('web')]
    const [low, urgent, alsoNormal] = [
      await of('phone', { priority: 'low' }),
      await of('phone', { priority: 'urgent' }),
      await of('phone'),
    ]
    const overdueMost = await of('chat')
    await advance(client, 30)
    const overdue = await of('chat')
    await advance(client, 2 * minute)
    for (const { id } of [overdueMost, overdue])
      assert.equal((await shown(client, id)).sla.first_response.status, 'breached')
    const expected = [overdueMost, overdue, soon, later, urgent, normal, alsoNormal, low]
    assert.deepEqual(
      await claimAll(client, me),
      expected.map(({ id }) => id),
    )
  })

  test('counts no clock that has ended, in time or late', async () => {
    const [late, inTime] = [await of('chat'), await of('chat')]
    const [other, running] = [await of('phone', { priority: 'high' }), await of('email')]
    await say(client, inTime.id, 'operator')
    await advance(client, 2 * minute)
    await say(client, late.id, 'operator')
    for (const { id } of [late, inTime]) await say(client, id, 'end_user')
    assert.partialDeepStrictEqual((await shown(client, late.id)).sla.first_response, { status: 'breached' })
    const expected = [running, other, late, inTime]
    assert.deepEqual(
      await claimAll(client, me),
      expected.map(({ id }) => id),
    )
  })

  test('a clock that was paused counts by its later due time', async () => {
    const hold_reason_id = await holdReason(client, { pauses_sla: true })
    const held = await of('web')
    await act(client, held.id, 'hold', { hold_reason_id })
    await advance(client, 90 * minute)
    await act(client, held.id, 'resume')
    const [later, sooner] = [await of('web'), await of('chat')]
    assert.deepEqual(
      await claimAll(client, me),
      [sooner, held, later].map(({ id }) => id),
    )
  })

  test('puts the higher priority first if several are due at one time, then what waits longer', async () => {
    const weekly = [{ day: 'mon', from: '08:00', to: '09:00' }]
    await config(client, {
      conditions: { channels: ['mobile'] },
      targets: [{ first_response_seconds: minute }],
      schedule: { timezone: 'UTC', weekly },
    })
    const made: Body[] = []
    for (const priority of ['low', 'normal', 'urgent', 'normal']) made.push(await of('mobile', { priority }))
    const due = await Promise.all(made.map(({ id }) => shown(client, id)))
    assert.equal(new Set(due.map(({ sla }) => sla.first_response.due_at)).size, 1)
    assert.deepEqual(
      await claimAll(client, me),
      [2, 1, 3, 0].map((i) => made[i].id),
    )
  })
})

describe('the order priority', () => {
  test('goes from urgent to low, and then by due time', async () => {
    const { test: client } = await api.world()
    const me = await operator(client)
    await promises(client, { chat: 1, web: 60 })
    await orderOfWorkspace(client, 'priority')
    const made: Body[] = []
    for (const [priority, channel] of [
      ['low', 'chat'],
      ['urgent', 'phone'],
      ['normal', 'web'],
      ['high', 'phone'],
      ['urgent', 'web'],
      ['high', 'phone'],
      ['normal', 'chat'],
    ])
      made.push(await conversation(client, { priority, channel }))
    assert.deepEqual(
      await claimAll(client, me),
      [4, 1, 3, 5, 6, 2, 0].map((i) => made[i].id),
    )
  })

  test('is judged as it stands when a conversation is claimed, not when it was found', async (t) => {
    const { test: client } = await api.world()
    const me = await operator(client)
    await orderOfWorkspace(client, 'priority')
    const [one, other] = [await conversation(client, { priority: 'urgent' }), await conversation(client)]
    let meanwhile: (() => Promise<unknown>) | null = () =>
      client.patch(`/v1/conversations/${one.id}`, { priority: 'low' }).then(succeeded)
    const end = interceptHomes(api.db, ({ slowRows }) => ({
      async slowRows(...query) {
        const rows = await slowRows(...query)
        const change = meanwhile
        meanwhile = null
        await change?.()
        return rows as never
      },
    }))
    t.after(end)
    assert.deepEqual(await claimAll(client, me), [other.id, one.id])
    assert.equal(meanwhile, null)
  })
})

describe('whose order counts', () => {
  let client: Client
  let me: string
  before(async () => {
    client = (await api.world()).test
    me = await operator(client)
  })
  const manual = { assignment: { strategy: 'manual' } }

  test('a new department and a new workspace begin with what has waited longest', async () => {
    const department_id = await department(client, [], manual)
    assert.equal((await claimNext(client, me)).order, 'waiting')
    assert.equal((await claimNext(client, me, { department_id })).order, 'waiting')
    assert.equal(succeeded(await client.get(`/v1/departments/${department_id}`)).claim_order, 'waiting')
    assert.equal(succeeded(await client.get('/v1/workspace')).claim_order, 'waiting')
  })

  test('that of the department that is named, otherwise that of the workspace, and always that of a view', async () => {
    const department_id = await department(client, [], { ...manual, claim_order: 'priority' })
    const all = { field: 'channel', op: 'is', value: 'api' }
    const view = { name: 'All', filter: all, sort: '-created_at' }
    const { id: view_id } = succeeded(await client.post('/v1/views', view))
    const made: Body[] = []
    for (const priority of ['normal', 'low', 'urgent', 'high'])
      made.push(await conversation(client, { priority, department_id }))
    const claims = []
    for (const body of [{}, { department_id }, { department_id, view_id }])
      claims.push(await claimNext(client, me, body))
    await orderOfWorkspace(client, 'due')
    claims.push(await claimNext(client, me))
    assert.deepEqual(
      claims.map(({ order, conversation }) => [order, conversation.id]),
      [
        ['waiting', made[0].id],
        ['priority', made[2].id],
        ['view', made[3].id],
        ['due', made[1].id],
      ],
    )
  })

  test('a change of it counts for the next claim, also through another server', async () => {
    const { url, stop } = await api.another()
    const beside = clientOf(url, client.key)
    for (const order of ['waiting', 'due', 'priority']) {
      await orderOfWorkspace(client, order)
      assert.equal((await claimNext(beside, me)).order, order)
    }
    await stop()
  })

  test('the orders are a closed list', async () => {
    const answer = await client.patch('/v1/workspace', { claim_order: 'newest' })
    assert.deepEqual([answer.status, answer.body.errors[0].pointer], [422, '/claim_order'])
    assert.equal((await client.post('/v1/departments', { name: 'X', claim_order: null })).status, 422)
  })
})

const urgency = ['urgent', 'high', 'normal', 'low']

/** The place of a conversation in an order, as the text of the contract has it. */
function placeOf({ sla, priority, waiting_since, id }: Body, order: string): string[] {
  const clocks = sla ? [sla.first_response, sla.next_response, sla.resolution] : []
  const counting = clocks.filter(
    (clock) => clock && (clock.status === 'running' || (clock.status === 'breached' && !clock.met_at)),
  )
  const due = counting.map(({ due_at }) => due_at).filter((at) => at !== null)
  const dueAt = due.toSorted()[0] ?? '9999'
  const rank = String(urgency.indexOf(priority))
  if (order === 'waiting') return [waiting_since, id]
  return order === 'due' ? [dueAt, rank, waiting_since, id] : [rank, dueAt, waiting_since, id]
}

test('random conversations are claimed in each order as their fields and clocks say', async (t) => {
  const random = new Random(seedOf(t))
  const { test: client } = await api.world()
  const me = await operator(client)
  const hold_reason_id = await holdReason(client, { pauses_sla: true })
  await config(client, {
    conditions: { channels: ['chat'] },
    targets: [{ first_response_seconds: 90, next_response_seconds: 45, resolution_seconds: 600 }],
  })
  await promises(client, { web: 2 })
  const places: (string | null)[] = [null]
  for (const claim_order of ['due', 'priority'])
    places.push(await department(client, [], { assignment: { strategy: 'manual' }, claim_order }))
  const ids: string[] = []
  for (let i = 0; i < 40; i++) {
    const made = await conversation(client, {
      channel: random.pick(['chat', 'web', 'phone']),
      priority: random.pick(urgency),
      department_id: random.pick(places),
    })
    ids.push(made.id)
    const id = random.pick(ids)
    const chance = random.below(5)
    if (chance === 0) await say(client, id, 'operator')
    if (chance === 1) await say(client, id, 'end_user')
    if (chance === 2) await client.post(`/v1/conversations/${id}/hold`, { hold_reason_id })
    if (chance === 3) await client.post(`/v1/conversations/${id}/resume`)
    if (random.chance(0.4)) await advance(client, random.between(1, 40))
  }
  for (const order of ['due', 'priority', 'waiting']) {
    await orderOfWorkspace(client, order)
    for (const department_id of places) {
      const waiting = succeeded(await client.get('/v1/conversations?limit=100&assignee_id=none')).data.filter(
        (each: Body) =>
          (each.status === 'new' || each.status === 'open') &&
          (department_id === null || each.department_id === department_id),
      )
      const own = department_id === null ? order : places.indexOf(department_id) === 1 ? 'due' : 'priority'
      const expected = waiting
        .map((each: Body) => placeOf(each, own))
        .sort((one: string[], other: string[]) => (one.join('/') < other.join('/') ? -1 : 1))
        .map((place: string[]) => place.at(-1))
      const claimed = await claimAll(client, me, { department_id })
      assert.deepEqual(claimed, expected, `${order} in ${department_id}`)
      assert.ok(claimed.length > 0)
      for (const id of claimed) await act(client, id, 'assign', { assignee_id: null })
    }
  }
})

describe('two servers', () => {
  let otherUrl = ''
  before(async () => {
    otherUrl = (await secondServer(api)).url
  })
  after(cleanUp)

  for (const order of ['due', 'priority'])
    test(`give each conversation once in the order ${order}, while priorities change`, async () => {
      const { test: client } = await api.world()
      const clients = [client, clientOf(otherUrl, client.key)]
      await promises(client, { chat: 1, web: 60 })
      await orderOfWorkspace(client, order)
      const made: Body[] = await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          conversation(client, { channel: ['chat', 'web', 'phone'][i % 3], priority: urgency[i % 4] }),
        ),
      )
      const claimants = await operators(client, 40)
      const [claimed] = await Promise.all([
        Promise.all(claimants.map((claimant, i) => claimNext(clients[i % 2]!, claimant))),
        Promise.all(
          made.map(({ id }, i) =>
            clients[i % 2]!.patch(`/v1/conversations/${id}`, { priority: urgency[(i + 2) % 4] }).then(
              succeeded,
            ),
          ),
        ),
      ])
      const given = claimed.flatMap(({ conversation }) => (conversation ? [conversation.id] : []))
      assert.deepEqual(given.toSorted(), made.map(({ id }) => id).toSorted())
      assert.deepEqual(new Set(claimed.map((claim) => claim.order)), new Set([order]))
    })
})
