import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { after, describe, test } from 'node:test'
import { act, type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { uuidOf } from '../../../platform/kernel/ids.ts'

const api = service()
const open: AbortController[] = []
after(() => {
  for (const each of open) each.abort()
})

/** A connected reader of the stream. */
async function follow(client: Client, query = '', headers: Record<string, string> = {}) {
  const controller = new AbortController()
  open.push(controller)
  const response = await fetch(`${api.url}/v1/events/stream?${query}`, {
    headers: { authorization: `Bearer ${client.key}`, ...headers },
    signal: controller.signal,
  })
  assert.equal(response.status, 200)
  const reader = {
    messages: [] as EventSourceMessage[],
    lastId: '',
    comments: 0,
    ended: false,
    close: () => controller.abort(),
  }
  const parser = createParser({
    onEvent: (message) => reader.messages.push(message),
    onComment: () => {
      reader.comments++
    },
  })
  const reading = async () => {
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      for (const [, id] of text.matchAll(/^id: (.*)$/gm)) reader.lastId = id!
      parser.feed(text)
    }
  }
  reading()
    .catch(() => undefined)
    .finally(() => {
      reader.ended = true
    })
  await until('it is connected', async () => reader.comments > 0)
  return reader
}

const eventsOf = ({ messages }: { messages: EventSourceMessage[] }): Body[] =>
  messages.map(({ data }) => JSON.parse(data))

describe('the stream', () => {
  test('sends what happens from now on, as the feed shows it, with cursors of the feed', async () => {
    const { test } = await api.world()
    await conversation(test)
    const reader = await follow(test)
    const { id } = await conversation(test)
    await act(test, id, 'resolve')
    await until('both arrive', async () => reader.messages.length === 2)
    const { data } = (await test.get('/v1/events?limit=100')).body
    assert.deepEqual(eventsOf(reader), data.slice(-2))
    const rest = await test.get(`/v1/events?cursor=${reader.messages[0]!.id}`)
    assert.deepEqual(rest.body.data, data.slice(-1))
  })

  test('goes on after Last-Event-ID, or after the cursor of a page of the feed, and misses nothing', async () => {
    const { test } = await api.world()
    await conversation(test) // creates the end user
    const { resume_cursor: cursor } = (await test.get('/v1/events?limit=100')).body
    const ids = []
    for (let i = 0; i < 5; i++) ids.push((await conversation(test)).id)
    const resources = (reader: { messages: EventSourceMessage[] }) =>
      eventsOf(reader).map(({ resource }) => resource.id)
    const first = await follow(test, `cursor=${cursor}`)
    await until('all arrive', async () => first.messages.length === 5)
    assert.deepEqual(resources(first), ids)
    const second = await follow(test, `cursor=${cursor}`, { 'last-event-id': first.messages[2]!.id! })
    ids.push((await conversation(test)).id)
    await until('the rest arrives', async () => second.messages.length === 3)
    assert.deepEqual(resources(second), ids.slice(3))
  })

  test('an id without data at the beginning: whoever is cut off before the first event loses nothing', async () => {
    const { test } = await api.world()
    await conversation(test) // creates the end user
    const reader = await follow(test)
    reader.close()
    const { id } = await conversation(test)
    const again = await follow(test, '', { 'last-event-id': reader.lastId })
    await until('it arrives', async () => again.messages.length === 1)
    assert.equal(eventsOf(again)[0]!.resource.id, id)
  })

  test('filters as the feed does', async () => {
    const { test } = await api.world()
    const ofTypes = await follow(test, 'types=message.*')
    const { id } = await conversation(test)
    const one = await follow(test, `resource_id=${id}`)
    await say(test, id, 'end_user')
    await act(test, id, 'resolve')
    await until('they arrive', async () => ofTypes.messages.length === 1 && one.messages.length >= 1)
    assert.deepEqual(
      [eventsOf(ofTypes)[0]!.type, eventsOf(one).at(-1)!.type],
      ['message.created', 'conversation.resolved'],
    )
  })

  test('limited to a conversation, sends its events and those of its messages, from a cursor of the feed', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const { resume_cursor: cursor } = (await test.get('/v1/events?types=tag.*')).body
    const reader = await follow(test, `conversation_id=${id}&cursor=${cursor}`)
    await conversation(test)
    await say(test, id, 'end_user')
    await act(test, id, 'resolve')
    await until('they arrive', async () => reader.messages.length >= 2)
    assert.deepEqual(
      eventsOf(reader).map(({ type }) => type),
      ['message.created', 'conversation.resolved'],
    )
  })

  test('many readers at different places each see every event once, in one order', async () => {
    const { test } = await api.world()
    const { resume_cursor: cursor } = (await test.get('/v1/events?limit=100')).body
    const readers: Awaited<ReturnType<typeof follow>>[] = []
    for (let i = 0; i < 60; i++) {
      await conversation(test)
      if (i % 6 === 0) readers.push(await follow(test, `cursor=${cursor}`))
    }
    await Promise.all(Array.from({ length: 20 }, () => conversation(test)))
    await until('all arrive', async () => readers.every(({ messages }) => messages.length >= 80))
    const { data } = (await test.get(`/v1/events?limit=100&cursor=${cursor}`)).body
    for (const reader of readers) assert.deepEqual(eventsOf(reader), data)
  })

  test('a reader that pauses while more comes than fits into any buffer misses nothing', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
    socket.write(
      `GET /v1/events/stream?types=message.created HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${test.key}\r\n\r\n`,
    )
    const seen: string[] = []
    let isConnected = false
    createInterface(socket).on('line', (line) => {
      if (line.includes(': connected')) isConnected = true
      const [, id] = /"resource":\{"type":"message","id":"(msg_\w+)"/.exec(line) ?? []
      if (id) seen.push(id)
    })
    await until('it is connected', () => isConnected)
    socket.pause()
    const said: string[] = []
    for (let i = 0; i < 200; i++)
      said.push((await say(test, id, 'operator', { body: 'x'.repeat(60_000) })).id)
    socket.resume()
    await until('all have come', () => seen.length >= said.length)
    assert.deepEqual(seen, said)
    socket.destroy()
  })

  test('ends within a second or two when its key is revoked', async () => {
    const world = await api.world()
    const client = await world.withScopes('events:read')
    const reader = await follow(client)
    const keys = succeeded(await world.test.get('/v1/api_keys?limit=100')).data
    const key = keys.find(({ scopes }: Body) => scopes.includes('events:read'))
    assert.ok(uuidOf('key', key.id))
    assert.equal((await world.test.delete(`/v1/api_keys/${key.id}`)).status, 204)
    await until('it has ended', async () => reader.ended)
  })

  test('refuses as every route does, before it begins', async () => {
    const { test, live } = await api.world()
    const { resume_cursor: cursor } = (await live.get('/v1/events')).body
    const refusal = async (query: string, headers = {}) =>
      (await test.get(`/v1/events/stream?${query}`, headers)).body.code
    assert.equal(await refusal('types=nonsense'), 'invalid_query')
    assert.equal(await refusal('cursor=nonsense'), 'cursor_invalid')
    assert.equal(await refusal(`cursor=${cursor}`), 'cursor_mismatch')
    assert.equal(await refusal('', { 'last-event-id': 'nonsense' }), 'cursor_invalid')
    assert.equal(await refusal('', { authorization: 'Bearer x' }), 'api_key_invalid')
  })
})
