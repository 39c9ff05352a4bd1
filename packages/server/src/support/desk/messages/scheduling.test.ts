import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, type Body, conversation, operator, say, shown, succeeded } from '@backline/test/desk.ts'
import { type Answer, type Client, service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service({})
const hour = 3600

/** A time of the test environment, some seconds after its present. */
async function inSeconds(client: Client, seconds: number): Promise<string> {
  const { now } = succeeded(await client.get('/v1/test_clock'))
  return new Date(Date.parse(now) + seconds * 1000).toISOString()
}
const advance = async (client: Client, seconds: number) =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds }))

const post = (client: Client, id: string, fields: object): Promise<Answer> =>
  client.post(`/v1/conversations/${id}/messages`, { author_side: 'operator', body: 'Later', ...fields })
const schedule = async (client: Client, id: string, seconds: number, fields: object = {}): Promise<Body> =>
  succeeded(await post(client, id, { send_at: await inSeconds(client, seconds), ...fields }))
const listed = async (client: Client, id: string, query = ''): Promise<Body[]> =>
  succeeded(await client.get(`/v1/conversations/${id}/messages?${query}`)).data
const bodiesOf = async (client: Client, id: string, query = '') =>
  (await listed(client, id, query)).map(({ body }) => body)
const eventsOf = async (client: Client): Promise<Body[]> =>
  succeeded(await client.get('/v1/events?limit=100&types=message.*')).data
const typesOf = async (client: Client): Promise<string[]> =>
  (await eventsOf(client)).map(({ type }) => type.replace('message.', ''))
const firstFault = ({ status, body }: Answer) => {
  assert.equal(status, 422)
  const [{ pointer, code }] = body.errors
  return [pointer, code]
}

describe('a scheduled message', () => {
  test('is listed apart, has no sequence, and is sent at its time with the same id and the next sequence', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const before = await shown(test, id)
    const later = await schedule(test, id, hour)
    assert.partialDeepStrictEqual(later, { status: 'scheduled', sequence: null, version: 1 })
    assert.deepEqual(await shown(test, id), before, 'the conversation shows nothing of it')
    await say(test, id, 'end_user', { body: 'Now' })
    assert.deepEqual(await bodiesOf(test, id), ['Now'])
    assert.deepEqual(await listed(test, id, 'scheduled=true'), [later])
    assert.deepEqual(succeeded(await test.get(`/v1/messages/${later.id}`)), later)
    await advance(test, hour)
    const sent = succeeded(await test.get(`/v1/messages/${later.id}`))
    assert.deepEqual(sent, {
      ...later,
      status: 'sent',
      sequence: 2,
      send_at: null,
      created_at: later.send_at,
      updated_at: later.send_at,
      version: 2,
    })
    assert.deepEqual(await listed(test, id, 'scheduled=true'), [])
    assert.partialDeepStrictEqual(await shown(test, id), { status: 'pending', message_count: 2 })
    assert.deepEqual(await typesOf(test), ['scheduled', 'created', 'created'])
  })

  test('is sent in the order of the times, also of those that were scheduled for one time', async () => {
    const { test } = await api.world()
    const ids = [(await conversation(test)).id, (await conversation(test)).id]
    const send_at = await inSeconds(test, hour)
    for (const body of ['2', '3', '4']) succeeded(await post(test, ids[0]!, { send_at, body }))
    await schedule(test, ids[0]!, hour / 2, { body: '1' })
    await schedule(test, ids[1]!, hour / 3, { body: 'other' })
    await schedule(test, ids[0]!, 2 * hour, { body: '5' })
    assert.deepEqual(await bodiesOf(test, ids[0]!, 'scheduled=true'), ['1', '2', '3', '4', '5'])
    const page = succeeded(
      await test.get(`/v1/conversations/${ids[0]}/messages?scheduled=true&sort=-sequence&limit=2`),
    )
    const rest = await bodiesOf(
      test,
      ids[0]!,
      `scheduled=true&sort=-sequence&limit=9&cursor=${page.next_cursor}`,
    )
    assert.deepEqual([...page.data.map(({ body }: Body) => body), ...rest], ['5', '4', '3', '2', '1'])
    await advance(test, 3 * hour)
    assert.deepEqual(await bodiesOf(test, ids[0]!), ['1', '2', '3', '4', '5'])
    const times = (await listed(test, ids[0]!)).map(({ created_at }) => created_at)
    assert.deepEqual(times, times.toSorted(), 'the times agree with the order')
    assert.deepEqual(await bodiesOf(test, ids[1]!), ['other'])
  })

  test('is refused for other times and for the end user, with the reason', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const at = async (seconds: number, fields = {}) =>
      firstFault(await post(test, id, { send_at: await inSeconds(test, seconds), ...fields }))
    assert.deepEqual(await at(-1), ['/send_at', 'too_small'])
    assert.deepEqual(await at(366 * 86_400), ['/send_at', 'too_large'])
    assert.deepEqual(await at(hour, { author_side: 'end_user' }), ['/send_at', 'not_allowed'])
    assert.deepEqual(await at(hour, { on_closed: 'follow_up' }), ['/on_closed', 'not_allowed'])
    assert.equal((await post(test, id, { send_at: null })).body.status, 'sent')
  })

  test('can be edited until it is sent, and keeps no revision', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const later = await schedule(test, id, hour)
    const edited = succeeded(await test.patch(`/v1/messages/${later.id}`, { body: 'Better' }))
    assert.partialDeepStrictEqual(edited, {
      body: 'Better',
      status: 'scheduled',
      edited_at: null,
      version: 2,
    })
    await advance(test, hour)
    assert.deepEqual(await bodiesOf(test, id), ['Better'])
    assert.deepEqual(succeeded(await test.get(`/v1/messages/${later.id}/revisions`)).data, [])
  })

  test('can be cancelled until it is sent, and no longer', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const [one, other] = [await schedule(test, id, hour), await schedule(test, id, hour)]
    assert.equal((await test.delete(`/v1/messages/${one.id}`)).status, 204)
    assert.equal((await test.delete(`/v1/messages/${one.id}`)).status, 404)
    assert.equal((await test.get(`/v1/messages/${one.id}`)).status, 404)
    await advance(test, hour)
    const refused = await test.delete(`/v1/messages/${other.id}`)
    assert.equal(refused.body.code, 'invalid_transition')
    assert.partialDeepStrictEqual(refused.body.params, { from: 'sent', action: 'cancel' })
    assert.deepEqual(
      (await listed(test, id)).map(({ id }) => id),
      [other.id],
    )
    assert.deepEqual(await typesOf(test), ['scheduled', 'scheduled', 'schedule_cancelled', 'created'])
  })

  test('is either sent or cancelled if both happen at once', async () => {
    const { test, environments } = await api.world()
    const { id } = await conversation(test)
    const all: Body[] = []
    for (let i = 0; i < 20; i++) all.push(await schedule(test, id, hour + i))
    const [, ...cancelled] = await Promise.all([
      advance(test, 2 * hour),
      ...all.map(({ id }) => test.delete(`/v1/messages/${id}`)),
    ])
    const sent = await listed(test, id, 'limit=100')
    const expected = all.filter((_, i) => cancelled[i]!.status !== 204).map(({ id }) => id)
    assert.deepEqual(
      sent.map(({ id }) => id),
      expected,
    )
    for (const { status, body } of cancelled)
      assert.ok(status === 204 || body.code === 'invalid_transition', `${status}`)
    const types = await typesOf(test)
    assert.equal(types.filter((type) => type === 'created').length, expected.length)
    assert.equal(types.filter((type) => type === 'schedule_cancelled').length, 20 - expected.length)
    const left = sql`select 1 from due_work where tenant_id = ${environments.test.tenantId} and duty = 'send_message'`
    assert.deepEqual(await api.db.rows(left), [])
  })

  test('is sent once and in order by several processes that work at the same time', async () => {
    const { live } = await api.world()
    const workers = await Promise.all([api.another({ works: true }), api.another({ works: true })])
    const ids = [(await conversation(live)).id, (await conversation(live)).id]
    const send = async (i: number) => {
      const send_at = new Date(api.now() + hour * 1000 + i).toISOString()
      const { id } = succeeded(await post(live, ids[i % 2]!, { send_at, body: `${i}` }))
      return id
    }
    const all: string[] = []
    for (let i = 0; i < 40; i++) all.push(await send(i))
    api.advance(hour + 1)
    const sent = async (id: string) => (await listed(live, id, 'limit=100')).map(({ id }) => id)
    await until('all are sent', async () => (await Promise.all(ids.map(sent))).flat().length === 40)
    for (const [i, id] of ids.entries())
      assert.deepEqual(
        await sent(id),
        all.filter((_, each) => each % 2 === i),
      )
    assert.equal((await typesOf(live)).filter((type) => type === 'created').length, 40)
    await Promise.all(workers.map((worker) => worker.stop()))
  })

  test('is dropped when its conversation is closed, but a note is written', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const later = await schedule(test, id, hour, { external_id: 'once' })
    await schedule(test, id, hour, { visibility: 'internal', body: 'Note' })
    await act(test, id, 'close')
    assert.equal((await test.get(`/v1/messages/${later.id}`)).status, 404)
    const [dropped] = (await eventsOf(test)).filter(({ type }) => type === 'message.schedule_dropped')
    assert.partialDeepStrictEqual(dropped, { resource: { type: 'message', id: later.id } })
    const ofResource = succeeded(await test.get(`/v1/events?resource_id=${later.id}`)).data
    assert.deepEqual(
      ofResource.map(({ type, resource, data }: Body) => [type, resource.version, data.object.version]),
      [
        ['message.scheduled', 1, 1],
        ['message.schedule_dropped', 2, 2],
      ],
    )
    await advance(test, hour)
    assert.deepEqual(await bodiesOf(test, id), ['Note'])
    assert.equal(
      (await post(test, id, { send_at: await inSeconds(test, hour) })).body.code,
      'conversation_closed',
    )
    const { id: next } = await conversation(test)
    await schedule(test, next, hour, { external_id: 'once' })
  })

  test('is not sent to a conversation that is closed at the same time, nor one of very many', async () => {
    const { test } = await api.world()
    const ids: string[] = []
    for (let i = 0; i < 10; i++) ids.push((await conversation(test)).id)
    const send_at = await inSeconds(test, hour)
    const [many] = ids
    await Promise.all(Array.from({ length: 110 }, () => post(test, many!, { send_at })))
    await Promise.all(
      ids.map((id) =>
        Promise.all([post(test, id, { send_at }), act(test, id, 'close'), post(test, id, { send_at })]),
      ),
    )
    await advance(test, hour)
    for (const id of ids) {
      assert.equal((await shown(test, id)).message_count, 0)
      assert.deepEqual(await listed(test, id, 'scheduled=true'), [])
    }
    assert.deepEqual(await api.db.rows(sql`select 1 from scheduled_messages where send_at = ${send_at}`), [])
  })

  test('goes to the conversation into which its own is merged, transitively', async () => {
    const { test } = await api.world()
    const ids: string[] = []
    for (let i = 0; i < 3; i++) ids.push((await conversation(test)).id)
    const later = await schedule(test, ids[0]!, hour, { body: 'Moved' })
    await act(test, ids[0]!, 'merge', { into_id: ids[1] })
    assert.deepEqual(await bodiesOf(test, ids[1]!, 'scheduled=true'), ['Moved'])
    await act(test, ids[1]!, 'merge', { into_id: ids[2] })
    await advance(test, hour)
    const [sent] = await listed(test, ids[2]!)
    assert.partialDeepStrictEqual(sent, { id: later.id, conversation_id: ids[2], sequence: 1 })
    succeeded(await test.post(`/v1/messages/${later.id}/redact`))
    assert.ok(!JSON.stringify(await eventsOf(test)).includes('Moved'), 'in none of the three')
  })

  test('takes the text of its template when it is scheduled, and the status when it is sent', async () => {
    const { test } = await api.world()
    const operator_id = await operator(test)
    const template = succeeded(
      await test.post('/v1/message_templates', { name: 'Soon', body: 'Status {{ conversation.status }}' }),
    )
    const { id } = await conversation(test)
    const fields = { body: undefined, template_id: template.id, operator_id, set_status: 'resolved' }
    const later = await schedule(test, id, hour, fields)
    assert.equal(later.body, 'Status new')
    succeeded(await test.patch(`/v1/message_templates/${template.id}`, { body: 'Other', archived: true }))
    await act(test, id, 'assign', { assignee_id: operator_id })
    await advance(test, hour)
    assert.partialDeepStrictEqual(await listed(test, id), [
      { body: 'Status new', operator_id, template_id: template.id },
    ])
    assert.equal((await shown(test, id)).status, 'resolved')
  })

  test('shares its external id with no other message, scheduled or sent, in any order and at once', async () => {
    const { test } = await api.world()
    const [one, other] = [(await conversation(test)).id, (await conversation(test)).id]
    const later = await schedule(test, one, hour, { external_id: 'a' })
    for (const send_at of [null, await inSeconds(test, hour)]) {
      const refused = await post(test, other, { external_id: 'a', send_at })
      assert.partialDeepStrictEqual(refused.body, {
        code: 'already_exists',
        params: { id: later.id, field: 'external_id' },
      })
    }
    const sent = await say(test, one, 'operator', { external_id: 'b' })
    const refused = await post(test, other, { external_id: 'b', send_at: await inSeconds(test, hour) })
    assert.equal(refused.body.params.id, sent.id)
    for (let round = 0; round < 5; round++) {
      const send_at = await inSeconds(test, hour)
      const external_id = `c${round}`
      const answers = await Promise.all([
        post(test, one, { external_id }),
        post(test, other, { external_id, send_at }),
        post(test, other, { external_id }),
        post(test, one, { external_id, send_at }),
      ])
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409])
    }
    await advance(test, hour)
    assert.equal(succeeded(await test.get(`/v1/messages/${later.id}`)).external_id, 'a')
    assert.equal((await post(test, other, { external_id: 'a' })).body.params.id, later.id)
  })

  test('shares its external id with no message that is older than the claims', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const sent = await say(test, id, 'operator', { external_id: 'old' })
    await api.db.write(sql`delete from message_external_ids where external_id = 'old'`)
    const refused = await post(test, id, { external_id: 'old', send_at: await inSeconds(test, hour) })
    assert.equal(refused.body.params.id, sent.id)
  })

  test('that is redacted is not sent, and its text is nowhere', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const key = { 'idempotency-key': 'scheduled once' }
    const send_at = await inSeconds(test, hour)
    const fields = { author_side: 'operator', body: 'SECRET one', send_at }
    const path = `/v1/conversations/${id}/messages`
    const later = succeeded(await test.post(path, fields, key))
    succeeded(await test.patch(`/v1/messages/${later.id}`, { body: 'SECRET two' }))
    const redacted = succeeded(await test.post(`/v1/messages/${later.id}/redact`))
    assert.partialDeepStrictEqual(redacted, { body: '', status: 'scheduled' })
    assert.ok(redacted.redacted_at)
    assert.deepEqual(await typesOf(test), ['scheduled', 'updated', 'redacted', 'schedule_cancelled'])
    assert.ok(!JSON.stringify(await eventsOf(test)).includes('SECRET'))
    const replayed = await test.post(path, fields, key)
    assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(replayed.body, { ...later, body: '', body_html: null })
    await advance(test, hour)
    assert.deepEqual(await listed(test, id), [])
    const kept = await api.db.rows(sql`select 1 from scheduled_messages where body like 'SECRET%'
      union all select 1 from events where object::text like '%SECRET%' or previous::text like '%SECRET%'
      union all select 1 from idempotency_keys where own_body like '%SECRET%'`)
    assert.deepEqual(kept, [])
  })

  test('is in its place by time in a list with merged conversations', async () => {
    const { test } = await api.world()
    const [source, target] = [(await conversation(test)).id, (await conversation(test)).id]
    await schedule(test, source, hour, { body: '2' })
    await say(test, source, 'end_user', { body: '1' })
    await advance(test, hour)
    await say(test, target, 'end_user', { body: '3' })
    await act(test, source, 'merge', { into_id: target })
    assert.deepEqual(await bodiesOf(test, target, 'include=merged'), ['1', '2', '3'])
    const first = succeeded(await test.get(`/v1/conversations/${target}/messages?include=merged&limit=1`))
    assert.deepEqual(await bodiesOf(test, target, `include=merged&cursor=${first.next_cursor}`), ['2', '3'])
  })
})

describe('a message on a closed conversation with on_closed: follow_up', () => {
  test('becomes the first message of a new conversation of the same end user', async () => {
    const { test } = await api.world()
    const closed = await conversation(test, { subject: 'Card', language: 'de', channel: 'email' })
    await act(test, closed.id, 'close')
    assert.equal((await post(test, closed.id, {})).body.code, 'conversation_closed')
    const answer = await post(test, closed.id, {
      author_side: 'end_user',
      body: 'Again',
      on_closed: 'follow_up',
    })
    assert.equal(answer.status, 201)
    const message = answer.body
    assert.equal(answer.headers.get('location'), `/v1/messages/${message.id}`)
    assert.equal(message.sequence, 1)
    assert.notEqual(message.conversation_id, closed.id)
    assert.partialDeepStrictEqual(await shown(test, message.conversation_id), {
      follow_up_of_id: closed.id,
      external_user_id: closed.external_user_id,
      subject: 'Card',
      language: 'de',
      channel: 'email',
      status: 'new',
      message_count: 1,
      unread_count: { operator: 1 },
    })
  })

  test('is refused for notes, and for keys that cannot create conversations', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    await act(test, id, 'close')
    const note = await post(test, id, { visibility: 'internal', on_closed: 'follow_up' })
    assert.deepEqual(firstFault(note), ['/on_closed', 'not_allowed'])
    const { secret } = succeeded(
      await test.post('/v1/api_keys', { name: 'messages only', scopes: ['messages:write'] }),
    )
    const limited = await api.client(secret)
    const refused = await post(limited, id, { on_closed: 'follow_up' })
    assert.deepEqual([refused.status, refused.body.params.scope], [403, 'conversations:write'])
  })

  test('changes nothing on an open conversation', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const { conversation_id } = succeeded(await post(test, id, { on_closed: 'follow_up' }))
    assert.equal(conversation_id, id)
  })
})
