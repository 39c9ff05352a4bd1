import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  act,
  type Body,
  conversation,
  department,
  operator,
  operators,
  say,
  setStatus,
  shown,
  succeeded,
} from '@backline/test/desk.ts'
import { type Client, clientOf, service } from '@backline/test/harness.ts'
import { conversationLine, imported, messageLine } from '@backline/test/imports.ts'
import { apply, macro } from '@backline/test/macro-fixtures.ts'
import { arrive, dmarcPass, mailbox } from '@backline/test/mails.ts'

const api = service({ works: true })

const as = (id: string) => ({ 'backline-operator': id })
const manual = { assignment: { strategy: 'manual' } }
const replyAssigns = async (client: Client, reply_assigns = true) =>
  succeeded(await client.patch('/v1/workspace', { reply_assigns }))
const reply = (client: Client, id: string, operator_id: string, fields: object = {}) =>
  say(client, id, 'operator', { operator_id, ...fields })
const assigneeOf = async (client: Client, id: string): Promise<string | null> =>
  (await shown(client, id)).assignee_id
const eventsOf = async (client: Client, id: string): Promise<Body[]> =>
  succeeded(await client.get(`/v1/events?limit=100&types=conversation.*&resource_id=${id}`)).data

/** A test environment where a reply assigns conversations without a department. */
async function desk(): Promise<{ client: Client; me: string; other: string }> {
  const { test: client } = await api.world()
  const [me, other] = (await operators(client, 2)) as [string, string]
  await replyAssigns(client)
  return { client, me, other }
}

describe('a reply to an unassigned conversation', () => {
  test('assigns nobody by default', async () => {
    const { test: client } = await api.world()
    assert.equal(succeeded(await client.get('/v1/workspace')).reply_assigns, false)
    const place = await department(client, [], manual)
    assert.equal(succeeded(await client.get(`/v1/departments/${place}`)).reply_assigns, false)
    const me = await operator(client)
    for (const department_id of [null, place]) {
      const { id } = await conversation(client, { department_id })
      await reply(client, id, me)
      assert.equal(await assigneeOf(client, id), null)
    }
  })

  test('assigns it to the operator in the same write, with the event of an assignment', async () => {
    const { client, me, other } = await desk()
    const { id } = await conversation(client)
    const request = { author_side: 'operator', body: 'Hi' }
    const sent = await client.post(`/v1/conversations/${id}/messages`, request, as(me))
    succeeded(sent)
    const after = await shown(client, id)
    const { name } = succeeded(await client.get(`/v1/operators/${me}`))
    const assignment = { strategy: 'manual', reason: `Answered by ${name}`, at: after.updated_at }
    assert.partialDeepStrictEqual(after, { assignee_id: me, assignment, status: 'pending', version: 2 })
    const [created, ...events] = await eventsOf(client, id)
    assert.equal(created.type, 'conversation.created')
    assert.deepEqual(
      events.map(({ type }) => type),
      ['conversation.updated', 'conversation.assigned'],
    )
    const [, assigned] = events
    assert.deepEqual(assigned.data.previous, { assignee_id: null, assignment: null })
    assert.equal(assigned.actor.operator_id, me)
    assert.equal(new Set(events.map(({ request_id }) => request_id)).size, 1)
    const written = succeeded(await client.get('/v1/events?types=message.created')).data[0]
    assert.partialDeepStrictEqual(written.data.conversation, { assignee_id: me, status: 'pending' })
    assert.equal(succeeded(await client.get(`/v1/operators/${me}`)).open_conversations, 1)

    await reply(client, id, other)
    assert.equal(await assigneeOf(client, id), me, 'it stays with who has it')
  })

  test('counts again after the conversation was unassigned', async () => {
    const { client, me, other } = await desk()
    const { id } = await conversation(client)
    await reply(client, id, me)
    await act(client, id, 'assign', { assignee_id: null })
    await reply(client, id, other)
    assert.equal(await assigneeOf(client, id), other)
  })

  test('assigns beyond capacity, and to who is offline, as an assignment by hand does', async () => {
    const { client } = await desk()
    const me = await operator(client, { capacity: 1 }, 'offline')
    for (let i = 0; i < 2; i++) {
      const { id } = await conversation(client)
      await reply(client, id, me)
      assert.equal(await assigneeOf(client, id), me)
    }
    assert.equal(succeeded(await client.get(`/v1/operators/${me}`)).open_conversations, 2)
  })

  test('and the status that it sets', async () => {
    const { client, me } = await desk()
    const { id } = await conversation(client)
    await reply(client, id, me, { set_status: 'resolved' })
    assert.partialDeepStrictEqual(await shown(client, id), { assignee_id: me, status: 'resolved' })
    assert.deepEqual(
      (await eventsOf(client, id)).map(({ type }) => type),
      ['conversation.created', 'conversation.resolved', 'conversation.assigned'],
    )
  })

  test('assigns nobody if it is a note, by another side, or by nobody known', async () => {
    const { client, me } = await desk()
    const { id } = await conversation(client)
    await reply(client, id, me, { visibility: 'internal' })
    await say(client, id, 'operator')
    await say(client, id, 'end_user')
    await say(client, id, 'system')
    assert.equal(await assigneeOf(client, id), null)
  })

  test('of two operators at once assigns it to one, with one event', async () => {
    const { client, me, other } = await desk()
    const beside = await api.another()
    const clients = [client, clientOf(beside.url, client.key)]
    for (let i = 0; i < 5; i++) {
      const { id } = await conversation(client)
      const authors = [me, other, me, other]
      const sent = await Promise.all(authors.map((author, i) => reply(clients[i % 2]!, id, author)))
      const first = sent.toSorted((one, next) => one.sequence - next.sequence)[0]
      assert.equal(await assigneeOf(client, id), first.operator_id)
      const types = (await eventsOf(client, id)).map(({ type }) => type)
      assert.equal(types.filter((type) => type === 'conversation.assigned').length, 1)
    }
    await beside.stop()
  })

  test('follows a change of the setting at once, also through another server', async () => {
    const { client, me } = await desk()
    const beside = await api.another()
    const clients = [client, clientOf(beside.url, client.key)]
    for (const [i, isOn] of [false, true, false, true].entries()) {
      await replyAssigns(clients[i % 2]!, isOn)
      for (const each of clients) {
        const { id } = await conversation(each)
        await reply(each, id, me)
        assert.equal(await assigneeOf(client, id), isOn ? me : null)
      }
    }
    await beside.stop()
  })
})

describe('the department of the conversation decides', () => {
  test('whatever the workspace says', async () => {
    const { client, me } = await desk()
    const [on, off] = [
      await department(client, [], { ...manual, reply_assigns: true }),
      await department(client, [], manual),
    ]
    for (const workspace of [true, false]) {
      await replyAssigns(client, workspace)
      for (const [department_id, isAssigned] of [
        [on, true],
        [off, false],
        [null, workspace],
      ]) {
        const { id } = await conversation(client, { department_id })
        await reply(client, id, me)
        assert.equal(await assigneeOf(client, id), isAssigned ? me : null)
      }
    }
    succeeded(await client.patch(`/v1/departments/${off}`, { reply_assigns: true }))
    const { id } = await conversation(client, { department_id: off })
    await reply(client, id, me)
    assert.equal(await assigneeOf(client, id), me)
  })

  test('also the one that a macro moves it to before it replies', async () => {
    const { client, me } = await desk()
    await replyAssigns(client, false)
    const department_id = await department(client, [], { ...manual, reply_assigns: true })
    const move = { type: 'set_department', department_id }
    const answer = { type: 'reply', body: 'We are on it.' }
    const moving = await macro(client, [move, answer])
    const one = await conversation(client)
    succeeded(await apply(client, moving, one, as(me)))
    assert.equal(await assigneeOf(client, one.id), me)
  })

  test('and a conversation that waits for its members is the replier’s, not given to a member', async () => {
    const { client, me } = await desk()
    const member = await operator(client, {}, 'offline')
    const department_id = await department(client, [member], { reply_assigns: true })
    const { id } = await conversation(client, { department_id })
    await reply(client, id, me)
    await setStatus(client, member, 'online')
    const later = await conversation(client, { department_id })
    assert.equal(later.assignee_id, member)
    assert.equal(await assigneeOf(client, id), me)
  })
})

describe('who begins a conversation', () => {
  const begin = async (client: Client, me: string, fields: object = {}): Promise<Body> => {
    const input = { external_user_id: 'user_42', initiated_by_side: 'operator', ...fields }
    return succeeded(await client.post('/v1/conversations', input, as(me)))
  }

  test('has it, with or without a message', async () => {
    const { client, me } = await desk()
    const { name } = succeeded(await client.get(`/v1/operators/${me}`))
    for (const [fields, status] of [
      [{ message: { body: 'Your order is late.' } }, 'pending'],
      [{}, 'open'],
    ] as const) {
      const begun = await begin(client, me, fields)
      assert.partialDeepStrictEqual(begun, { assignee_id: me, status, version: 1 })
      assert.equal(begun.assignment.reason, `Begun by ${name}`)
      assert.deepEqual(
        (await eventsOf(client, begun.id)).map(({ type }) => type),
        ['conversation.created', 'conversation.assigned'],
      )
    }
  })

  test('has it rather than a member of a department that routes', async () => {
    const { client, me } = await desk()
    const member = await operator(client)
    const department_id = await department(client, [member], { reply_assigns: true })
    assert.equal((await begin(client, me, { department_id })).assignee_id, me)
    succeeded(await client.patch(`/v1/departments/${department_id}`, { reply_assigns: false }))
    assert.equal((await begin(client, me, { department_id })).assignee_id, member)
  })

  test('does not have it if another operator is named, or an end user begins it', async () => {
    const { client, me, other } = await desk()
    assert.equal((await begin(client, me, { assignee_id: other })).assignee_id, other)
    assert.equal((await begin(client, me, { initiated_by_side: 'end_user' })).assignee_id, null)
    assert.equal((await begin(client, me, { initiated_by_side: 'system' })).assignee_id, null)
  })

  test('also by a message that follows up a closed one', async () => {
    const { client, me } = await desk()
    const { id } = await conversation(client)
    await act(client, id, 'close')
    const follow_up = await reply(client, id, me, { on_closed: 'follow_up' })
    assert.equal(await assigneeOf(client, follow_up.conversation_id), me)
    assert.equal(await assigneeOf(client, id), null)
  })
})

describe('a scheduled message', () => {
  const hour = 3600
  const schedule = async (client: Client, id: string, operator_id: string) => {
    const { now } = succeeded(await client.get('/v1/test_clock'))
    const send_at = new Date(Date.parse(now) + hour * 1000).toISOString()
    return reply(client, id, operator_id, { send_at })
  }
  const advance = async (client: Client) =>
    succeeded(await client.post('/v1/test_clock/advance', { seconds: hour }))

  test('assigns when it is sent', async () => {
    const { client, me } = await desk()
    const { id } = await conversation(client)
    await schedule(client, id, me)
    assert.equal(await assigneeOf(client, id), null)
    await advance(client)
    assert.equal(await assigneeOf(client, id), me)
  })

  test('assigns nobody if its author is archived by then, and is sent all the same', async () => {
    const { client, me } = await desk()
    const { id } = await conversation(client)
    const { id: messageId } = await schedule(client, id, me)
    succeeded(await client.patch(`/v1/operators/${me}`, { archived: true }))
    await advance(client)
    assert.equal(succeeded(await client.get(`/v1/messages/${messageId}`)).status, 'sent')
    assert.equal(await assigneeOf(client, id), null)
  })
})

test('a mail of an operator to the end user assigns, one to the mailbox alone does not', async () => {
  const { client } = await desk()
  const me = await operator(client, { email: 'grace@example.com' })
  const { address: to } = await mailbox(client, { trusted_authserv_ids: ['mx.example.com'] })
  const begun = await arrive(client, { to, messageId: '<begin@example.net>' })
  const id = begun.conversation_id
  const own = {
    from: 'grace@example.com',
    headers: ['In-Reply-To: <begin@example.net>'],
    top: [dmarcPass('example.com')],
  }
  await arrive(client, { ...own, to, body: 'For us.' })
  assert.equal(await assigneeOf(client, id), null)
  await arrive(client, { ...own, to: `ada@example.net, ${to}`, body: 'For Ada.' })
  assert.equal(await assigneeOf(client, id), me)
})

test('an import assigns nobody', async () => {
  const { client } = await desk()
  const { job } = await imported(api, client, [
    { type: 'operator', external_id: 'op_1', name: 'Ada', email: 'ada@example.com' },
    { type: 'end_user', external_id: 'user_1' },
    conversationLine('c_1', { status: 'open' }),
    messageLine('m_1', 'c_1', { author_side: 'operator', operator_external_id: 'op_1' }),
  ])
  assert.equal(job.status, 'succeeded')
  const [only] = succeeded(await client.get('/v1/conversations?external_id=c_1')).data
  assert.deepEqual([only.message_count, only.assignee_id], [1, null])
})

test('a retry with the same key assigns once', async () => {
  const { client, me } = await desk()
  const { id } = await conversation(client)
  const send = () =>
    client.post(
      `/v1/conversations/${id}/messages`,
      { author_side: 'operator', body: 'Hi' },
      { ...as(me), 'idempotency-key': 'reply-1' },
    )
  const [first, again] = [await send(), await send()]
  assert.equal(again.text, first.text)
  assert.equal((await eventsOf(client, id)).length, 3)
})
