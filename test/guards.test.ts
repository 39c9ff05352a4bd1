import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { advanceConsumer, type Position } from '@backline/server/platform/journal/positions.ts'
import { toInstant } from '@backline/server/platform/kernel/clock.ts'
import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { returnLease, takeLease } from '@backline/server/platform/postgres/leases.ts'
import { type Sql, sql } from '@backline/server/platform/postgres/sql.ts'
import { type Tag, tagTable } from '@backline/server/support/catalogue/tags/queries.ts'
import {
  endRemovals,
  findRemoval,
  insertRemoval,
  type Progress,
  updateRemovals,
} from '@backline/server/support/desk/conversations/deleting/queries.ts'
import {
  countOfOperators,
  countOfPlaces,
  findRosters,
  turnsOfDepartments,
  turnsOfMembers,
} from '@backline/server/support/desk/conversations/routing/queries.ts'
import {
  type Delivery,
  deliveryTable,
} from '@backline/server/support/integration/webhook-endpoints/deliveries/queries.ts'
import { recoverDeliveries } from '@backline/server/support/integration/webhook-endpoints/recovery/queries.ts'
import {
  type Outcome,
  recordOutcomes,
} from '@backline/server/support/integration/webhook-endpoints/sending/queries.ts'
import { conversation, department, operator, succeeded } from './desk.ts'
import { service, type World } from './harness.ts'
import { attempt, delivered, journalOf, uuid, webhookEndpoint } from './webhook-fixtures.ts'

/*
 * Statements that must change nothing when another process was faster. By HTTP that takes a race which is rarely lost;
 * here each is sent as the slower process would send it.
 */

const api = service()
let world: World
let tenantId: string

describe('who is slower changes nothing:', () => {
  before(async () => {
    world = await api.world()
    tenantId = world.environments.test.tenantId
  })

  /** How many rows a statement is about. */
  const affected = async (statement: Sql) => (await api.db.write(statement)).length

  describe('a row that has another version', () => {
    /** Tags that were changed once: their version is 2. */
    async function tags(count: number): Promise<Tag[]> {
      const ids: string[] = []
      for (let i = 0; i < count; i++) {
        const { id } = succeeded(await world.test.post('/v1/tags', { name: randomUUID() }))
        succeeded(await world.test.patch(`/v1/tags/${id}`, { color: '#112233' }))
        ids.push(uuidOf('tag', id)!)
      }
      return tagTable.findMany(api.db, tenantId, ids)
    }
    const asVersion = (row: Tag, version: number): Tag => ({ ...row, version })

    test('is not updated, neither alone nor among others', async () => {
      const [one, other] = (await tags(2)) as [Tag, Tag]
      for (const version of [2, 4]) {
        assert.equal(await affected(tagTable.update(tenantId, [asVersion(one, version)])), 0)
        const both = [asVersion(one, version), asVersion(other, version)]
        assert.equal(await affected(tagTable.update(tenantId, both)), 0)
      }
      assert.equal(await affected(tagTable.update(tenantId, [asVersion(one, 3)])), 1)
      const both = [asVersion(one, 4), asVersion(other, 3)]
      assert.equal(await affected(tagTable.update(tenantId, both)), 2)
    })

    test('is not removed, and does not count as unchanged', async () => {
      const [one, other] = (await tags(2)) as [Tag, Tag]
      for (const statement of [tagTable.unchanged, tagTable.remove]) {
        for (const version of [1, 3]) {
          assert.equal(await affected(statement(tenantId, [asVersion(one, version)])), 0)
          assert.equal(await affected(statement(tenantId, [asVersion(one, version), other])), 1)
          if (statement === tagTable.remove) return
        }
        assert.equal(await affected(statement(tenantId, [one, other])), 2)
      }
    })

    test('is that of its environment alone', async () => {
      const [row] = (await tags(1)) as [Tag]
      const elsewhere = world.environments.live.tenantId
      assert.equal(await affected(tagTable.update(elsewhere, [asVersion(row, 3)])), 0)
      assert.equal(await affected(tagTable.unchanged(elsewhere, [row])), 0)
      assert.equal(await affected(tagTable.remove(elsewhere, [row])), 0)
    })
  })

  test('a part of the removal of a conversation, alone and among others', async () => {
    const rest = {
      kind: 'redact',
      file_ids: [randomUUID()],
      stream_ids: [randomUUID(), randomUUID()],
      after: null,
    } as const
    const [one, other] = [randomUUID(), randomUUID()].map((conversation_id) => ({
      ...{ ...rest, file_ids: [...rest.file_ids], stream_ids: [...rest.stream_ids] },
      ...{ conversation_id, after_sequence: 7, part: 0 },
    })) as [Progress, Progress]
    for (const { conversation_id } of [one, other])
      await api.db.write(insertRemoval(tenantId, conversation_id, 'redact'))
    assert.equal(await affected(updateRemovals(tenantId, [{ ...one, part: 1 }])), 0)
    assert.equal(await affected(updateRemovals(tenantId, [{ ...one, part: 1 }, other])), 1)
    assert.equal(await affected(updateRemovals(tenantId, [one, { ...other, part: 1 }])), 2)
    assert.deepEqual(await findRemoval(api.db, tenantId, one.conversation_id), {
      ...{ ...rest, after_sequence: 7, part: 1 },
    })
    assert.equal(await affected(endRemovals(tenantId, [one, { ...other, part: 2 }])), 1)
    assert.equal(await affected(endRemovals(tenantId, [{ ...one, part: 1 }])), 1)
  })

  describe('routing', () => {
    async function member(fields: object = {}) {
      const [operator_id, department_id] = await serving(fields)
      return { operator_id: uuidOf('op', operator_id)!, department_id: uuidOf('dept', department_id)! }
    }
    async function serving(fields: object): Promise<[operator: string, department: string]> {
      const id = await operator(world.test, fields)
      return [id, await department(world.test, [id])]
    }

    test('takes no place beyond the limit of the department', async () => {
      const place = { ...(await member()), most: 2, count: 1 }
      const taken = []
      for (let i = 0; i < 4; i++) taken.push(await affected(countOfPlaces(tenantId, [place])))
      assert.deepEqual(taken, [1, 1, 0, 0])
      assert.equal(await affected(countOfPlaces(tenantId, [{ ...place, most: 3 }])), 1)
      assert.equal(await affected(countOfPlaces(tenantId, [{ ...place, most: null }])), 1)
      assert.equal(await affected(countOfPlaces(tenantId, [{ ...place, count: 0 }])), 0)
    })

    test('takes no operator beyond the capacity, nor one who is not online', async () => {
      const { operator_id } = await member({ capacity: 2 })
      const taken = []
      const count = (operator_id: string, count: number, isTaken: boolean) =>
        affected(countOfOperators(tenantId, [{ operator_id, count, isTaken }]))
      for (let i = 0; i < 4; i++) taken.push(await count(operator_id, 1, true))
      assert.deepEqual(taken, [1, 1, 0, 0])
      assert.equal(await count(operator_id, 0, true), 1)
      assert.equal(await count(operator_id, 1, false), 1, 'a person may give more')
      assert.equal(await count(operator_id, 0, true), 0)
      const away = uuidOf('op', await operator(world.test, {}, 'away'))!
      for (const each of [0, 1]) assert.equal(await count(away, each, true), 0)
      assert.equal(await count(away, 1, false), 1)
    })

    test('adds up what changes of one transaction give to an operator and take away', () => {
      const [one, two] = [randomUUID(), randomUUID()].sort() as [string, string]
      const merged = countOfOperators.merge!([
        { operator_id: two, count: -1, isTaken: false },
        { operator_id: one, count: 1, isTaken: true },
        { operator_id: two, count: -1, isTaken: false },
        { operator_id: one, count: -1, isTaken: false },
      ])
      assert.deepEqual(merged, [
        { operator_id: one, count: 0, isTaken: true },
        { operator_id: two, count: -2, isTaken: false },
      ])
      const department_id = randomUUID()
      const places = [2, null].map((most) => ({ operator_id: one, department_id, count: 1, most }))
      assert.deepEqual(countOfPlaces.merge!(places), [{ operator_id: one, department_id, count: 2, most: 2 }])
    })

    test('takes a decision only upon the one before it', async () => {
      const { department_id } = await member()
      const decisions = [
        [1, 1],
        [1, 2],
        [null, 1],
        [null, 1],
        [0, 1],
        [1, 3],
        [3, 3],
        [1, 1],
      ] as const
      const taken = []
      for (const [former, turn] of decisions)
        taken.push(await affected(turnsOfDepartments(tenantId, [{ department_id, former, turn }])))
      assert.deepEqual(taken, [0, 0, 1, 0, 0, 1, 1, 0])
    })

    test('joins the decisions of one transaction if each follows the one before it', () => {
      const [one, two] = [randomUUID(), randomUUID()].sort() as [string, string]
      const decision = (department_id: string, former: number | null, turn: number) => ({
        department_id,
        former,
        turn,
      })
      const decisions = [decision(two, 5, 5), decision(one, 8, 8), decision(one, 7, 8), decision(one, 6, 7)]
      assert.deepEqual(turnsOfDepartments.merge!(decisions), [decision(one, 6, 8), decision(two, 5, 5)])
      const first = [decision(one, 1, 1), decision(one, null, 1)]
      assert.deepEqual(turnsOfDepartments.merge!(first), [decision(one, null, 1)])
      assert.throws(() => turnsOfDepartments.merge!([decision(one, 6, 7), decision(one, 8, 8)]), {
        code: '40001',
      })
    })

    test('gives a member the highest of the turns of one transaction, in whatever order they were ready', () => {
      const place = { department_id: randomUUID(), operator_id: randomUUID() }
      const turns = [9, 11, 10].map((turn) => ({ ...place, turn }))
      assert.deepEqual(turnsOfMembers.merge!(turns), [{ ...place, turn: 11 }])
    })

    test('knows who of a department waits longest', async () => {
      const id = await department(world.test, [])
      const waiting: string[] = []
      for (let i = 0; i < 3; i++)
        waiting.push(uuidOf('conv', (await conversation(world.test, { department_id: id })).id)!)
      const [found] = await findRosters(api.db, tenantId, [
        { departmentId: uuidOf('dept', id)!, decisions: 1 },
      ])
      assert.partialDeepStrictEqual(found, { members: [], available: 0, oldest_waiting: waiting[0] })
    })
  })

  test('a consumer of the journal is moved on only from where it was', async () => {
    const consumer = `test ${randomUUID()}`
    const at = (ordinal: number): Position => ({ epoch: 1, position: 7, ordinal })
    const move = (from: Position | null, to: Position) => advanceConsumer(tenantId, [{ consumer, from, to }])
    assert.equal(await affected(move(null, at(1))), 1)
    await assert.rejects(api.db.write(move(null, at(2))))
    const moved = []
    for (const [from, to] of [
      [at(1), at(3)],
      [at(1), at(2)],
      [at(2), at(4)],
      [at(3), at(4)],
    ] as const)
      moved.push(await affected(move(from, to)))
    assert.deepEqual(moved, [1, 0, 0, 1])
  })

  test('a recovery makes deliveries begin anew that failed, and no others', async () => {
    const { id } = await webhookEndpoint(world.test)
    const env = world.environments.test
    const [event] = await journalOf(api, env)
    const later = toInstant(api.now() + 60_000)
    for (const status of ['failed', 'succeeded', 'pending'] as const) {
      const made = uuid(await delivered(api, env, id, event!, status, [attempt()]))
      const before = (await deliveryTable.find(api.db, tenantId, made))!
      const planned = { ...event!, deliveryId: randomUUID(), endpointId: uuid(id), at: later }
      await api.db.write(recoverDeliveries(tenantId, [planned]))
      const after = (await deliveryTable.find(api.db, tenantId, made))!
      if (status !== 'failed') assert.deepEqual(after, before)
      else assert.partialDeepStrictEqual(after, { status: 'pending', tries: 0, next_attempt_at: later })
      await api.db.write(sql`delete from webhook_deliveries where tenant_id = ${tenantId} and id = ${made}`)
    }
  })

  describe('an attempt at a delivery', () => {
    async function delivery(attempts: number): Promise<Delivery> {
      const { id } = await webhookEndpoint(world.test)
      const [event] = await journalOf(api, world.environments.test)
      const made = Array.from({ length: attempts }, (_, i) => attempt({ duration_ms: i }))
      const delivered_id = await delivered(api, world.environments.test, id, event!, 'pending', made)
      return (await deliveryOf(uuid(delivered_id)))!
    }
    const deliveryOf = (id: string) => deliveryTable.find(api.db, tenantId, id)
    /** Records that an attempt at the delivery, as it was then, failed for good. */
    async function record(was: Delivery, duration_ms: number): Promise<Delivery> {
      const now = toInstant(api.now())
      const made = JSON.stringify(attempt({ at: now, duration_ms }))
      const outcome: Outcome = {
        deliveryId: was.id,
        was: { tries: was.tries, nextAttemptAt: was.next_attempt_at! },
        status: 'failed',
        tries: was.tries + 1,
        nextAttemptAt: null,
        at: now,
        attempt: made,
        erasedAttempt: made,
      }
      const fate = { endpointId: was.endpoint_id, succeeded: false, failures: 1, failingSince: now }
      await recordOutcomes(api.db, tenantId, [outcome], [fate])
      return (await deliveryOf(was.id))!
    }

    test('is kept among the newest hundred', async () => {
      const { attempts } = await record(await delivery(99), 1_000)
      assert.deepEqual(
        [attempts.length, attempts[0]!.duration_ms, attempts.at(-1)!.duration_ms],
        [100, 0, 1_000],
      )
      const full = (await record(await delivery(100), 1_000)).attempts
      assert.deepEqual([full.length, full[0]!.duration_ms, full.at(-1)!.duration_ms], [100, 1, 1_000])
    })

    test('does not decide about a delivery that was appointed anew meanwhile', async () => {
      const was = await delivery(1)
      const later = toInstant(api.now() + 60_000)
      await api.db.write(sql`update webhook_deliveries set next_attempt_at = ${later}
      where tenant_id = ${tenantId} and id = ${was.id}`)
      const { status, tries, next_attempt_at, attempts } = await record(was, 1_000)
      assert.deepEqual([status, tries, next_attempt_at, attempts.length], ['pending', 1, later, 2])
    })
  })

  test('a lease is its holder’s until it ends, and anyone’s from then on', async () => {
    const [one, other] = [randomUUID(), randomUUID()]
    const take = (holder: string, now: number, until: number) =>
      takeLease(api.db, tenantId, 'test', holder, toInstant(now), toInstant(until))
    assert.equal(await take(one, 0, 5_000), true)
    assert.equal(await take(other, 4_999, 9_999), false)
    assert.equal(await take(one, 4_999, 6_000), true, 'It is renewed')
    assert.equal(await take(other, 5_999, 9_000), false)
    assert.equal(await take(other, 6_000, 9_000), true)
    await returnLease(api.db, tenantId, 'test', one)
    assert.equal(await take(one, 7_000, 9_000), false, 'Only the holder returns it')
    await returnLease(api.db, tenantId, 'test', other)
    assert.equal(await take(one, 7_000, 9_000), true)
  })
})
