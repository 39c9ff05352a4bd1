import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Client, service } from '@backline/test/harness.ts'
import {
  apply,
  conversation,
  journal,
  macro,
  made,
  surroundings,
  timeless,
} from '@backline/test/macro-fixtures.ts'
import { newUuid, typeId } from '../../../platform/kernel/ids.ts'

const api = service()

describe('a macro that is refused', () => {
  test('stores nothing and tells nothing when its last action fails, and leaves the key free', async () => {
    const world = await api.world()
    const target = await conversation(world.test)
    const known = await macro(world.test, [
      { type: 'add_tags', tags: ['never'] },
      { type: 'reply', body: 'Never' },
      { type: 'close' },
      { type: 'reply', body: 'Too late' },
    ])
    const key = { 'idempotency-key': randomUUID() }
    const count = (await journal(api, world)).length
    const { status, body } = await apply(world.test, known, target, key)
    assert.equal(status, 409)
    assert.equal(body.code, 'conversation_closed')
    assert.deepEqual(body.params, { action_index: 3, action_type: 'reply' })
    assert.equal((await journal(api, world)).length, count)
    assert.deepEqual((await world.test.get(`/v1/conversations/${target.id}`)).body, target)
    assert.deepEqual((await world.test.get('/v1/tags')).body.data, [])
    assert.equal((await world.test.get(`/v1/macros/${known.id}`)).body.usage_count, 0)
    await world.test.patch(`/v1/macros/${known.id}`, { actions: [{ type: 'close' }] })
    assert.equal((await apply(world.test, known, target, key)).status, 200)
  })

  test('names the action, with the code and the params that its own route has', async () => {
    const { test } = await api.world()
    const { reason } = await surroundings(test)
    const first = { type: 'note', body: 'x' }
    const transition = await apply(
      test,
      await macro(test, [first, { type: 'resume' }]),
      await conversation(test),
    )
    assert.equal(transition.body.code, 'invalid_transition')
    assert.partialDeepStrictEqual(transition.body.params, { from: 'new', action: 'resume', action_index: 1 })

    const held = await macro(test, [first, { type: 'hold', hold_reason_id: reason.id, duration_seconds: 60 }])
    await test.patch(`/v1/hold_reasons/${reason.id}`, { requires_note: true, max_duration_seconds: 59 })
    const { status, body } = await apply(test, held, await conversation(test))
    assert.equal(status, 422)
    assert.deepEqual(body.params, { action_index: 1, action_type: 'hold' })
    assert.deepEqual(
      body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]),
      [
        ['/conversation_id', 'not_allowed'],
        ['/conversation_id', 'not_allowed'],
      ],
    )
    assert.match(body.errors[1].detail, /action 1 \(hold\): duration_seconds must be at most 59 seconds/)
  })

  test('422 at conversation_id for a custom field that is gone or archived; the conversation stays as it is', async () => {
    const { test } = await api.world()
    const field = await made(test, 'custom_fields', {
      ...{ applies_to: 'conversation', key: 'plan', name: 'Plan', type: 'text' },
    })
    const target = await conversation(test, { custom_fields: { plan: 'free' } })
    const known = await macro(test, [
      { type: 'set_priority', priority: 'high' },
      { type: 'set_custom_field', key: 'plan', value: 'pro' },
    ])
    const clearing = await macro(test, [{ type: 'set_custom_field', key: 'plan', value: null }])
    const refused = async (of: { id: string }, index: number, detail: RegExp) => {
      const { status, body, text } = await apply(test, of, target)
      assert.equal(status, 422, text)
      assert.partialDeepStrictEqual(body.params, { action_index: index, action_type: 'set_custom_field' })
      assert.partialDeepStrictEqual(body.errors, [{ pointer: '/conversation_id', code: 'not_allowed' }])
      assert.match(body.errors[0].detail, detail)
      assert.equal((await test.get(`/v1/conversations/${target.id}`)).body.priority, 'normal')
    }
    await test.patch(`/v1/custom_fields/${field.id}`, { archived: true })
    await refused(known, 1, /action 1 \(set_custom_field\): custom_fields\/plan must not be set: .*archived/)
    const cleared = await apply(test, clearing, target)
    assert.deepEqual(cleared.body.conversation.custom_fields, {})
    await test.delete(`/v1/custom_fields/${field.id}`)
    for (const [of, index] of [
      [known, 1],
      [clearing, 0],
    ] as const)
      await refused(of, index, /custom_fields\/plan is not a custom field/)
  })

  test('422 for `me` without an operator who acts', async () => {
    const { test } = await api.world()
    const { acting, operator } = await surroundings(test)
    const known = await macro(test, [{ type: 'assign', operator_id: 'me' }])
    const target = await conversation(test)
    const { status, body } = await apply(test, known, target)
    assert.equal(status, 422)
    assert.partialDeepStrictEqual(body.errors, [{ header: 'Backline-Operator', code: 'required' }])
    assert.equal(body.params.action_index, 0)
    const { conversation: mine } = (await apply(test, known, target, acting)).body
    assert.equal(mine.assignee_id, operator.id)
    assert.match(mine.assignment.reason, /by a macro/)
  })

  test('422 at conversation_id for a macro that is archived or of another department, and for no conversation', async () => {
    const { test } = await api.world()
    const { department } = await surroundings(test)
    const other = await made(test, 'departments', { name: 'Other' })
    const known = await macro(test, [{ type: 'note', body: 'x' }], { department_ids: [department.id] })
    const mine = await conversation(test, { department_id: department.id })
    const refused = async (target: { id: string }, code: string, detail: RegExp) => {
      for (const verb of ['apply', 'preview']) {
        const { status, body } = await test.post(`/v1/macros/${known.id}/${verb}`, {
          conversation_id: target.id,
        })
        assert.equal(status, 422)
        assert.partialDeepStrictEqual(body.errors, [{ pointer: '/conversation_id', code }])
        assert.match(body.errors[0].detail, detail)
      }
    }
    await refused(await conversation(test), 'not_allowed', /department/)
    await refused(await conversation(test, { department_id: other.id }), 'not_allowed', /department/)
    await refused({ id: typeId('conv', newUuid(0)) }, 'not_found', /existing conversation/)
    assert.equal((await apply(test, known, mine)).status, 200)
    await test.patch(`/v1/macros/${known.id}`, { archived: true })
    await refused(mine, 'not_allowed', /archived/)
  })

  test('403 for a key without conversations:write', async () => {
    const { test, withScopes } = await api.world()
    const [known, target] = [await macro(test, [{ type: 'close' }]), await conversation(test)]
    const weak = await withScopes('macros:read')
    for (const verb of ['apply', 'preview']) {
      const answer = await weak.post(`/v1/macros/${known.id}/${verb}`, { conversation_id: target.id })
      assert.equal(answer.status, 403)
      assert.deepEqual(answer.body.params, { scope: 'conversations:write' })
    }
    const enough = await withScopes('macros:read', 'conversations:write')
    assert.equal((await apply(enough, known, target)).status, 200)
  })
})

test('a preview answers what applying then does, and writes nothing but its answer', async () => {
  const world = await api.world()
  const { test } = world
  const { acting, category, reason, template } = await surroundings(test)
  const target = await conversation(test)
  const known = await macro(test, [
    { type: 'set_category', category_id: category.id },
    { type: 'assign', operator_id: 'me' },
    { type: 'reply', template_id: template.id },
    { type: 'add_tags', tags: ['new tag'] },
    { type: 'hold', hold_reason_id: reason.id, duration_seconds: 60 },
  ])
  const count = (await journal(api, world)).length
  const preview = (key: string) =>
    test.post(
      `/v1/macros/${known.id}/preview`,
      { conversation_id: target.id },
      { ...acting, 'idempotency-key': key },
    )
  const key = randomUUID()
  const { status, body, text } = await preview(key)
  assert.equal(status, 200, text)
  assert.equal((await journal(api, world)).length, count)
  assert.deepEqual((await test.get(`/v1/conversations/${target.id}`)).body, target)
  assert.deepEqual((await test.get(`/v1/macros/${known.id}`)).body, known)
  assert.deepEqual((await test.get('/v1/tags')).body.data, [])
  assert.equal((await test.get(`/v1/operators/${body.conversation.assignee_id}`)).body.open_conversations, 0)

  const applied = await apply(test, known, target, acting)
  const { changes, ...shown } = body
  assert.deepEqual(timeless(shown), timeless(applied.body))
  assert.deepEqual(changes.category_id, { from: null, to: category.id })
  assert.deepEqual(changes.tags, { from: [], to: ['new tag'] })
  for (const [field, { from, to }] of Object.entries(
    changes as Record<string, { from: unknown; to: unknown }>,
  )) {
    assert.deepEqual(from, target[field])
    assert.deepEqual(to, body.conversation[field])
  }
  assert.equal(changes.version, undefined)
  assert.equal((await preview(key)).text, text)
})

test('the changes of a preview name custom fields key by key', async () => {
  const { test } = await api.world()
  for (const key of ['plan', 'city', 'tier'])
    await made(test, 'custom_fields', { applies_to: 'conversation', key, name: key, type: 'text' })
  const target = await conversation(test, { custom_fields: { plan: 'free', city: 'Kiel' } })
  const known = await macro(test, [
    { type: 'set_custom_field', key: 'plan', value: 'pro' },
    { type: 'set_custom_field', key: 'tier', value: 'gold' },
  ])
  const { body } = await test.post(`/v1/macros/${known.id}/preview`, { conversation_id: target.id })
  assert.deepEqual(body.changes, {
    'custom_fields.plan': { from: 'free', to: 'pro' },
    'custom_fields.tier': { from: null, to: 'gold' },
  })
  assert.deepEqual(body.conversation.custom_fields, { city: 'Kiel', plan: 'pro', tier: 'gold' })
})

test('redacting a message of a macro empties it in the stored answer, too', async () => {
  const { test } = await api.world()
  const [known, target] = [
    await macro(test, [
      { type: 'note', body: 'Stays' },
      { type: 'reply', body: 'Secret' },
    ]),
    await conversation(test),
  ]
  const key = { 'idempotency-key': randomUUID() }
  const { body } = await apply(test, known, target, key)
  await test.post(`/v1/messages/${body.messages[1].id}/redact`)
  const replay = await apply(test, known, target, key)
  assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(
    replay.body.messages.map((message: { body: string; body_html: string | null }) => [
      message.body,
      message.body_html,
    ]),
    [
      ['Stays', 'Stays'],
      ['', null],
    ],
  )
})

describe('at once', () => {
  const actions = [
    { type: 'add_tags', tags: ['same new tag'] },
    { type: 'note', body: 'x' },
  ]

  async function used(client: Client, { id }: { id: string }, times: number) {
    const { body } = await client.get(`/v1/macros/${id}`)
    assert.equal(body.usage_count, times)
    assert.notEqual(body.last_used_at, null)
    assert.equal(body.version, 1)
  }

  test('20 to one conversation all count, without a gap', async () => {
    const { test } = await api.world()
    const [known, target] = [await macro(test, actions), await conversation(test)]
    const answers = await Promise.all(Array.from({ length: 20 }, () => apply(test, known, target)))
    for (const { status, text } of answers) assert.equal(status, 200, text)
    const sequences = answers.map(({ body }) => body.messages[0].sequence)
    assert.deepEqual(
      sequences.toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_, i) => i + 1),
    )
    await used(test, known, 20)
  })

  test('20 to 20 conversations, with one new tag', async () => {
    const { test } = await api.world()
    const known = await macro(test, actions)
    const targets = await Promise.all(Array.from({ length: 20 }, () => conversation(test)))
    const answers = await Promise.all(targets.map((target) => apply(test, known, target)))
    for (const { status, text } of answers) assert.equal(status, 200, text)
    assert.equal((await test.get('/v1/tags')).body.data.length, 1)
    await used(test, known, 20)
  })
})

describe('a macro without its messages', () => {
  const actions = [
    { type: 'set_priority', priority: 'low' },
    { type: 'note', body: 'Checked' },
    { type: 'reply', body: 'It is refunded.', set_status: 'resolved' },
    { type: 'add_tags', tags: ['refund'] },
  ]

  test('does all else, writes none of them, and counts as used', async () => {
    const { test } = await api.world()
    const known = await macro(test, actions)
    const target = await conversation(test)
    const body = { conversation_id: target.id, skip_messages: true }
    const preview = await test.post(`/v1/macros/${known.id}/preview`, body)
    assert.deepEqual(Object.keys(preview.body.changes), ['priority', 'tags'])
    const applied = await test.post(`/v1/macros/${known.id}/apply`, body)
    assert.equal(applied.status, 200, applied.text)
    assert.deepEqual(applied.body.messages, [])
    const { priority, status, tags, message_count } = applied.body.conversation
    assert.deepEqual([priority, status, tags, message_count], ['low', 'new', ['refund'], 0])
    const { data } = (await test.get(`/v1/conversations/${target.id}/messages`)).body
    assert.deepEqual(data, [])
    assert.equal((await test.get(`/v1/macros/${known.id}`)).body.usage_count, 1)
  })

  test('is refused at the number that the action has in the macro', async () => {
    const { test } = await api.world()
    const known = await macro(test, [{ type: 'note', body: 'x' }, { type: 'resume' }])
    const { id } = await conversation(test)
    const { status, body } = await test.post(`/v1/macros/${known.id}/apply`, {
      conversation_id: id,
      skip_messages: true,
    })
    assert.equal(status, 409)
    assert.partialDeepStrictEqual(body.params, { action: 'resume', action_index: 1 })
  })
})
