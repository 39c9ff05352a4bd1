import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { act, conversation, operator, say, shown, succeeded } from '@backline/test/desk.ts'
import { type Answer, service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import {
  as,
  faultsOf,
  idsOf,
  numbers,
  read,
  readers,
  seen,
  stateOf,
  unread,
} from '@backline/test/read-states.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service({ works: true })

/** The number of stored marks. */
const stored = async (): Promise<number> =>
  (await api.db.rows<{ count: number }>(sql`select count(*) from read_states`))[0]!.count

async function desk() {
  const { test } = await api.world()
  return { test, ...(await readers(test)) }
}

describe('unread', () => {
  test('is what follows the mark by end users and colleagues, notes too, and nothing of the system', async () => {
    const { test, ada, grace, id } = await desk()
    assert.deepEqual(await stateOf(test, ada, id), {
      object: 'read_state',
      conversation_id: id,
      operator_id: ada,
      up_to_sequence: 0,
      unread_count: 3,
    })
    assert.deepEqual(await seen(test, grace, id), [3, 0])
    await say(test, id, 'operator')
    assert.deepEqual(await seen(test, ada, id), [0, 4])
    assert.deepEqual(await seen(test, grace, id), [3, 1])
  })

  test('is nothing that was sent before the operator was made', async () => {
    const { test, id } = await desk()
    const late = await operator(test)
    assert.deepEqual(await seen(test, late, id), [4, 0])
    await say(test, id, 'end_user')
    assert.deepEqual(await seen(test, late, id), [4, 1])
    assert.deepEqual(numbers(succeeded(await unread(test, late, id, { from_sequence: 1 }))), [0, 4])
  })

  test('is counted up to 100', async () => {
    const { test } = await api.world()
    const me = await operator(test)
    const { id } = await conversation(test)
    for (let i = 0; i < 100; i += 20)
      await Promise.all(Array.from({ length: 20 }, () => say(test, id, 'end_user')))
    assert.deepEqual(await seen(test, me, id), [0, 100])
    await say(test, id, 'end_user')
    assert.deepEqual(await seen(test, me, id), [0, 100])
    assert.deepEqual(numbers(succeeded(await read(test, me, id, { up_to_sequence: 2 }))), [2, 99])
  })

  test('is a redacted message as well', async () => {
    const { test, ada, id } = await desk()
    const { id: message } = await say(test, id, 'end_user')
    succeeded(await test.post(`/v1/messages/${message}/redact`))
    assert.deepEqual(await seen(test, ada, id), [0, 4])
  })
})

describe('one’s own message', () => {
  test('moves the mark to itself, a note too, and one that a colleague writes in one’s name', async () => {
    const { test, ada, id } = await desk()
    succeeded(
      await test.post(`/v1/conversations/${id}/messages`, { author_side: 'operator', body: 'Hi' }, as(ada)),
    )
    assert.deepEqual(await seen(test, ada, id), [5, 0])
    await say(test, id, 'end_user')
    assert.deepEqual(await seen(test, ada, id), [5, 1])
    await say(test, id, 'operator', { operator_id: ada, visibility: 'internal' })
    assert.deepEqual(await seen(test, ada, id), [7, 0])
  })

  test('does not move a mark that was moved back after it', async () => {
    const { test, ada, id } = await desk()
    await say(test, id, 'operator', { operator_id: ada })
    assert.deepEqual(numbers(succeeded(await unread(test, ada, id, { from_sequence: 2 }))), [1, 2])
    assert.deepEqual(await seen(test, ada, id), [1, 2])
    assert.deepEqual(numbers(succeeded(await read(test, ada, id, { up_to_sequence: 2 }))), [2, 1])
    assert.deepEqual(await seen(test, ada, id), [2, 1])
    await say(test, id, 'operator', { operator_id: ada })
    assert.deepEqual(await seen(test, ada, id), [6, 0])
  })
})

describe('mark_read', () => {
  test('reads up to a message, by default the last, and never moves back', async () => {
    const { test, ada, id } = await desk()
    assert.deepEqual(numbers(succeeded(await read(test, ada, id, { up_to_sequence: 2 }))), [2, 1])
    assert.deepEqual(numbers(succeeded(await read(test, ada, id, { up_to_sequence: 1 }))), [2, 1])
    assert.deepEqual(numbers(succeeded(await read(test, ada, id, { up_to_sequence: 0 }))), [2, 1])
    assert.deepEqual(await seen(test, ada, id), [2, 1])
    assert.deepEqual(numbers(succeeded(await read(test, ada, id))), [4, 0])
    assert.deepEqual(await seen(test, ada, id), [4, 0])
  })

  test('of many requests at once, the furthest counts', async () => {
    const { test } = await api.world()
    const other = await api.another()
    const me = await operator(test)
    const { id } = await conversation(test)
    for (let i = 0; i < 20; i++) await say(test, id, 'end_user')
    const clients = [test, other.client(test.key)]
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) =>
        succeeded(await read(clients[i % 2]!, me, id, { up_to_sequence: i + 1 })),
      ),
    )
    assert.deepEqual(await seen(test, me, id), [20, 0])
    await other.stop()
  })

  test('beside messages that are written all the time neither fails nor holds them up', async () => {
    const { test, ada, id } = await desk()
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, i) => (i % 2 ? read(test, ada, id) : say(test, id, 'end_user'))),
    )
    for (const answer of answers) if ('status' in answer && 'text' in answer) succeeded(answer as Answer)
    assert.equal((await shown(test, id)).message_count, 19)
    assert.deepEqual(numbers(succeeded(await read(test, ada, id))), [19, 0])
  })
})

describe('mark_unread', () => {
  test('moves the mark to before a message, by default the newest by somebody else', async () => {
    const { test, ada, grace, id } = await desk()
    succeeded(await read(test, ada, id))
    assert.deepEqual(numbers(succeeded(await unread(test, ada, id))), [2, 1])
    assert.deepEqual(numbers(succeeded(await unread(test, ada, id, { from_sequence: 1 }))), [0, 3])
    assert.deepEqual(numbers(succeeded(await unread(test, grace, id))), [0, 1])
  })

  test('changes nothing if the mark is there or earlier, or if nothing from there on is by others', async () => {
    const { test, ada, id } = await desk()
    succeeded(await read(test, ada, id, { up_to_sequence: 1 }))
    assert.deepEqual(numbers(succeeded(await unread(test, ada, id, { from_sequence: 2 }))), [1, 2])
    assert.deepEqual(numbers(succeeded(await unread(test, ada, id, { from_sequence: 3 }))), [1, 2])
    succeeded(await read(test, ada, id))
    assert.deepEqual(numbers(succeeded(await unread(test, ada, id, { from_sequence: 4 }))), [4, 0])
    const { id: empty } = await conversation(test)
    assert.deepEqual(numbers(succeeded(await unread(test, ada, empty))), [0, 0])
    const { id: own } = await conversation(test)
    await say(test, own, 'operator', { operator_id: ada })
    assert.deepEqual(numbers(succeeded(await unread(test, ada, own))), [1, 0])
    assert.deepEqual(numbers(succeeded(await unread(test, ada, own, { from_sequence: 1 }))), [1, 0])
  })
})

describe('marks', () => {
  test('are no change of the conversation: no version, event or audit entry, and the team’s counter stays', async () => {
    const { test, ada, id } = await desk()
    const feed = async () => succeeded(await test.get('/v1/events?limit=100')).data.length
    const audit = async () => succeeded(await test.get('/v1/audit_log?limit=100&include=total')).total
    const before = [await shown(test, id), await feed(), await audit()]
    succeeded(await read(test, ada, id))
    succeeded(await unread(test, ada, id))
    assert.deepEqual([await shown(test, id), await feed(), await audit()], before)
    succeeded(await test.post(`/v1/conversations/${id}/read`, { side: 'operator' }))
    assert.deepEqual(await seen(test, ada, id), [2, 1])
  })

  test('are those of the operator alone, as they are those of its environment', async () => {
    const { test, ada, grace, id } = await desk()
    const others = await api.world()
    succeeded(await read(test, ada, id))
    assert.deepEqual(await seen(test, grace, id), [3, 0])
    const elsewhere = await operator(others.test)
    assert.equal((await read(others.test, elsewhere, id)).status, 404)
    assert.deepEqual(faultsOf(await read(test, elsewhere, id)), [['Backline-Operator', 'not_found']])
  })

  test('beyond the last message are too large, and need an operator, a conversation and a scope', async () => {
    const world = await api.world()
    const { test } = world
    const me = await operator(test)
    const { id } = await conversation(test)
    await say(test, id, 'end_user')
    assert.deepEqual(faultsOf(await read(test, me, id, { up_to_sequence: 2 })), [
      ['/up_to_sequence', 'too_large'],
    ])
    assert.deepEqual(faultsOf(await unread(test, me, id, { from_sequence: 2 })), [
      ['/from_sequence', 'too_large'],
    ])
    assert.deepEqual(faultsOf(await unread(test, me, id, { from_sequence: 0 })), [
      ['/from_sequence', 'too_small'],
    ])
    for (const action of ['mark_read', 'mark_unread']) {
      const answer = await test.post(`/v1/conversations/${id}/${action}`)
      assert.deepEqual([answer.status, faultsOf(answer)], [422, [['Backline-Operator', 'required']]])
      const unknown = await test.post(
        `/v1/conversations/conv_00000000000000000000000000/${action}`,
        {},
        as(me),
      )
      assert.equal(unknown.status, 404)
      const reader = await world.withScopes('conversations:read')
      assert.equal(
        (await reader.post(`/v1/conversations/${id}/${action}`, {}, as(me))).body.code,
        'scope_missing',
      )
    }
  })

  test('with an Idempotency-Key are set once', async () => {
    const { test, ada, id } = await desk()
    const headers = { ...as(ada), 'idempotency-key': randomUUID() }
    const path = `/v1/conversations/${id}/mark_read`
    const first = await test.post(path, { up_to_sequence: 4 }, headers)
    succeeded(await unread(test, ada, id, { from_sequence: 1 }))
    const again = await test.post(path, { up_to_sequence: 4 }, headers)
    assert.deepEqual([again.body, again.headers.get('idempotent-replayed')], [first.body, 'true'])
    assert.deepEqual(await seen(test, ada, id), [0, 3])
  })

  test('honour If-Match', async () => {
    const { test, ada, id } = await desk()
    const path = `/v1/conversations/${id}/mark_read`
    const stale = await test.post(path, {}, { ...as(ada), 'if-match': '"1"' })
    assert.equal(stale.status, 412)
    const { version } = await shown(test, id)
    succeeded(await test.post(path, {}, { ...as(ada), 'if-match': `"${version}"` }))
  })

  test('stay where they are when conversations are merged', async () => {
    const { test, ada, id } = await desk()
    const { id: target } = await conversation(test)
    await say(test, target, 'end_user')
    succeeded(await read(test, ada, id, { up_to_sequence: 1 }))
    await act(test, id, 'merge', { into_id: target })
    assert.deepEqual(await seen(test, ada, id), [1, 2])
    assert.deepEqual(await seen(test, ada, target), [0, 1])
  })

  test('end with their conversation and with their operator', async () => {
    const { test, ada, id } = await desk()
    const before = await stored()
    const passing = await operator(test)
    const { id: other } = await conversation(test)
    await say(test, other, 'end_user')
    succeeded(await read(test, ada, id))
    succeeded(await read(test, passing, other))
    assert.equal(await stored(), before + 2)
    assert.equal((await test.delete(`/v1/operators/${passing}`)).status, 204)
    assert.equal(await stored(), before + 1)
    assert.equal((await test.delete(`/v1/conversations/${id}`)).status, 204)
    assert.equal(await stored(), before)
  })

  test('count as read for everybody 30 days after closing, and their rows are removed', async () => {
    const { test, ada, grace, id } = await desk()
    succeeded(await read(test, ada, id, { up_to_sequence: 1 }))
    await act(test, id, 'close')
    const advance = async (seconds: number) =>
      succeeded(await test.post('/v1/test_clock/advance', { seconds }))
    await advance(30 * 86_400 - 60)
    await say(test, id, 'operator', { operator_id: grace, visibility: 'internal' })
    assert.deepEqual(numbers(succeeded(await read(test, ada, id, { up_to_sequence: 2 }))), [2, 2])
    assert.deepEqual(await idsOf(test, ada, 'unread=me'), [id])
    const before = await stored()
    await advance(120)
    assert.deepEqual(await seen(test, ada, id), [5, 0])
    assert.deepEqual(await idsOf(test, ada, 'unread=me'), [])
    assert.deepEqual(numbers(succeeded(await unread(test, ada, id, { from_sequence: 1 }))), [5, 0])
    assert.deepEqual(await seen(test, grace, id), [5, 0])
    await advance(31 * 86_400)
    await until('the row is gone', async () => (await stored()) === before - 1)
  })

  test('are kept for as long as their conversation is open', async () => {
    const { test, ada, id } = await desk()
    succeeded(await read(test, ada, id, { up_to_sequence: 1 }))
    const uuid = uuidOf('conv', id)!
    succeeded(await test.post('/v1/test_clock/advance', { seconds: 31 * 86_400 }))
    const isLookedAt = async () => {
      const [row] = await api.db.rows<{ is_new: boolean }>(
        sql`select marked_at > now() + interval '30 days' as is_new from read_states where conversation_id = ${uuid}`,
      )
      return row!.is_new
    }
    await until('it is looked at', isLookedAt)
    assert.deepEqual(await seen(test, ada, id), [1, 2])
  })
})
