import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Client, service } from '@backline/test/harness.ts'

const api = service()

const conversation = async (client: Client, input: object = {}) =>
  (await client.post('/v1/conversations', { external_user_id: 'user_42', ...input })).body

type Event = { data: { conversation: object } }

const say = (client: Client, id: string, input: object) =>
  client.post(`/v1/conversations/${id}/messages`, { author_side: 'end_user', body: 'Hello', ...input })

describe('the event of a message', () => {
  test('has the fields of the conversation that the message changed, as the conversation shows them', async () => {
    const { test } = await api.world()
    const targets = [{ first_response_seconds: 3600, resolution_seconds: 7200 }]
    assert.equal((await test.post('/v1/sla_configs', { name: 'Standard', targets })).status, 201)
    const { id } = await conversation(test, { message: { body: 'My card was declined.' } })
    const inputs = [
      { author_side: 'operator', visibility: 'internal' },
      { author_side: 'operator' },
      { author_side: 'end_user' },
      { author_side: 'operator', set_status: 'resolved' },
    ]
    for (const input of inputs) await say(test, id, input)
    const events = (await test.get(`/v1/events?conversation_id=${id}&limit=100`)).body.data
    const ofMessages = events.filter(({ type }: { type: string }) => type === 'message.created')
    let known = events.find(({ type }: { type: string }) => type === 'conversation.created').data.object
    assert.equal('conversation' in ofMessages[0].data, false, 'the conversation has an event of its own')
    for (const { data } of ofMessages.slice(1)) {
      const { id: _, ...changed } = data.conversation
      assert.equal(data.conversation.id, id)
      assert.equal(changed.version, known.version + 1)
      for (const [field, value] of Object.entries(changed)) assert.notDeepEqual(value, known[field], field)
      known = { ...known, ...changed }
    }
    assert.deepEqual(known, (await test.get(`/v1/conversations/${id}`)).body)
    const [note, reply, ...others] = ofMessages
      .slice(1)
      .map(({ data }: Event) => Object.keys(data.conversation))
    assert.deepEqual(note.sort(), ['id', 'message_count', 'updated_at', 'version'])
    assert.ok(['sla', 'status', 'first_response_at'].every((field) => reply.includes(field)))
    assert.ok(others[1].includes('resolved_at'))
  })
})

describe('posting', () => {
  test('sequence has no gap and no double when 40 are posted at once', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => say(test, id, { body: `message ${i}` })),
    )
    const sequences = answers.map(({ body }) => body.sequence).sort((a, b) => a - b)
    assert.deepEqual(
      sequences,
      Array.from({ length: 40 }, (_, i) => i + 1),
    )
    const { body } = await test.get(`/v1/conversations/${id}`)
    assert.partialDeepStrictEqual(body, {
      message_count: 40,
      version: 41,
      unread_count: { end_user: 0, operator: 40 },
    })
  })

  test('public messages move the conversation, notes and system messages do not', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const steps: [object, object][] = [
      [
        { author_side: 'operator', visibility: 'internal' },
        { status: 'new', first_response_at: null },
      ],
      [{ author_side: 'system' }, { status: 'new', last_message_side: 'system' }],
      [{ author_side: 'operator' }, { status: 'pending', waiting_on: 'end_user' }],
      [{ author_side: 'end_user' }, { status: 'open', waiting_on: 'operator' }],
      [
        { author_side: 'operator', set_status: 'open' },
        { status: 'open', waiting_on: 'operator' },
      ],
      [
        { author_side: 'operator', set_status: 'resolved' },
        { status: 'resolved', waiting_on: null, reopened_count: 0 },
      ],
      [{ author_side: 'operator' }, { status: 'resolved' }],
      [{ author_side: 'end_user' }, { status: 'open', reopened_count: 1, resolved_at: null }],
    ]
    for (const [input, expected] of steps) {
      assert.equal((await say(test, id, input)).status, 201)
      assert.partialDeepStrictEqual((await test.get(`/v1/conversations/${id}`)).body, expected)
    }
  })

  test('first_response_at is the first public answer and stays', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const { body: first } = await say(test, id, { author_side: 'operator' })
    api.advance(60)
    await say(test, id, { author_side: 'operator' })
    assert.equal((await test.get(`/v1/conversations/${id}`)).body.first_response_at, first.created_at)
  })

  test('a closed conversation takes internal notes and nothing else', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    await test.post(`/v1/conversations/${id}/close`)
    for (const author_side of ['end_user', 'operator', 'system']) {
      const { status, body } = await say(test, id, { author_side })
      assert.equal(status, 409)
      assert.equal(body.code, 'conversation_closed')
    }
    assert.equal((await say(test, id, { author_side: 'operator', visibility: 'internal' })).status, 201)
  })

  test('422 for combinations that make no sense', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const other = await conversation(test)
    const { body: elsewhere } = await say(test, other.id, {})
    const cases: [object, string, string][] = [
      [{ visibility: 'internal' }, '/visibility', 'not_allowed'],
      [{ set_status: 'open' }, '/set_status', 'not_allowed'],
      [{ author_side: 'operator', visibility: 'internal', set_status: 'open' }, '/set_status', 'not_allowed'],
      [{ in_reply_to_id: elsewhere.id }, '/in_reply_to_id', 'not_found'],
      [{ body: '' }, '/body', 'too_short'],
      [{ body: 'x'.repeat(65_537) }, '/body', 'too_long'],
      [{ author_side: 'robot' }, '/author_side', 'not_allowed'],
    ]
    for (const [input, pointer, code] of cases) {
      const { status, body } = await say(test, id, input)
      assert.equal(status, 422)
      assert.partialDeepStrictEqual(body.errors, [{ pointer, code }])
    }
    assert.equal((await test.get(`/v1/conversations/${id}`)).body.message_count, 0)
  })

  test('the longest body in a script without spaces is stored and found', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const characters = Array.from({ length: 65_536 }, (_, i) =>
      String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000)),
    )
    assert.equal((await say(test, id, { body: characters.join('') })).status, 201)
    const { body } = await test.get(
      `/v1/conversations?q=${encodeURIComponent(characters.slice(0, 3).join(''))}`,
    )
    assert.equal(body.data[0].id, id)
  })

  test('409 already_exists when external_id is taken', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const { body: first } = await say(test, id, { external_id: 'm-1' })
    const { status, body } = await say(test, id, { external_id: 'm-1' })
    assert.equal(status, 409)
    assert.deepEqual(body.params, { id: first.id, field: 'external_id' })
  })
})

describe('reading', () => {
  test('lists by sequence both ways, filtered by visibility and author', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    await say(test, id, {})
    await say(test, id, { author_side: 'operator', visibility: 'internal' })
    await say(test, id, { author_side: 'operator' })
    const sequences = async (query: string) =>
      (await test.get(`/v1/conversations/${id}/messages?${query}`)).body.data.map(
        (each: { sequence: number }) => each.sequence,
      )
    assert.deepEqual(await sequences(''), [1, 2, 3])
    assert.deepEqual(await sequences('sort=-sequence'), [3, 2, 1])
    assert.deepEqual(await sequences('visibility=internal'), [2])
    assert.deepEqual(await sequences('author_side=operator&visibility=public'), [3])
  })

  test('read marks lower unread_count, go only forward, and a repeat changes nothing', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    for (let i = 0; i < 3; i++) await say(test, id, {})
    await say(test, id, { author_side: 'operator' })
    const read = async (side: string, up_to_sequence?: number) =>
      test.post(`/v1/conversations/${id}/read`, {
        side,
        ...(up_to_sequence === undefined ? {} : { up_to_sequence }),
      })
    assert.deepEqual((await read('operator', 2)).body.unread_count, { end_user: 1, operator: 1 })
    const before = (await read('operator', 1)).body
    assert.deepEqual(before.unread_count, { end_user: 1, operator: 1 })
    assert.equal((await read('operator', 2)).body.version, before.version)
    assert.deepEqual((await read('end_user')).body.unread_count, { end_user: 0, operator: 1 })
    const { status, body } = await read('operator', 99)
    assert.equal(status, 422)
    assert.partialDeepStrictEqual(body.errors, [{ pointer: '/up_to_sequence', code: 'too_large' }])
    await test.post(`/v1/conversations/${id}/close`)
    assert.deepEqual((await read('operator')).body.unread_count, { end_user: 0, operator: 0 })
  })
})

describe('editing', () => {
  test('a new body sets edited_at and keeps the former one among the revisions', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const { body: message } = await say(test, id, { body: 'first' })
    api.advance(10)
    const { body: edited } = await test.patch(`/v1/messages/${message.id}`, { body: 'second' })
    assert.partialDeepStrictEqual(edited, { body: 'second', version: 2, edited_at: edited.updated_at })
    const { body: tagged } = await test.patch(`/v1/messages/${message.id}`, { metadata: { a: 'b' } })
    assert.partialDeepStrictEqual(tagged, { version: 3, edited_at: edited.edited_at })
    await test.patch(`/v1/messages/${message.id}`, { body: 'third' })
    const { body: revisions } = await test.get(`/v1/messages/${message.id}/revisions`)
    assert.deepEqual(revisions.data, [
      { version: 1, body: 'first', written_at: message.created_at, replaced_at: edited.edited_at },
      {
        version: 3,
        body: 'second',
        written_at: edited.edited_at,
        replaced_at: (await test.get(`/v1/messages/${message.id}`)).body.edited_at,
      },
    ])
  })

  test('409 for the public text of a closed conversation, and for no internal one', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const { body: message } = await say(test, id, {})
    const { body: note } = await say(test, id, { author_side: 'operator', visibility: 'internal' })
    await test.post(`/v1/conversations/${id}/close`)
    assert.equal(
      (await test.patch(`/v1/messages/${message.id}`, { body: 'late' })).body.code,
      'conversation_closed',
    )
    assert.equal((await test.patch(`/v1/messages/${message.id}`, { metadata: { a: 'b' } })).status, 200)
    assert.equal((await test.patch(`/v1/messages/${note.id}`, { body: 'late' })).status, 200)
  })

  test('redaction reaches the stored response of a request that changed nothing', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const { body: message } = await say(test, id, { body: 'zanzibar4242' })
    const headers = { 'idempotency-key': 'nothing changed' }
    assert.equal((await test.patch(`/v1/messages/${message.id}`, {}, headers)).body.body, 'zanzibar4242')
    await test.post(`/v1/messages/${message.id}/redact`)
    const replay = await test.patch(`/v1/messages/${message.id}`, {}, headers)
    assert.equal(replay.headers.get('idempotent-replayed'), 'true')
    assert.equal(replay.body.body, '')
  })

  test('an edit beside a close happens before it or not at all', async () => {
    const { test } = await api.world()
    for (let round = 0; round < 20; round++) {
      const { id } = await conversation(test)
      const { body: message } = await say(test, id, { body: 'before' })
      const [edited] = await Promise.all([
        test.patch(`/v1/messages/${message.id}`, { body: 'after' }),
        test.post(`/v1/conversations/${id}/close`),
      ])
      const { body: events } = await test.get(`/v1/conversations/${id}/timeline`)
      const types = events.data.map((event: { type: string }) => event.type)
      const happened = types.filter((type: string) => /updated|closed/.test(type)).sort()
      if (edited.status === 200) assert.deepEqual(happened, ['conversation.closed', 'message.updated'])
      else {
        assert.equal(edited.body.code, 'conversation_closed')
        assert.deepEqual(happened, ['conversation.closed'])
      }
      assert.equal(
        (await test.patch(`/v1/messages/${message.id}`, { body: 'late' })).body.code,
        'conversation_closed',
      )
    }
  })

  test('redaction empties the text everywhere and for good', async () => {
    const { test } = await api.world()
    const secret = 'zanzibar4242'
    const { id } = await conversation(test)
    const headers = { 'idempotency-key': 'posted' }
    const { body: message } = await say(test, id, { body: `first ${secret}` })
    const keyed = await test.post(
      `/v1/conversations/${id}/messages`,
      { author_side: 'end_user', body: secret },
      headers,
    )
    for (const each of [message, keyed.body]) {
      await test.patch(
        `/v1/messages/${each.id}`,
        { body: `second ${secret}` },
        { 'idempotency-key': `edit ${each.id}` },
      )
      const { status, body } = await test.post(`/v1/messages/${each.id}/redact`)
      assert.equal(status, 200)
      assert.partialDeepStrictEqual(body, {
        body: '',
        sequence: each.sequence,
        redacted_at: body.updated_at,
        version: 3,
      })
      assert.deepEqual((await test.get(`/v1/messages/${each.id}/revisions`)).body.data, [])
      assert.equal((await test.patch(`/v1/messages/${each.id}`, { body: 'again' })).status, 409)
      assert.deepEqual((await test.post(`/v1/messages/${each.id}/redact`)).body, body)
    }
    const replay = await test.post(
      `/v1/conversations/${id}/messages`,
      { author_side: 'end_user', body: secret },
      headers,
    )
    assert.equal(replay.headers.get('idempotent-replayed'), 'true')
    assert.equal(replay.body.body, '')
    assert.equal((await test.get(`/v1/conversations/${id}/timeline`)).text.includes(secret), false)
    assert.deepEqual((await test.get(`/v1/conversations?q=${secret}`)).body.data, [])
  })
})
