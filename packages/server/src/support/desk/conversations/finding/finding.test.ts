import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, conversation, operators, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'

const api = service()

describe('finding', () => {
  test('each filter leaves exactly what matches', async () => {
    const { test } = await api.world()
    const make = async (input: object) =>
      (await test.post('/v1/conversations', { external_user_id: 'u', ...input })).body.id
    const urgent = await make({ priority: 'urgent', channel: 'email', external_id: 'x-1' })
    const anna = await make({ external_user_id: 'anna' })
    const resolved = await make({})
    await test.post(`/v1/conversations/${resolved}/resolve`)
    const pending = await make({ initiated_by_side: 'operator', message: { body: 'Hi' } })
    const given = async (path: string, input: object) => (await test.post(path, input)).body.id as string
    const operator = await given('/v1/operators', { name: 'Ada', email: 'ada@example.com' })
    const department = await given('/v1/departments', { name: 'Billing' })
    const category = await given('/v1/categories', { name: 'Cards' })
    const reason = await given('/v1/hold_reasons', { name: 'Bank' })
    const placed = await make({
      department_id: department,
      category_id: category,
      assignee_id: operator,
      tags: ['VIP'],
    })
    await test.post(`/v1/conversations/${placed}/hold`, { hold_reason_id: reason })
    const expectations: [string, string[]][] = [
      [`department_id=${department}`, [placed]],
      [`category_id=${category}`, [placed]],
      [`assignee_id=${operator}`, [placed]],
      ['assignee_id=none', [pending, resolved, anna, urgent]],
      ['tag=vip', [placed]],
      ['tag=unknown', []],
      ['status=on_hold', [placed]],
      ['priority=urgent', [urgent]],
      ['channel=email', [urgent]],
      ['initiated_by_side=operator', [pending]],
      ['external_id=x-1', [urgent]],
      ['external_user_id=anna', [anna]],
      ['status=resolved', [resolved]],
      ['status=resolved,pending', [pending, resolved]],
      ['waiting_on=end_user', [pending]],
      ['waiting_on=operator', [anna, urgent]],
      ['waiting_on=third_party', [placed]],
    ]
    for (const [query, ids] of expectations) {
      const { body } = await test.get(`/v1/conversations?${query}`)
      assert.deepEqual(
        body.data.map((each: { id: string }) => each.id),
        ids,
        query,
      )
    }
  })

  test('assignee_id=me is the operator in Backline-Operator, also for the cursor, and an error without one', async () => {
    const { test } = await api.world()
    const [ada, ben] = await operators(test, 2)
    const owned = new Map<string | undefined, string[]>()
    for (const assignee_id of [ada, ben, ada, ada])
      owned.set(assignee_id, [
        (await conversation(test, { assignee_id })).id,
        ...(owned.get(assignee_id) ?? []),
      ])
    const list = (query: string, operator: string) =>
      test.get(`/v1/conversations?assignee_id=me${query}`, { 'backline-operator': operator })
    for (const operator of [ada!, ben!]) {
      const { data } = succeeded(await list('', operator))
      assert.deepEqual(
        data.map(({ id }: Body) => id),
        owned.get(operator),
      )
    }
    const { next_cursor } = succeeded(await list('&limit=1&status=open', ada!))
    const next = succeeded(await list(`&limit=1&status=open&cursor=${next_cursor}`, ada!))
    assert.equal(next.data[0].id, owned.get(ada)![1])
    const another = await list(`&limit=1&status=open&cursor=${next_cursor}`, ben!)
    assert.deepEqual([another.status, another.body.code], [400, 'cursor_mismatch'])
    const nobody = await test.get('/v1/conversations?assignee_id=me')
    assert.deepEqual([nobody.status, nobody.body.code], [400, 'invalid_query'])
    const [{ parameter, code }] = nobody.body.errors
    assert.deepEqual([parameter, code], ['assignee_id', 'not_allowed'])
  })

  test('created_after and created_before are exclusive bounds to the millisecond', async () => {
    const { test } = await api.world()
    const { body: first } = await test.post('/v1/conversations', { external_user_id: 'u' })
    api.advance(1)
    const { body: second } = await test.post('/v1/conversations', { external_user_id: 'u' })
    const ids = async (query: string) =>
      (await test.get(`/v1/conversations?${query}`)).body.data.map((each: { id: string }) => each.id)
    assert.deepEqual(await ids(`created_after=${first.created_at}`), [second.id])
    assert.deepEqual(await ids(`created_before=${second.created_at}`), [first.id])
    const inOffset = encodeURIComponent(first.created_at.replace('Z', '+00:00'))
    assert.deepEqual(await ids(`created_after=${inOffset}&created_before=${second.created_at}`), [])
    assert.deepEqual(await ids(`updated_after=${first.updated_at}`), [second.id])
  })

  test('q finds words of subject and messages in any script, accents and case aside, the last one by its beginning', async () => {
    const { test } = await api.world()
    const texts: [string, string[]][] = [
      ['Die Größe stimmt nicht', ['grosse', 'GRÖSSE', 'stim']],
      ['Não consigo pagar o cartão', ['cartao', 'nao pag']],
      ['İstanbul şubesi kapalı', ['istanbul', 'sube']],
      ['Ошибка оплаты картой', ['ошибка', 'ОПЛАТЫ кар']],
      ['東京の支払いができません', ['支払い', '東京', 'ん']],
      ['لا أستطيع الدفع', ['الدفع']],
      ['ไม่สามารถชำระเงินได้', ['ชำระ']],
      ['Order #A-1047 failed', ['1047', 'a 1047']],
    ]
    for (const [text, queries] of texts) {
      const bySubject = (await test.post('/v1/conversations', { external_user_id: 'u', subject: text })).body
        .id
      const byMessage = (
        await test.post('/v1/conversations', { external_user_id: 'u', message: { body: text } })
      ).body.id
      for (const query of queries) {
        const { body } = await test.get(`/v1/conversations?q=${encodeURIComponent(query)}`)
        const found = body.data.map((each: { id: string }) => each.id)
        assert.deepEqual(found, [byMessage, bySubject], `${query} in ${text}`)
      }
    }
    for (const query of ['nothing-like-it', '!!!', '"', "' | '", '%']) {
      const { status, body } = await test.get(`/v1/conversations?q=${encodeURIComponent(query)}`)
      assert.equal(status, 200)
      assert.deepEqual(body.data, [])
    }
  })

  test('the timeline keeps events of messages from keys without messages:read', async () => {
    const { test, withScopes } = await api.world()
    const { body: created } = await test.post('/v1/conversations', {
      external_user_id: 'u',
      message: { body: 'Help' },
    })
    const types = async (client: Client) =>
      (await client.get(`/v1/conversations/${created.id}/timeline`)).body.data.map(
        (event: { type: string }) => event.type,
      )
    assert.deepEqual(await types(await withScopes('conversations:read')), ['conversation.created'])
    assert.deepEqual(await types(await withScopes('conversations:read', 'messages:read')), [
      'conversation.created',
      'message.created',
    ])
  })

  test('the timeline tells everything that happened, in order', async () => {
    const { test } = await api.world()
    const { body: created } = await test.post('/v1/conversations', {
      external_user_id: 'u',
      message: { body: 'Help' },
    })
    await test.post(`/v1/conversations/${created.id}/messages`, {
      author_side: 'operator',
      body: 'Done',
      set_status: 'resolved',
    })
    await test.post(`/v1/conversations/${created.id}/messages`, {
      author_side: 'end_user',
      body: 'Not quite',
    })
    const { body } = await test.get(`/v1/conversations/${created.id}/timeline`)
    assert.deepEqual(
      body.data.map((event: { type: string }) => event.type),
      [
        'conversation.created',
        'message.created',
        'conversation.resolved',
        'message.created',
        'conversation.reopened',
        'message.created',
      ],
    )
    assert.partialDeepStrictEqual(body.data[4], {
      object: 'event',
      environment: 'test',
      actor: { type: 'api_key', operator_id: null },
      resource: { type: 'conversation', id: created.id, version: 3 },
      data: { object: { status: 'open' }, previous: { status: 'resolved', reopened_count: 0 } },
    })
  })
})
