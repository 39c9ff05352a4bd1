import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type Body,
  conversation,
  department,
  operator,
  operators,
  setStatus,
  shown,
  tally,
} from '@backline/test/desk.ts'
import { type Answer, type Client, clientOf, service, type World } from '@backline/test/harness.ts'
import { cleanUp, secondServer, until } from '@backline/test/processes.ts'
import { converse } from '@backline/test/raw-http.ts'
import pg from 'pg'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { sql } from '../../../../platform/postgres/sql.ts'

/* Many conversations come to one department at once: their decisions are made together, and written together. */

const api = service()
let otherUrl = ''

const create = (client: Client, fields: object, key?: string): Promise<Answer> =>
  client.post(
    '/v1/conversations',
    { external_user_id: 'user_42', ...fields },
    key === undefined ? {} : { 'idempotency-key': key },
  )

const all = <Item>(count: number, make: (i: number) => Promise<Item>): Promise<Item[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)))

/** Creates conversations by requests that are sent together over one connection, before any of them is answered. */
async function atOnce({ key }: Client, count: number, fields: object): Promise<Body[]> {
  const body = JSON.stringify({ external_user_id: 'user_42', ...fields })
  const head = (i: number) =>
    `POST /v1/conversations HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
    `content-type: application/json\r\nidempotency-key: at-once-${i}\r\ncontent-length: ${body.length}\r\n\r\n`
  const requests = Array.from({ length: count }, (_, i) => head(i) + body).join('')
  const methods = Array.from({ length: count }, () => 'POST')
  const answers = await converse(api.url, [Buffer.from(requests)], { methods, withinMs: 120_000 })
  return answers.map(({ status, body }) => {
    assert.equal(status, 201, body.toString())
    return JSON.parse(body.toString())
  })
}

/**
 * The assignees of each transaction, in the order of the commits. Those of one transaction are sorted: they are given
 * out at the same moment, and their events follow the order in which their changes were ready.
 */
async function assignments({ environments }: World): Promise<string[][]> {
  const rows = await api.db.rows<{ assignee: string; commit: string }>(
    sql`select object ->> 'assignee_id' as assignee, xmin::text as commit from events
      where tenant_id = ${environments.test.tenantId} and type = 'conversation.assigned' order by position`,
  )
  const byCommit = Map.groupBy(rows, ({ commit }) => commit)
  return [...byCommit.values()].map((given) => given.map(({ assignee }) => assignee).sort())
}

/** The value of `assignments` if the members are given conversations in turn by transactions of these sizes. */
function inTurn(members: string[], sizes: number[]): string[][] {
  let given = 0
  return sizes.map((size) => Array.from({ length: size }, () => members[given++ % members.length]!).sort())
}

/** The counters must be those of a recount, and nobody above the limit. */
async function assertCounted({ environments }: World, limit: number): Promise<void> {
  const counts = await api.db.rows<{ open: number; given: number; places: number }>(sql`select
      o.open_conversations as open,
      (select count(*) from conversations where tenant_id = o.tenant_id and assignee_id = o.id
        and status in ('new', 'open', 'pending')) as given,
      (select coalesce(sum(open), 0)::integer from operator_loads
        where tenant_id = o.tenant_id and operator_id = o.id) as places
    from operators o where o.tenant_id = ${environments.test.tenantId}`)
  for (const { open, given, places } of counts) {
    assert.deepEqual({ open, places }, { open: given, places: given })
    assert.ok(given <= limit, `${given} of ${limit}`)
  }
}

describe('many conversations at once in one department', () => {
  before(async () => {
    otherUrl = (await secondServer(api)).url
  })
  after(cleanUp)

  for (const servers of [1, 2]) {
    test(`are given to its members strictly in turn, by ${servers === 1 ? 'one server' : 'two servers'}`, async () => {
      const world = await api.world()
      const clients = [world.test, clientOf(otherUrl, world.test.key)]
      const members = await operators(world.test, 7)
      const department_id = await department(world.test, members)
      const made = await all(200, (i) => conversation(clients[i % servers]!, { department_id }))
      const commits = await assignments(world)
      const sizes = commits.map(({ length }) => length)
      assert.deepEqual(commits, inTurn(members.sort(), sizes))
      assert.deepEqual(tally(made.map(({ assignee_id }) => assignee_id)), tally(commits.flat()))
      assert.ok(commits.length <= 100, `${commits.length} commits`)
      await assertCounted(world, 29)
    })

    test(`fill every member up to the limit and wait then, with ${servers === 1 ? 'one server' : 'two servers'}`, async () => {
      const world = await api.world()
      const clients = [world.test, clientOf(otherUrl, world.test.key)]
      const members = [
        ...(await operators(world.test, 3, { capacity: 5 })),
        ...(await operators(world.test, 3, { capacity: 50 })),
      ]
      const assignment = { strategy: 'round_robin', max_open_per_operator: 8 }
      const department_id = await department(world.test, members, { assignment })
      const made = await all(100, (i) => conversation(clients[i % servers]!, { department_id }))
      const counts = tally(made.map(({ assignee_id }) => assignee_id))
      assert.deepEqual(
        [...members, null].map((member) => counts.get(member)),
        [5, 5, 5, 8, 8, 8, 61],
      )
      await assertCounted(world, 8)
    })
  }

  test('go to the least busy member one after another, each with the reason of its place', async () => {
    const world = await api.world()
    const [busy, free] = await operators(world.test, 2)
    const assignment = { strategy: 'least_busy' }
    const department_id = await department(world.test, [busy!, free!], { assignment })
    for (let i = 0; i < 10; i++) await conversation(world.test, { department_id, assignee_id: busy })
    const made = await all(30, () => conversation(world.test, { department_id }))
    assert.deepEqual(
      tally(made.map(({ assignee_id }) => assignee_id)),
      new Map([
        [free, 20],
        [busy, 10],
      ]),
    )
    const reasons = made
      .filter(({ assignee_id }) => assignee_id === free)
      .map((each) => each.assignment.reason)
    const expected = Array.from(
      { length: 20 },
      (_, i) => `Fewest open conversations (${i}), one of 2 available operators`,
    )
    assert.deepEqual(reasons.sort(), expected.sort())
    await assertCounted(world, 20)
  })

  test('are not disturbed by those that fail or were created before', async () => {
    const world = await api.world()
    const members = await operators(world.test, 5)
    const department_id = await department(world.test, members)
    const stored = await all(10, (i) => create(world.test, { department_id }, `stored-${i}`))
    const answers = await all(120, (i) => {
      if (i % 12 === 3) return create(world.test, { department_id }, `stored-${(i - 3) / 12}`)
      if (i % 12 === 5) return create(world.test, { department_id, external_id: 'the-one' })
      if (i % 12 === 7) return create(world.test, { department_id }, `twice-${i % 24}`)
      if (i % 12 === 9) return create(world.test, { department_id, category_id: 'cat_nothing' })
      return create(world.test, { department_id })
    })
    for (const [i, { status, text }] of answers.entries()) {
      const others = { 3: [201], 5: [201, 409], 9: [422] } as Record<number, number[]>
      assert.ok((others[i % 12] ?? [201]).includes(status), `${i}: ${status} ${text}`)
      if (i % 12 === 3) assert.equal(text, stored[(i - 3) / 12]!.text)
    }
    const made = [...stored, ...answers].filter(({ status }) => status === 201)
    const assignees = new Map(made.map(({ body }) => [body.id, body.assignee_id]))
    assert.equal(assignees.size, 10 + 80 + 1 + 2)
    const counts = [...tally([...assignees.values()]).values()]
    assert.equal(counts.length, 5)
    assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, `given out ${counts}`)
    assert.equal((await assignments(world)).flat().length, assignees.size)
    await assertCounted(world, 19)
  })

  test('do not wait because of an assignment that another process has prevented', async () => {
    const world = await api.world()
    const members = await operators(world.test, 2, { capacity: 1 })
    const department_id = await department(world.test, members)
    const holders = await all(2, async (i) => {
      const holder = new pg.Client(api.connection)
      await holder.connect()
      await holder.query('begin')
      await holder.query('select from operators where id = $1 for update', [uuidOf('op', members.sort()[i]!)])
      return holder
    })
    const isBlocked = () =>
      api.db.maybe(
        sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    const inProgress = async () => {
      const metrics = await (await fetch(`${api.url}/metrics`)).text()
      return Number(/^backline_http_requests_in_progress (\d+)$/m.exec(metrics)?.[1])
    }
    await conversation(world.test, {}) // the end user exists
    const leader = conversation(world.test, { department_id })
    await until('the first decision is being written', isBlocked)
    // So long that the decisions of one round need several transactions.
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key ${i}`, 'x'.repeat(500)]))
    const others = all(60, () => conversation(world.test, { department_id, metadata }))
    await until('the others have arrived', async () => (await inProgress()) === 61)
    for (let i = 0; i < 3; i++) await world.test.get(`/v1/departments/${department_id}`) // they come to their decisions
    await holders[0]!.query('commit')
    await leader
    await until('the second operator is being taken', isBlocked)
    await holders[1]!.query('update department_turns set turn = turn + 100 where department_id = $1', [
      uuidOf('dept', department_id),
    ])
    await holders[1]!.query('commit')
    await all(2, (i) => holders[i]!.end())
    const made = [await leader, ...(await others)]
    const counts = tally(made.map(({ assignee_id }) => assignee_id))
    assert.deepEqual(
      [...members, null].map((each) => counts.get(each)),
      [1, 1, 59],
    )
  })

  test('are given to the members of the fallback in turn', async () => {
    const world = await api.world()
    const substitutes = await operators(world.test, 3)
    const fallback = await department(world.test, substitutes)
    const own = await operator(world.test, { capacity: 2 })
    const department_id = await department(world.test, [own], { fallback_department_id: fallback })
    const made = await all(62, (i) =>
      conversation(world.test, { department_id: i < 50 ? department_id : fallback }),
    )
    const counts = tally(made.map(({ assignee_id }) => assignee_id))
    assert.deepEqual(
      [own, ...substitutes].map((member) => counts.get(member)),
      [2, 20, 20, 20],
    )
    await assertCounted(world, 20)
  })

  test('wait together if nobody is there, and are given to the first who comes, oldest first', async () => {
    const world = await api.world()
    const member = await operator(world.test, { capacity: 3 }, 'away')
    const department_id = await department(world.test, [member])
    const made = await atOnce(world.test, 60, { department_id })
    assert.deepEqual(tally(made.map(({ assignee_id }) => assignee_id)), new Map([[null, 60]]))
    const [row] = await api.db.rows<{ commits: number }>(
      sql`select count(distinct xmin::text) as commits from conversations
        where tenant_id = ${world.environments.test.tenantId}`,
    )
    // 17 to 26 on an idle machine; one for each change would be 60.
    assert.ok(row!.commits <= 45, `${row!.commits} commits`)
    await setStatus(world.test, member, 'online')
    const oldest = made
      .map(({ id }) => id)
      .sort()
      .slice(0, 3)
    for (const id of oldest) assert.equal((await shown(world.test, id)).assignee_id, member)
    await assertCounted(world, 3)
  })
})
