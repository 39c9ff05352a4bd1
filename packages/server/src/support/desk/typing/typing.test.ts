import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Body, conversation, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { sql } from '../../../platform/postgres/sql.ts'
import { liveEvents } from '../../integration/events/live.ts'

const api = service({})
const open: AbortController[] = []
after(() => {
  for (const each of open) each.abort()
})

/** A connected reader of the stream of a server. */
async function follow(url: string, client: Client, query = 'ephemeral=true') {
  const controller = new AbortController()
  open.push(controller)
  const response = await fetch(`${url}/v1/events/stream?${query}`, {
    headers: { authorization: `Bearer ${client.key}` },
    signal: controller.signal,
  })
  assert.equal(response.status, 200)
  const reader = { messages: [] as EventSourceMessage[], text: '' }
  const parser = createParser({ onEvent: (message) => reader.messages.push(message) })
  const reading = async () => {
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      reader.text += text
      parser.feed(text)
    }
  }
  reading().catch(() => undefined)
  await until('it is connected', async () => reader.text.includes('connected'))
  return reader
}

type Reader = { messages: EventSourceMessage[] }
const typingOf = ({ messages }: Reader): Body[] =>
  messages.flatMap(({ event, data }) => (event === 'typing' ? [JSON.parse(data)] : []))
const type = (client: Client, id: string, typing = true, side = 'operator') =>
  client.put(`/v1/conversations/${id}/typing`, { side, typing })

describe('typing', () => {
  test('reaches the streams that ask for it, in every process, without an id', async () => {
    const { test } = await api.world()
    const other = await api.another()
    const { id } = await conversation(test)
    const readers = [await follow(api.url, test), await follow(other.url, test)]
    const plain = await follow(api.url, test, '')
    const beganMs = Date.now()
    const answer = await type(test, id)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    for (const reader of readers) {
      await until('it arrives', async () => typingOf(reader).length === 1)
      const [message] = reader.messages
      assert.ok(message!.id === undefined && message!.event === 'typing')
      const [{ expires_at, ...rest }] = typingOf(reader)
      assert.deepEqual(rest, { conversation_id: id, side: 'operator', typing: true })
      const sinceMs = Date.parse(expires_at) - 8_000
      assert.ok(sinceMs >= beganMs && sinceMs <= Date.now(), expires_at)
    }
    await type(other.client(test.key), id, false)
    for (const reader of readers) await until('its end arrives', async () => typingOf(reader).length === 2)
    const { id: later } = await conversation(test)
    await until('an event arrives', async () => plain.messages.length > 0)
    assert.deepEqual(
      plain.messages.map(({ data }) => JSON.parse(data).resource.id),
      [later],
    )
    await other.stop()
  })

  test('that began before a stream was connected reaches it when it is repeated', async () => {
    const { test } = await api.world()
    const other = await api.another()
    const { id } = await conversation(test)
    const early = await follow(api.url, test)
    await type(test, id)
    const late = [await follow(api.url, test), await follow(other.url, test)]
    const ends = () => typingOf(early).map(({ expires_at }) => Date.parse(expires_at))
    const isRepeatedInTime = () => ends().some((end, i) => i > 0 && end - ends()[i - 1]! < 8_000)
    await until('a repetition arrives before the end of what it repeats', async () => {
      await type(test, id)
      return isRepeatedInTime() && late.every((reader) => typingOf(reader).length > 0)
    })
    for (const reader of late) assert.equal(typingOf(reader)[0]!.typing, true)
    await other.stop()
  })

  test('of a conversation or environment that a stream is not about does not reach it', async () => {
    const { test, live } = await api.world()
    const [one, other] = [(await conversation(test)).id, (await conversation(test)).id]
    const reader = await follow(api.url, test, `ephemeral=true&conversation_id=${one}&types=message.created`)
    const elsewhere = await follow(api.url, live)
    for (const id of [other, one]) assert.equal((await type(test, id)).status, 204)
    await until('it arrives', async () => typingOf(reader).length > 0)
    assert.deepEqual(
      typingOf(reader).map(({ conversation_id }) => conversation_id),
      [one],
    )
    assert.deepEqual(elsewhere.messages, [])
  })

  test('is refused for unknown conversations, for other environments, and for wrong bodies', async () => {
    const { test, live, withScopes } = await api.world()
    const { id } = await conversation(test)
    assert.equal((await type(live, id)).status, 404)
    assert.equal((await type(test, 'conv_00000000000000000000000000')).status, 404)
    assert.equal((await type(await withScopes('conversations:read'), id)).body.code, 'scope_missing')
    const wrong = await test.put(`/v1/conversations/${id}/typing`, { side: 'system' })
    assert.deepEqual(
      wrong.body.errors.map(({ pointer }: Body) => pointer),
      ['/typing', '/side'].toSorted((a, b) => (a < b ? 1 : -1)),
    )
  })

  test('is stored nowhere, also with an Idempotency-Key', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const feed = async () => succeeded(await test.get('/v1/events?limit=100')).data.length
    const before = await feed()
    const written = async () => {
      const [row] = await api.db.rows<{ count: number }>(
        sql`select count(*) from idempotency_keys where key = 'typing'`,
      )
      return row!.count
    }
    const headers = { 'idempotency-key': 'typing' }
    for (const typing of [true, false])
      succeeded(await test.put(`/v1/conversations/${id}/typing`, { side: 'end_user', typing }, headers))
    assert.equal(await feed(), before)
    assert.equal(await written(), 0)
    assert.equal(succeeded(await test.get(`/v1/conversations/${id}`)).version, 1)
  })

  test('is dropped for a reader that has not read what was sent, and reaches it again afterwards', async () => {
    const { environments } = await api.world()
    const ctx = api.context(environments.test)
    const sent: string[] = []
    let isSlow = false
    const reader = {
      send: (text: string) => {
        sent.push(text)
        return !isSlow
      },
      end: () => undefined,
    }
    const filter = { types: null, reader: null, streamId: null, resourceId: null }
    const stream = await liveEvents(ctx, filter, { after: null, cursorAt: () => 'cursor' }, reader, true)
    const { tenantId } = environments.test
    const say = (data: string) =>
      ctx.services.ephemeral.send({ tenantId, streamId: tenantId, name: 'example', data })
    say('before the start')
    stream.start()
    isSlow = true
    for (const data of ['1', '2', '3']) say(data)
    isSlow = false
    stream.resume()
    say('4')
    stream.close()
    say('5')
    assert.deepEqual(sent.slice(1), ['event: example\ndata: 1\n\n', 'event: example\ndata: 4\n\n'])
  })

  test('in a flood is passed on once, and its end once; other events arrive meanwhile', async () => {
    const { test } = await api.world()
    const other = await api.another()
    const { id } = await conversation(test)
    const reader = await follow(other.url, test)
    const flood = (typing: boolean) => Promise.all(Array.from({ length: 100 }, () => type(test, id, typing)))
    const beganMs = performance.now()
    await Promise.all([flood(true), conversation(test)])
    await flood(false)
    const last = () => typingOf(reader).at(-1)
    await until('all arrive', () => reader.messages.length >= 3 && last()?.typing === false)
    const seconds = 1 + Math.floor((performance.now() - beganMs) / 1000)
    const { length } = typingOf(reader).filter(({ typing }) => typing)
    assert.ok(length >= 1 && length <= seconds, `${length} in ${seconds} s`)
    await other.stop()
  })
})
