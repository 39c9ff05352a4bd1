import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Client, service } from '@backline/test/harness.ts'
import {
  apply,
  conversation,
  journal,
  macro,
  made,
  type Surroundings,
  surroundings,
  timeless,
} from '@backline/test/macro-fixtures.ts'

const api = service()

describe('each action alone does what its own route does', () => {
  /** The preparation, the action, and the request with the same effect on a conversation. */
  type Case = (all: Surroundings) => {
    before?: [path: string, body: object]
    action: object
    same: [method: 'patch' | 'post', path: string, body: object]
  }
  const cases: Record<string, Case> = {
    set_priority: () => ({ action: { priority: 'urgent' }, same: ['patch', '', { priority: 'urgent' }] }),
    set_category: ({ category: { id } }) => ({
      action: { category_id: id },
      same: ['patch', '', { category_id: id }],
    }),
    set_department: ({ department: { id } }) => ({
      action: { department_id: id },
      same: ['patch', '', { department_id: id }],
    }),
    assign: ({ operator: { id } }) => ({
      action: { operator_id: 'me' },
      same: ['post', '/assign', { assignee_id: id }],
    }),
    set_custom_field: () => ({
      action: { key: 'at', value: '2026-11-20T12:00:00+02:00' },
      same: ['patch', '', { custom_fields: { at: '2026-11-20T10:00:00Z' } }],
    }),
    add_tags: () => ({ action: { tags: ['vip', 'New'] }, same: ['post', '/tags', { add: ['vip', 'New'] }] }),
    remove_tags: () => ({
      before: ['/tags', { add: ['vip', 'late'] }],
      action: { tags: ['VIP'] },
      same: ['post', '/tags', { remove: ['VIP'] }],
    }),
    reply: ({ template: { id } }) => ({
      action: { template_id: id, set_status: 'resolved' },
      same: ['post', '/messages', { author_side: 'operator', template_id: id, set_status: 'resolved' }],
    }),
    note: () => ({
      action: { body: 'Careful' },
      same: ['post', '/messages', { author_side: 'operator', visibility: 'internal', body: 'Careful' }],
    }),
    hold: ({ reason: { id } }) => ({
      action: { hold_reason_id: id, note: 'Waiting', duration_seconds: 3600 },
      same: ['post', '/hold', { hold_reason_id: id, note: 'Waiting', until: '2100-01-01T00:00:00Z' }],
    }),
    resume: ({ reason: { id } }) => ({
      before: ['/hold', { hold_reason_id: id }],
      action: {},
      same: ['post', '/resume', {}],
    }),
    resolve: () => ({ action: {}, same: ['post', '/resolve', {}] }),
    reopen: () => ({ before: ['/resolve', {}], action: {}, same: ['post', '/reopen', {}] }),
    close: () => ({ action: {}, same: ['post', '/close', {}] }),
  }

  for (const [type, make] of Object.entries(cases)) {
    test(type, async () => {
      const world = await api.world()
      const client = world.test
      const all = await surroundings(client)
      const { before, action, same } = make(all)
      const [byMacro, byHand] = [await conversation(client), await conversation(client)]
      for (const { id } of before ? [byMacro, byHand] : [])
        await client.post(`/v1/conversations/${id}${before![0]}`, before![1])
      await made(client, 'tags', { name: 'New' }) // used by both
      await made(client, 'custom_fields', {
        ...{ applies_to: 'conversation', key: 'at', name: 'At', type: 'datetime' },
      })
      const known = await macro(client, [{ type, ...action }])
      const told = async (act: () => Promise<{ status: number; text: string }>) => {
        const count = (await journal(api, world)).length
        const { status, text } = await act()
        assert.ok(status < 300, text)
        return (await journal(api, world)).slice(count).filter((event) => event.type !== 'tag.created')
      }
      const [method, path, body] = same
      const eventsByHand = await told(() =>
        client[method](`/v1/conversations/${byHand.id}${path}`, body, all.acting),
      )
      const eventsByMacro = await told(() => apply(client, known, byMacro, all.acting))
      const shown = async ({ id }: { id: string }) => ({
        conversation: (await client.get(`/v1/conversations/${id}`)).body,
        messages: (await client.get(`/v1/conversations/${id}/messages`)).body.data,
      })
      assert.deepEqual(timeless(await shown(byMacro)), timeless(await shown(byHand)))
      assert.deepEqual(eventsByMacro, eventsByHand)
    })
  }
})

test('several actions are one change: one event of the conversation, and one of each message and new tag', async () => {
  const world = await api.world()
  const { acting, operator } = await surroundings(world.test)
  const target = await conversation(world.test)
  const known = await macro(world.test, [
    { type: 'set_priority', priority: 'high' },
    { type: 'assign', operator_id: operator.id },
    { type: 'add_tags', tags: ['vip', 'late'] },
    { type: 'note', body: 'One' },
    { type: 'reply', body: 'Two', set_status: 'resolved' },
  ])
  const count = (await journal(api, world)).length
  const { status, body, headers } = await apply(world.test, known, target, acting)
  assert.equal(status, 200)
  assert.equal(headers.get('etag'), null)
  const types = (await journal(api, world)).slice(count).map(({ type }) => type)
  assert.deepEqual(types.toSorted(), [
    'conversation.resolved',
    'message.created',
    'message.created',
    'tag.created',
    'tag.created',
  ])
  assert.partialDeepStrictEqual(body.conversation, {
    status: 'resolved',
    priority: 'high',
    assignee_id: operator.id,
    tags: ['vip', 'late'],
    message_count: 2,
    version: 2,
  })
  assert.deepEqual(
    body.messages.map(({ body, sequence, visibility, operator_id }: Record<string, unknown>) => [
      body,
      sequence,
      visibility,
      operator_id,
    ]),
    [
      ['One', 1, 'internal', operator.id],
      ['Two', 2, 'public', operator.id],
    ],
  )
  assert.deepEqual((await world.test.get(`/v1/conversations/${target.id}`)).body, body.conversation)
  assert.deepEqual((await world.test.get(`/v1/messages/${body.messages[1].id}`)).body, body.messages[1])
})

test('each action finds what the one before it left', async () => {
  const { test } = await api.world()
  const [resolve, reopen] = [{ type: 'resolve' }, { type: 'reopen' }]
  const there = await apply(test, await macro(test, [resolve, reopen]), await conversation(test))
  assert.partialDeepStrictEqual(there.body.conversation, { status: 'open', reopened_count: 1 })
  const back = await apply(test, await macro(test, [reopen, resolve]), await conversation(test))
  assert.equal(back.status, 409)
  assert.equal(back.body.params.action_index, 0)
  const tags = ['vip']
  const [add, drop] = [
    { type: 'add_tags', tags },
    { type: 'remove_tags', tags },
  ]
  for (const [actions, left] of [
    [[add, drop], []],
    [[drop, add], tags],
  ] as const) {
    const { body } = await apply(test, await macro(test, [...actions]), await conversation(test))
    assert.deepEqual(body.conversation.tags, left)
  }
})

test('a hold that a macro ends says so, and one that it begins lasts as long as it says', async () => {
  const { test } = await api.world()
  const { reason } = await surroundings(test)
  const target = await conversation(test)
  const begin = await macro(test, [{ type: 'hold', hold_reason_id: reason.id, duration_seconds: 90 }])
  const { hold } = (await apply(test, begin, target)).body.conversation
  assert.equal(Date.parse(hold.until) - Date.parse(hold.since), 90_000)
  await apply(test, await macro(test, [{ type: 'resume' }]), target)
  const { data } = (await test.get(`/v1/conversations/${target.id}/holds`)).body
  assert.deepEqual(
    data.map(({ ended_by }: { ended_by: string }) => ended_by),
    ['macro'],
  )
})

describe('departments that give out what comes to them', () => {
  /** An operator who is online, serves two departments and has a conversation in neither. */
  async function desk(client: Client) {
    const { operator } = await surroundings(client)
    await client.put(`/v1/operators/${operator.id}/status`, { status: 'online' })
    const department = async (name: string) => {
      const { id } = await made(client, 'departments', { name, assignment: { strategy: 'round_robin' } })
      await client.put(`/v1/departments/${id}/operators/${operator.id}`)
      return id
    }
    const load = async () =>
      (await client.get(`/v1/operators/${operator.id}`)).body.open_conversations as number
    return { operator, one: await department('One'), other: await department('Other'), load }
  }

  test('who was given it in one keeps it in the department that a later action moves it to', async () => {
    const { test } = await api.world()
    const { operator, one, other, load } = await desk(test)
    const elsewhere = await made(test, 'departments', { name: 'Elsewhere' })
    for (const [count, last] of [other, elsewhere.id, null].entries()) {
      const known = await macro(test, [
        { type: 'set_department', department_id: one },
        { type: 'set_department', department_id: last },
      ])
      const { status, body, text } = await apply(test, known, await conversation(test))
      assert.equal(status, 200, text)
      assert.partialDeepStrictEqual(body.conversation, { assignee_id: operator.id, department_id: last })
      assert.equal(await load(), count + 1)
    }
  })

  test('taken from its operator and moved, it may come to the same one, and counts once', async () => {
    const { test } = await api.world()
    const { operator, one, other, load } = await desk(test)
    const target = await conversation(test, { department_id: one })
    assert.equal(target.assignee_id, operator.id)
    const known = await macro(test, [
      { type: 'assign', operator_id: null },
      { type: 'set_department', department_id: other },
    ])
    const { status, body, text } = await apply(test, known, target)
    assert.equal(status, 200, text)
    assert.partialDeepStrictEqual(body.conversation, { assignee_id: operator.id, department_id: other })
    assert.equal(await load(), 1)
    const second = await conversation(test, { department_id: one })
    assert.equal(second.assignee_id, operator.id)
    for (const { id } of [target, second]) await test.post(`/v1/conversations/${id}/close`)
    assert.equal(await load(), 0)
  })
})
