import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Body, conversation, operator } from '../desk.ts'
import { type Client, service } from '../harness.ts'

const unknown = (prefix: string) => `${prefix}_01kah1vgm0e1tbm5ye8n2m9q7c`

describe('one answer names the faults of the schema and those that only the handler finds', () => {
  const api = service()
  let client: Client
  before(async () => {
    client = (await api.world()).test
  })

  async function assertFaults(path: string, body: Body, expected: [string, string][], headers = {}) {
    const answer = await client.post(path, body, headers)
    assert.equal(answer.status, 422, answer.text)
    const named = answer.body.errors.map(({ pointer, header, code }: Body) => [pointer ?? header, code])
    assert.deepEqual(named.toSorted(), expected.toSorted(), answer.text)
  }

  test('an unknown time zone, an address of the wrong form, and a field that does not exist', () =>
    assertFaults('/v1/operators', { name: 'Ada', email: 'ada', timezone: 'Mars/Base', nonsense: 1 }, [
      ['/email', 'bad_format'],
      ['/timezone', 'bad_format'],
      ['/nonsense', 'unknown_field'],
    ]))

  test('a missing required field does not hide an unknown reference', () =>
    assertFaults('/v1/conversations', { department_id: unknown('dept'), priority: 'now' }, [
      ['/external_user_id', 'required'],
      ['/priority', 'not_allowed'],
      ['/department_id', 'not_found'],
    ]))

  test('a forbidden address of a webhook endpoint and a list of events of the wrong type', () =>
    assertFaults('/v1/webhook_endpoints', { url: 'https://10.0.0.1/hook', enabled_events: 7 }, [
      ['/url', 'not_allowed'],
      ['/enabled_events', 'wrong_type'],
    ]))

  test('faults of an existing object are found, too', async () => {
    const { id } = await conversation(client)
    await assertFaults(
      `/v1/conversations/${id}/messages`,
      { author_side: 'nobody', in_reply_to_id: unknown('msg'), template_id: unknown('tmpl'), body: 'x' },
      [
        ['/author_side', 'not_allowed'],
        ['/in_reply_to_id', 'not_found'],
        ['/template_id', 'not_found'],
      ],
    )
  })

  test('items of lists: an unknown reference before and after a faulty item', () =>
    assertFaults(
      '/v1/macros',
      {
        name: 'Escalate',
        actions: [
          { type: 'set_department', department_id: unknown('dept') },
          { type: 'set_priority', priority: 'nope' },
          { type: 'set_category', category_id: unknown('cat') },
        ],
        department_ids: [7, unknown('dept')],
      },
      [
        ['/actions/0/department_id', 'not_found'],
        ['/actions/1/priority', 'not_allowed'],
        ['/actions/2/category_id', 'not_found'],
        ['/department_ids/0', 'wrong_type'],
        ['/department_ids/1', 'not_found'],
      ],
    ))

  test('no fault is named that depends on a field which is invalid', async () => {
    const { id } = await conversation(client)
    const messages = `/v1/conversations/${id}/messages`
    await assertFaults(`/v1/conversations/${id}/assign`, { department_id: 5 }, [
      ['/department_id', 'wrong_type'],
    ])
    await assertFaults(messages, { author_side: 'operator', template_id: 'tmpl_bad', variables: { a: 1 } }, [
      ['/template_id', 'bad_format'],
    ])
    await assertFaults(messages, { author_side: 'Operator', set_status: 'resolved', body: 'x' }, [
      ['/author_side', 'not_allowed'],
    ])
    const reason = { name: 'Bank', max_duration_seconds: '7200', default_duration_seconds: 7200 }
    await assertFaults('/v1/hold_reasons', reason, [['/max_duration_seconds', 'wrong_type']])
  })

  test('without a fault of the schema, all that the handler finds', async () => {
    assert.equal((await client.post('/v1/tags', { name: 'retired', archived: true })).status, 201)
    await assertFaults(
      '/v1/conversations',
      {
        external_user_id: 'u',
        department_id: unknown('dept'),
        category_id: unknown('cat'),
        tags: ['retired'],
      },
      [
        ['/department_id', 'not_found'],
        ['/category_id', 'not_found'],
        ['/tags/0', 'not_allowed'],
      ],
    )
  })

  test('a list of many unknown values has a short answer', async () => {
    const enabled_events = Array.from({ length: 100 }, (_, i) => `${i}${'x'.repeat(60)}`)
    const { status, text } = await client.post('/v1/webhook_endpoints', {
      url: 'https://example.com',
      enabled_events,
    })
    assert.equal(status, 422)
    assert.ok(text.length < 20_000, `${text.length}`)
  })

  test('an operator that does not exist and a reference that does not, either', async () => {
    const headers = { 'backline-operator': unknown('op') }
    await assertFaults(
      '/v1/conversations',
      { external_user_id: 'user_1', category_id: unknown('cat') },
      [
        ['Backline-Operator', 'not_found'],
        ['/category_id', 'not_found'],
      ],
      headers,
    )
  })

  test('a request that is not valid changes nothing and moves no clock', async () => {
    const member = await operator(client)
    const before = await client.get('/v1/events')
    const { body: clock } = await client.get('/v1/test_clock')
    await client.post('/v1/test_clock/advance', { seconds: 86_400, nonsense: 1 })
    await client.post(`/v1/operators/${member}/status`, { status: 'away', nonsense: 1 })
    await client.post('/v1/tags', { name: 'never', nonsense: 1 })
    assert.equal((await client.get('/v1/events')).text, before.text)
    assert.equal((await client.get('/v1/test_clock')).body.offset_seconds, clock.offset_seconds)
  })
})
