import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { signedIn } from '@backline/test/console.ts'
import { type Body, conversation, succeeded } from '@backline/test/desk.ts'
import { conversationsPath, someone } from '@backline/test/end-users.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()
const open: AbortController[] = []
after(() => {
  for (const each of open) each.abort()
})

/** A connected reader of a stream. */
async function follow(url: string, key: string, path = '/v1/events/stream?ephemeral=true') {
  const controller = new AbortController()
  open.push(controller)
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(url + path, { headers, signal: controller.signal })
  assert.equal(response.status, 200)
  const messages: EventSourceMessage[] = []
  let isConnected = false
  const parser = createParser({
    onEvent: (message) => messages.push(message),
    onComment: () => {
      isConnected = true
    },
  })
  const reading = async () => {
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) parser.feed(text)
  }
  reading().catch(() => undefined)
  await until('it is connected', async () => isConnected)
  return messages
}

const seen = (messages: EventSourceMessage[]): Body[] =>
  messages.flatMap(({ event, data }) => (event === 'presence' ? [JSON.parse(data)] : []))

const pathOf = (id: string) => `/v1/conversations/${id}/presence`
const operator = async (client: Client, name = 'Ada'): Promise<string> =>
  succeeded(await client.post('/v1/operators', { name, email: `${crypto.randomUUID()}@example.com` })).id
const report = (client: Pick<Client, 'put'>, id: string, operatorId: string, state = 'viewing') =>
  client.put(pathOf(id), { state }, { 'backline-operator': operatorId })
const present = async (client: Pick<Client, 'get'>, id: string): Promise<Body[]> =>
  succeeded(await client.get(pathOf(id))).data
const statesIn = async (client: Pick<Client, 'get'>, id: string): Promise<string[]> =>
  (await present(client, id)).map(({ state }) => state)

describe('presence', () => {
  test('reaches the streams that ask for it, and the list, in every process', async () => {
    const { test } = await api.world()
    const other = await api.another()
    const [{ id }, ada, grace] = await Promise.all([
      conversation(test),
      operator(test),
      operator(test, 'Grace'),
    ])
    const streams = [await follow(api.url, test.key), await follow(other.url, test.key)]
    const plain = await follow(api.url, test.key, '/v1/events/stream')
    const beganMs = Date.now()
    const answer = await report(test, id, ada)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    for (const messages of streams) {
      await until('it arrives', async () => seen(messages).length === 1)
      const [{ expires_at, ...rest }] = seen(messages)
      assert.deepEqual(rest, { conversation_id: id, operator_id: ada, state: 'viewing' })
      const sinceMs = Date.parse(expires_at) - 30_000
      assert.ok(sinceMs >= beganMs && sinceMs <= Date.now(), expires_at)
      assert.ok(messages.every((message) => message.id === undefined))
    }
    await report(other.client(test.key), id, grace, 'replying')
    for (const client of [test, other.client(test.key)]) {
      await until('both are there', async () => (await present(client, id)).length === 2)
      const list = await present(client, id)
      const ofAda = list.find(({ operator_id }) => operator_id === ada)!
      const ofGrace = list.find(({ operator_id }) => operator_id === grace)!
      assert.deepEqual(ofAda, { ...ofAda, object: 'presence', operator_id: ada, state: 'viewing' })
      assert.deepEqual(ofGrace, { ...ofGrace, object: 'presence', operator_id: grace, state: 'replying' })
      assert.equal(ofAda.expires_at, seen(streams[0]!)[0]!.expires_at)
    }
    // Ada leaves by the other server.
    await report(other.client(test.key), id, ada, 'away')
    for (const client of [test, other.client(test.key)])
      await until('Ada has left', async () => (await statesIn(client, id)).join() === 'replying')
    assert.deepEqual(plain, [])
    await other.stop()
  })

  test('that began before a stream was connected reaches it when it is repeated', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const ada = await operator(test)
    const early = await follow(api.url, test.key)
    await report(test, id, ada)
    const late = await follow(api.url, test.key)
    const ends = () => seen(early).map(({ expires_at }) => Date.parse(expires_at))
    const isRepeatedInTime = () => ends().some((end, i) => i > 0 && end - ends()[i - 1]! < 30_000)
    await until('a repetition arrives before the end of what it repeats', async () => {
      await report(test, id, ada)
      return isRepeatedInTime() && seen(late).length > 0
    })
    assert.equal(seen(late)[0]!.operator_id, ada)
  })

  test('is known to a process that nobody has asked before', async () => {
    const { test } = await api.world()
    const other = await api.another()
    const [{ id }, ada] = await Promise.all([conversation(test), operator(test)])
    const messages = await follow(other.url, test.key)
    await report(test, id, ada)
    await until('it arrives', async () => seen(messages).length === 1)
    assert.deepEqual(await statesIn(other.client(test.key), id), ['viewing'])
    await other.stop()
  })

  test('is that of the operator who has signed in to the console', async () => {
    const world = await api.world()
    const ada = await signedIn(api, world, 'agent')
    const { id } = await conversation(world.test)
    assert.equal((await ada.send('PUT', pathOf(id), { state: 'replying' })).status, 204)
    const { status, body } = await ada.send('GET', pathOf(id))
    assert.equal(status, 200)
    assert.deepEqual(
      body.data.map(({ operator_id, state }: Body) => [operator_id, state]),
      [[ada.operatorId, 'replying']],
    )
    assert.deepEqual([body.object, body.has_more, body.next_cursor], ['list', false, null])
    const other = await operator(world.test, 'Grace')
    const headers = { 'backline-operator': other }
    const refused = await ada.send('PUT', pathOf(id), { state: 'viewing' }, headers)
    assert.deepEqual([refused.status, refused.body.errors[0].code], [422, 'not_allowed'])
  })

  test('of a conversation or environment that a stream or list is not about is not in it', async () => {
    const { test, live } = await api.world()
    const [{ id: one }, { id: other }, ada] = await Promise.all([
      conversation(test),
      conversation(test),
      operator(test),
    ])
    const path = `/v1/events/stream?ephemeral=true&conversation_id=${one}&types=message.created`
    const messages = await follow(api.url, test.key, path)
    const elsewhere = await follow(api.url, live.key)
    for (const id of [other, one]) assert.equal((await report(test, id, ada)).status, 204)
    await until('it arrives', async () => seen(messages).length > 0)
    assert.deepEqual(
      seen(messages).map(({ conversation_id }) => conversation_id),
      [one],
    )
    assert.deepEqual(elsewhere, [])
    await report(test, other, ada, 'away')
    assert.deepEqual([await statesIn(test, one), await statesIn(test, other)], [['viewing'], []])
    assert.equal((await live.get(pathOf(one))).status, 404)
  })

  test('does not reach the streams of end users', async () => {
    const world = await api.world()
    const customer = await someone(api, world, { name: 'Grace' })
    const { id } = succeeded(
      await customer.post(conversationsPath, { subject: 'Card', message: { body: 'Declined' } }),
    )
    const ada = await operator(world.test)
    const mine = await follow(api.url, customer.key, '/v1/me/stream')
    const desk = await follow(api.url, world.test.key)
    await report(world.test, id, ada, 'replying')
    await until('colleagues are told', async () => seen(desk).length === 1)
    succeeded(await world.test.put(`/v1/conversations/${id}/typing`, { side: 'operator', typing: true }))
    await until('the end user is told of typing', async () => mine.length > 0)
    assert.deepEqual(
      mine.map(({ event }) => event),
      ['typing'],
    )
    assert.doesNotMatch(JSON.stringify(mine), new RegExp(`presence|replying|${ada}`))
    for (const answer of [
      await customer.get(pathOf(id)),
      await customer.put(pathOf(id), { state: 'viewing' }),
    ])
      assert.equal(answer.status, 403, answer.text)
  })

  test('is listed by the ids of the operators, page by page', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const operators = [await operator(test), await operator(test, 'Grace'), await operator(test, 'Edsger')]
    for (const operatorId of operators.toSorted().reverse()) await report(test, id, operatorId)
    const page = async (query: string) => succeeded(await test.get(`${pathOf(id)}?${query}`))
    const whole = await page('include=total')
    assert.deepEqual(
      whole.data.map((each: Body) => each.operator_id),
      operators.toSorted(),
    )
    assert.deepEqual([whole.has_more, whole.next_cursor, whole.total], [false, null, 3])
    const first = await page('limit=2')
    assert.deepEqual([first.data, first.has_more], [whole.data.slice(0, 2), true])
    const last = await page(`limit=2&cursor=${first.next_cursor}`)
    assert.deepEqual([last.data, last.has_more, last.next_cursor], [whole.data.slice(2), false, null])
  })

  test('is refused for unknown conversations, without an operator or scope, and for wrong bodies', async () => {
    const { test, live, withScopes } = await api.world()
    const [{ id }, ada] = await Promise.all([conversation(test), operator(test)])
    assert.equal((await report(test, 'conv_00000000000000000000000000', ada)).status, 404)
    assert.equal((await report(live, id, await operator(live))).status, 404)
    const reading = await withScopes('conversations:read')
    assert.equal((await report(reading, id, ada)).body.code, 'scope_missing')
    assert.equal((await reading.get(pathOf(id))).status, 200)
    assert.equal((await (await withScopes('conversations:write')).get(pathOf(id))).body.code, 'scope_missing')
    const nobody = await test.put(pathOf(id), { state: 'viewing' })
    assert.deepEqual(
      [nobody.status, nobody.body.errors],
      [
        422,
        [
          {
            header: 'Backline-Operator',
            code: 'required',
            detail: 'is required, because the request acts for an operator',
          },
        ],
      ],
    )
    const wrong = await report(test, id, ada, 'online')
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, '/state'])
    assert.deepEqual(await present(test, id), [])
  })

  test('is stored nowhere, also with an Idempotency-Key', async () => {
    const { test } = await api.world()
    const [{ id }, ada] = await Promise.all([conversation(test), operator(test)])
    const feed = async () => succeeded(await test.get('/v1/events?limit=100')).data.length
    const before = await feed()
    const headers = { 'backline-operator': ada, 'idempotency-key': 'presence' }
    for (const state of ['viewing', 'away']) succeeded(await test.put(pathOf(id), { state }, headers))
    assert.equal(await feed(), before)
    const keys = sql`select count(*) from idempotency_keys where key = 'presence'`
    assert.deepEqual(await api.db.rows(keys), [{ count: 0 }])
    assert.equal(succeeded(await test.get(`/v1/conversations/${id}`)).version, 1)
  })

  test('in a flood is passed on once, and its end once', async () => {
    const { test } = await api.world()
    const other = await api.another()
    const [{ id }, ada] = await Promise.all([conversation(test), operator(test)])
    const messages = await follow(other.url, test.key)
    const flood = (...states: string[]) =>
      Promise.all(Array.from({ length: 100 }, (_, i) => report(test, id, ada, states[i % states.length])))
    const beganMs = performance.now()
    await flood('viewing', 'replying')
    await flood('away')
    await until('the end arrives', async () => seen(messages).at(-1)?.state === 'away')
    const seconds = 1 + Math.ceil((performance.now() - beganMs) / 1000)
    const { length } = seen(messages).filter(({ state }) => state !== 'away')
    assert.ok(length >= 1 && length <= seconds, `${length} in ${seconds} s`)
    assert.equal(seen(messages).length, length + 1)
    await other.stop()
  })
})
