import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { act, type Body, operator, say, succeeded } from '@backline/test/desk.ts'
import {
  conversationsPath,
  join,
  messagesOf,
  mine,
  sessionOf,
  someone,
  start,
  write,
} from '@backline/test/end-users.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { createParser, type EventSourceMessage } from 'eventsource-parser'

const api = service()
let world: World
const open: AbortController[] = []
after(() => {
  for (const each of open) each.abort()
})

type Follower = { messages: EventSourceMessage[]; lastId: string; ended: boolean; close(): void }

async function follow(client: Client, lastEventId?: string, url = api.url): Promise<Follower> {
  const controller = new AbortController()
  open.push(controller)
  const response = await fetch(`${url}/v1/me/stream`, {
    headers: {
      authorization: `Bearer ${client.key}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: controller.signal,
  })
  assert.equal(response.status, 200)
  let isConnected = false
  const reader: Follower = { messages: [], lastId: '', ended: false, close: () => controller.abort() }
  const parser = createParser({
    onEvent: (message) => reader.messages.push(message),
    onComment: () => {
      isConnected = true
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
  await until('it is connected', async () => isConnected)
  return reader
}

const types = ({ messages }: Follower) => messages.map(({ event }) => event)
const dataOf = ({ messages }: Follower): Body[] => messages.map(({ data }) => JSON.parse(data))
const bodies = (reader: Follower) =>
  dataOf(reader)
    .filter(({ object }) => object === 'message')
    .map(({ body }) => body)
const arrive = (reader: Follower, count: number) =>
  until(`${count} arrive`, async () => reader.messages.length >= count)

describe('the stream of an end user', () => {
  before(async () => {
    world = await api.world()
  })

  test('sends messages and conversations as the lists show them, to each as that person sees them', async () => {
    const [grace, ada] = [await someone(api, world, { name: 'Grace' }), await someone(api, world)]
    const { id } = await start(grace)
    await join(world, id, ada)
    const [ofGrace, ofAda] = [await follow(grace), await follow(ada)]
    await write(grace, id)
    const name = 'Katherine'
    await act(world.test, id, 'assign', { assignee_id: await operator(world.test, { name }) })
    for (const [client, reader] of [
      [grace, ofGrace],
      [ada, ofAda],
    ] as const) {
      await arrive(reader, 2)
      assert.deepEqual(types(reader), ['message.created', 'conversation.updated'])
      const [message, conversation] = dataOf(reader)
      assert.deepEqual(message, (await messagesOf(client, id)).at(-1))
      assert.deepEqual(conversation, await mine(client, id))
    }
    assert.deepEqual(dataOf(ofAda)[0].author, { side: 'participant', name: 'Grace' })
    assert.deepEqual(dataOf(ofAda)[1].assignee, { name })
  })

  test('sends edits and redactions, and nothing of notes, tags, holds and metadata', async () => {
    const grace = await someone(api, world)
    const { id } = await start(grace)
    const reader = await follow(grace)
    const note = await say(world.test, id, 'operator', { visibility: 'internal', body: 'Note' })
    succeeded(await world.test.patch(`/v1/messages/${note.id}`, { body: 'Another note' }))
    succeeded(await world.test.put(`/v1/conversations/${id}/tags`, { tags: ['internal'] }))
    succeeded(await world.test.patch(`/v1/conversations/${id}`, { metadata: { a: 'b' }, priority: 'urgent' }))
    const message = await say(world.test, id, 'operator', { body: 'One' })
    succeeded(await world.test.patch(`/v1/messages/${message.id}`, { metadata: { a: 'b' } }))
    succeeded(await world.test.post(`/v1/conversations/${id}/read`, { side: 'operator' }))
    await arrive(reader, 2)
    succeeded(await world.test.patch(`/v1/messages/${message.id}`, { body: 'Two' }))
    await arrive(reader, 3)
    succeeded(await world.test.post(`/v1/messages/${message.id}/redact`))
    await arrive(reader, 4)
    assert.deepEqual(types(reader).toSorted(), [
      'conversation.updated',
      'message.created',
      'message.updated',
      'message.updated',
    ])
    assert.deepEqual(bodies(reader), ['One', 'Two', ''])
  })

  test('sends a new conversation, and one in which the end user takes part from now on, to nobody else', async () => {
    const [grace, ada, eve] = [
      await someone(api, world),
      await someone(api, world),
      await someone(api, world),
    ]
    const readers = [await follow(grace), await follow(ada), await follow(eve)]
    const { id } = await start(grace)
    await arrive(readers[0]!, 2)
    await join(world, id, ada)
    await arrive(readers[1]!, 1)
    assert.deepEqual(dataOf(readers[1]!)[0], await mine(ada, id))
    succeeded(await world.test.delete(`/v1/conversations/${id}/participants/${ada.id}`))
    await write(grace, id)
    await arrive(readers[0]!, 3)
    assert.equal(readers[1]!.messages.length, 1)
    assert.deepEqual(readers[2]!.messages, [])
  })

  test('goes on after Last-Event-ID and misses nothing, also of conversations that began meanwhile', async () => {
    const grace = await someone(api, world)
    const { id } = await start(grace)
    const first = await follow(grace)
    await write(grace, id, { body: '0' })
    await arrive(first, 1)
    first.close()
    for (let i = 1; i <= 60; i++) await write(grace, id, { body: `${i}` })
    await say(world.test, id, 'operator', { visibility: 'internal' })
    const { id: other } = await start(grace, { message: { body: '61' } })
    const second = await follow(grace, first.lastId)
    await write(grace, other, { body: '62' })
    await until('all arrive', async () => bodies(second).includes('62'))
    assert.deepEqual(
      bodies(second),
      Array.from({ length: 62 }, (_, i) => `${i + 1}`),
    )
    const third = await follow(grace, second.messages.at(-2)!.id)
    await arrive(third, 1)
    assert.deepEqual(bodies(third), ['62'])
  })

  test('an id without data at the beginning: whoever is cut off before the first event loses nothing', async () => {
    const grace = await someone(api, world)
    const { id } = await start(grace)
    const first = await follow(grace)
    first.close()
    await write(grace, id, { body: 'x' })
    const second = await follow(grace, first.lastId)
    await arrive(second, 1)
    assert.deepEqual(bodies(second), ['x'])
  })

  test('400 for the cursor of another end user, or of the feed', async () => {
    const [grace, ada] = [await someone(api, world), await someone(api, world)]
    const reader = await follow(grace)
    const { next_cursor } = succeeded(await world.test.get('/v1/events'))
    for (const cursor of [reader.lastId, next_cursor]) {
      const refused = await ada.get('/v1/me/stream', { 'last-event-id': cursor })
      assert.deepEqual([refused.status, refused.body.code], [400, 'cursor_mismatch'])
    }
  })

  test('after a merge sends what is of both, to streams of both, without a new connection', async () => {
    const [grace, ada] = [await someone(api, world, { name: 'Grace' }), await someone(api, world)]
    const [one, other] = [(await start(grace)).id, (await start(ada)).id]
    const readers = [await follow(grace), await follow(ada)]
    const merge = { into_id: grace.id, keep_alias: true }
    succeeded(await world.test.post(`/v1/end_users/${ada.id}/merge`, merge))
    await write(grace, one, { body: 'one' })
    await write(ada, other, { body: 'other' })
    for (const reader of readers) {
      await arrive(reader, 2)
      assert.deepEqual(bodies(reader).toSorted(), ['one', 'other'])
      for (const { author } of dataOf(reader)) assert.deepEqual(author, { side: 'me', name: 'Grace' })
    }
  })

  test('of a session that is bound to a conversation sends that one alone', async () => {
    const grace = await someone(api, world)
    const [one, other] = [(await start(grace)).id, (await start(grace)).id]
    const bound = await sessionOf(api, world, grace.id, { conversation_id: one })
    const reader = await follow(bound)
    const from = reader.lastId
    await write(grace, other, { body: 'other' })
    await write(grace, one, { body: 'one' })
    await arrive(reader, 1)
    const resumed = await follow(bound, from)
    await arrive(resumed, 1)
    for (const each of [reader, resumed]) assert.deepEqual(bodies(each), ['one'])
  })

  test('sends typing of others without an id, in every process', async () => {
    const [grace, ada] = [await someone(api, world), await someone(api, world)]
    const another = await api.another()
    const { id } = await start(grace)
    const readers = [await follow(grace), await follow(grace, undefined, another.url)]
    const stranger = await follow(ada)
    succeeded(await world.test.put(`/v1/conversations/${id}/typing`, { side: 'operator', typing: true }))
    succeeded(await grace.put(`${conversationsPath}/${id}/typing`, { typing: true }))
    for (const reader of readers) {
      await arrive(reader, 1)
      const [message] = reader.messages
      assert.deepEqual([message!.event, message!.id], ['typing', undefined])
      const { expires_at: _, ...rest } = dataOf(reader)[0]
      assert.deepEqual(rest, { conversation_id: id, side: 'operator', typing: true })
    }
    await write(ada, (await start(ada)).id)
    await until('events arrive', async () => stranger.messages.length > 0)
    assert.ok(!types(stranger).includes('typing'))
    await join(world, id, ada)
    await until('the conversation arrives', async () => dataOf(stranger).some((each) => each.id === id))
    succeeded(await grace.put(`${conversationsPath}/${id}/typing`, { typing: false }))
    await until('typing arrives', async () => types(stranger).includes('typing'))
    assert.partialDeepStrictEqual(dataOf(stranger).at(-1), { side: 'end_user', typing: false })
    await another.stop()
  })

  test('ends within a second or so of the revocation of its session', async () => {
    const grace = await someone(api, world)
    const session = await sessionOf(api, world, grace.id)
    const reader = await follow(session)
    const stays = await follow(grace)
    assert.equal((await world.test.delete(`/v1/end_user_sessions/${session.sessionId}`)).status, 204)
    await until('it ends', async () => reader.ended)
    assert.equal(stays.ended, false)
  })

  test('a reader that does not read keeps nobody waiting, and goes on without loss once it reads', async () => {
    const grace = await someone(api, world)
    const { id } = await start(grace)
    const { hostname, port } = new URL(api.url)
    const socket = connect(Number(port), hostname)
    const seen = new Set<string>()
    let isConnected = false
    createInterface(socket).on('line', (line) => {
      if (line.includes('connected')) isConnected = true
      const [, number] = /"body":"<(\d+)>/.exec(line) ?? []
      if (number) seen.add(number)
    })
    socket.write(`GET /v1/me/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${grace.key}\r\n\r\n`)
    await until('it is connected', () => isConnected)
    socket.pause()
    const quick = await follow(grace)
    const filler = 'x'.repeat(60_000)
    const count = 200 // more than the buffers of the connection hold
    for (let i = 0; i < count; i += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, k) =>
          say(world.test, id, 'operator', { body: `<${i + k}>${filler}` }),
        ),
      )
    await until('the other has all', () => quick.messages.length >= count && bodies(quick).length === count)
    await sleep(50)
    socket.resume()
    await until('all arrive', () => seen.size === count)
    socket.destroy()
  })

  test('sends one event to hundreds of streams of many persons, each its own', async () => {
    const people = await Promise.all(Array.from({ length: 150 }, () => someone(api, world)))
    const ids = await Promise.all(people.map(async (each) => (await start(each)).id))
    const readers = (
      await Promise.all(people.map((each) => Promise.all([follow(each), follow(each)])))
    ).flat()
    await Promise.all(people.map((each, i) => write(each, ids[i]!, { body: `of ${i}` })))
    await until('all arrive', async () => readers.every(({ messages }) => messages.length > 0), 30_000)
    for (const [i, reader] of readers.entries()) assert.deepEqual(bodies(reader), [`of ${Math.floor(i / 2)}`])
  })
})
