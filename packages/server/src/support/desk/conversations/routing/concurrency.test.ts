import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type Body,
  conversation,
  department,
  operators,
  setStatus,
  shown,
  succeeded,
  tally,
} from '@backline/test/desk.ts'
import { type Client, clientOf, service, type World } from '@backline/test/harness.ts'
import { tableItself } from '@backline/test/one-shard.ts'
import { cleanUp, secondServer, until } from '@backline/test/processes.ts'
import { Random, seedOf } from '@backline/test/random.ts'
import { rounds } from '@backline/test/thorough.ts'
import { sql } from '../../../../platform/postgres/sql.ts'

/*
 * Two servers route at the same time. Triggers record each increment of a counter while its row is locked, so that
 * assignments are compared with the limits of exactly that moment.
 */

const api = service()
let otherUrl = ''

const bothOf = (client: Client): [Client, Client] => [client, clientOf(otherUrl, client.key)]

const noteRises = [
  sql`create table rises (tenant_id uuid, operator_id uuid, status text, archived boolean, capacity integer, open integer)`,
  sql`create function note_rise() returns trigger language plpgsql as $$ begin
    if new.open_conversations > old.open_conversations then insert into rises
      values (new.tenant_id, new.id, new.status, new.archived, new.capacity, new.open_conversations); end if;
    return null; end $$`,
  sql`create trigger note_rise after update on ${tableItself('operators')} for each row execute function note_rise()`,
  sql`create table place_rises (tenant_id uuid, open integer)`,
  sql`create function note_place() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' or new.open > old.open then insert into place_rises values (new.tenant_id, new.open); end if;
    return null; end $$`,
  sql`create trigger note_place after insert or update on ${tableItself('operator_loads')} for each row execute function note_place()`,
]

/** Calls `work` `count` times, some concurrently. */
async function times(count: number, atOnce: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let i = next++; i < count; i = next++) await work(i)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

const tenantOf = ({ environments }: World) => environments.test.tenantId

/** Compares the counters with a recount of the conversations. */
async function assertCountersRight(tenantId: string): Promise<void> {
  const load = sql`tenant_id = ${tenantId} and assignee_id is not null and status in ('new', 'open', 'pending')`
  const wrong = await api.db.rows(sql`select o.id, o.open_conversations, count(c.id)
    from operators o left join (select id, assignee_id from conversations where ${load}) c on c.assignee_id = o.id
    where o.tenant_id = ${tenantId} group by o.id, o.open_conversations having o.open_conversations <> count(c.id)`)
  assert.deepEqual(wrong, [], 'operators.open_conversations')
  const wrongPlaces = await api.db.rows(sql`select coalesce(l.operator_id, c.assignee_id), l.open, c.count
    from (select operator_id, department_id, open from operator_loads where tenant_id = ${tenantId}) l
    full join (select assignee_id, department_id, count(*) from conversations
      where ${load} and department_id is not null group by 1, 2) c
      on c.assignee_id = l.operator_id and c.department_id = l.department_id
    where coalesce(l.open, 0) <> coalesce(c.count, 0)`)
  assert.deepEqual(wrongPlaces, [], 'operator_loads.open')
}

/** No conversation waits that an operator could take; the loop finds those that two processes missed. */
const nothingWaitsInVain = (tenantId: string) =>
  until('what waits has nobody who could take it', async () => {
    const [row] = await api.db.rows<{ count: number }>(sql`select count(*) from conversations c
      join departments d on d.tenant_id = c.tenant_id and d.id = c.department_id
      join department_members m on m.tenant_id = c.tenant_id and m.department_id = d.id
      join operators o on o.tenant_id = c.tenant_id and o.id = m.operator_id
      left join operator_loads l on l.tenant_id = c.tenant_id and l.department_id = d.id and l.operator_id = o.id
      where c.tenant_id = ${tenantId} and c.awaits_routing and c.assignee_id is null
        and c.status in ('new', 'open', 'pending') and d.assignment ->> 'strategy' <> 'manual'
        and o.status = 'online' and not o.archived and (o.capacity is null or o.open_conversations < o.capacity)
        and coalesce(l.open, 0) < coalesce((d.assignment ->> 'max_open_per_operator')::integer, 1000000)`)
    return row!.count === 0
  })

describe('two servers', () => {
  before(async () => {
    for (const statement of noteRises) await api.db.write(statement)
    otherUrl = (await secondServer(api)).url
  })
  after(cleanUp)

  test('give 100 conversations at once to everybody in turn', async () => {
    const world = await api.world()
    const clients = bothOf(world.test)
    const members = await operators(world.test, 7)
    const department_id = await department(world.test, members)
    const made = await Promise.all(
      Array.from({ length: 100 }, (_, i) => conversation(clients[i % 2]!, { department_id })),
    )
    const counts = tally(made.map(({ assignee_id }) => assignee_id))
    const each = members.map((member) => counts.get(member) ?? 0)
    assert.ok(Math.max(...each) - Math.min(...each) <= 1, `${each}`)
    await assertCountersRight(tenantOf(world))
  })

  for (const strategy of ['round_robin', 'least_busy']) {
    test(`give nobody too much, nor anything to who is not online: ${strategy}`, async (t) => {
      const world = await api.world()
      const tenantId = tenantOf(world)
      const clients = bothOf(world.test)
      const random = new Random(seedOf(t))
      const members = await operators(world.test, 4, { capacity: 5 })
      const assignment = { strategy, max_open_per_operator: 3 }
      const places = [
        await department(world.test, members, { assignment }),
        await department(world.test, members.slice(1), { assignment }),
      ]
      const made: string[] = []
      const someone = () => random.pick(members)
      const create = async (client: Client) => {
        made.push((await conversation(client, { department_id: random.pick(places) })).id)
      }
      const finish = async (client: Client) => {
        const id = made.length > 0 && random.pick(made)
        const answer =
          id && (await client.post(`/v1/conversations/${id}/${random.pick(['resolve', 'close'])}`))
        assert.ok(!answer || [200, 409].includes(answer.status), answer ? answer.text : '')
      }
      const status = (client: Client) => setStatus(client, someone(), random.pick(['online', 'away']))
      const capacity = async (client: Client) =>
        succeeded(await client.patch(`/v1/operators/${someone()}`, { capacity: random.between(2, 6) }))
      const acts = [create, create, create, create, finish, finish, status, capacity]
      await times(rounds(400, 100), 32, (i) => random.pick(acts)(clients[i % 2]!))

      const wrong = await api.db.rows(sql`select * from rises
        where tenant_id = ${tenantId} and (status <> 'online' or archived or open > capacity)`)
      assert.deepEqual(wrong, [])
      const tooMany = await api.db.rows(
        sql`select * from place_rises where tenant_id = ${tenantId} and open > 3`,
      )
      assert.deepEqual(tooMany, [])
      await assertCountersRight(tenantId)
      await nothingWaitsInVain(tenantId)
      await assertCountersRight(tenantId)
    })
  }

  test('count right whatever is done to conversations, and each stay on hold has one period', async (t) => {
    const world = await api.world()
    const tenantId = tenantOf(world)
    const random = new Random(seedOf(t))
    const desk = await openDesk(world.test, random)
    const clients = bothOf(world.test)
    await times(rounds(600, 120), 16, (i) => desk.doSomething(clients[i % 2]!))
    await assertCountersRight(tenantId)
    await nothingWaitsInVain(tenantId)
    await assertCountersRight(tenantId)
    const holds = await api.db.rows(sql`select c.id, c.status, c.hold_since, h.since, h.ended_at, h.ended_by
      from (select * from conversations where tenant_id = ${tenantId} and status = 'on_hold') c
      full join (select * from conversation_holds where tenant_id = ${tenantId} and ended_at is null) h
        on h.conversation_id = c.id and h.since = c.hold_since
      where c.id is null or h.conversation_id is null`)
    assert.deepEqual(holds, [], 'periods without an end are those of conversations on hold')
    const unended = await api.db.rows(sql`select * from conversation_holds
      where tenant_id = ${tenantId} and ((ended_at is null) <> (ended_by is null) or ended_at < since)`)
    assert.deepEqual(unended, [])
    const assigned = await api.db.rows(sql`select id from conversations where tenant_id = ${tenantId}
      and ((assignee_id is null) <> (assigned_at is null) or (status = 'new' and assignee_id is not null))`)
    assert.deepEqual(assigned, [], 'an assignment says why; who has an assignee is not new')
  })

  test('let one of 20 who claim a conversation have it', async () => {
    const { test } = await api.world()
    const clients = bothOf(test)
    const claimants = await operators(test, 20)
    const { id } = await conversation(test)
    const answers = await Promise.all(
      claimants.map((claimant, i) =>
        clients[i % 2]!.post(`/v1/conversations/${id}/claim`, undefined, { 'backline-operator': claimant }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(409)])
    const winner = claimants[answers.findIndex(({ status }) => status === 200)]
    assert.partialDeepStrictEqual(await shown(test, id), { assignee_id: winner, status: 'open' })
  })
})

/** Operators, departments, hold reasons and conversations of two end users, with random actions on them. */
async function openDesk(client: Client, random: Random) {
  const staff = await operators(client, 5, { capacity: 4 })
  const fallback = await department(client, staff.slice(3))
  const least = { assignment: { strategy: 'least_busy', max_open_per_operator: 2 } }
  const places = [
    await department(client, staff.slice(0, 3), { fallback_department_id: fallback }),
    await department(client, staff.slice(1, 4), least),
    fallback,
    await department(client, staff, { assignment: { strategy: 'manual' } }),
  ]
  const reasons = await Promise.all(
    [{ resumes_on_reply: false }, {}].map(async (fields, i) => {
      const body = { name: `Reason ${i}`, ...fields }
      return succeeded(await client.post('/v1/hold_reasons', body)).id as string
    }),
  )
  const users = ['user_1', 'user_2']
  const made: string[] = []
  const create = async (client: Client) => {
    const assignee = random.chance(0.2) ? { assignee_id: random.pick(staff) } : {}
    const place = random.chance(0.8) ? { department_id: random.pick(places) } : {}
    const body = { external_user_id: random.pick(users), ...place, ...assignee }
    made.push((await conversation(client, body)).id)
  }
  const message = (): [string, Body] => [
    'messages',
    random.pick([
      { author_side: 'end_user', body: 'Hello' },
      { author_side: 'operator', body: 'Hello' },
      { author_side: 'operator', body: 'Done', set_status: 'resolved' },
      { author_side: 'operator', body: 'Hm', visibility: 'internal' },
    ]),
  ]
  const actions: (() => [string, Body?])[] = [
    message,
    message,
    () => ['assign', { assignee_id: random.pick([...staff, null]) }],
    () => ['assign', { department_id: random.pick([...places, null]) }],
    () => ['assign', { assignee_id: random.pick([...staff, null]), department_id: random.pick(places) }],
    () => ['claim'],
    () => ['hold', { hold_reason_id: random.pick(reasons) }],
    () => ['hold', { hold_reason_id: random.pick(reasons) }],
    () => ['resume'],
    () => ['resolve', random.chance(0.5) ? { note: 'Done' } : {}],
    () => ['reopen'],
    () => ['close'],
    () => ['merge', { into_id: random.pick(made) }],
  ]
  const onConversation = async (client: Client) => {
    const [action, body] = random.pick(actions)()
    const headers = { 'backline-operator': random.pick(staff) }
    const answer = await client.post(`/v1/conversations/${random.pick(made)}/${action}`, body, headers)
    assert.ok([200, 201, 409, 422].includes(answer.status), answer.text)
  }
  const patch = async (client: Client) => {
    const path = `/v1/conversations/${random.pick(made)}`
    const answer = await client.patch(path, { department_id: random.pick([...places, null]) })
    assert.ok([200, 409].includes(answer.status), answer.text)
  }
  const onOperator = async (client: Client) => {
    const id = random.pick(staff)
    if (random.chance(0.5)) await setStatus(client, id, random.pick(['online', 'online', 'away', 'offline']))
    else succeeded(await client.patch(`/v1/operators/${id}`, { capacity: random.pick([1, 4, 8, null]) }))
  }
  const onMembers = async (client: Client) => {
    const path = `/v1/departments/${random.pick(places)}/operators/${random.pick(staff)}`
    const answer = random.chance(0.7) ? await client.put(path) : await client.delete(path)
    assert.ok([200, 204, 404].includes(answer.status), answer.text)
  }
  const deeds = [
    create,
    create,
    onOperator,
    onMembers,
    patch,
    ...Array.from({ length: 7 }, () => onConversation),
  ]
  for (let i = 0; i < 8; i++) await create(client)
  return { doSomething: (client: Client) => random.pick(deeds)(client) }
}
