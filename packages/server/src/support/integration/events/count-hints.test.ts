import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { createParser } from 'eventsource-parser'
import { liveEvents } from './live.ts'

const api = service({})
const open: AbortController[] = []
after(() => {
  for (const each of open) each.abort()
})

type Received = { atMs: number; event: string | undefined; id: string | undefined; data: Body }

/** A connected reader of the stream of a server. */
async function follow(url: string, { key }: Client, query = 'ephemeral=true') {
  const controller = new AbortController()
  open.push(controller)
  const response = await fetch(`${url}/v1/events/stream?${query}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: controller.signal,
  })
  assert.equal(response.status, 200)
  const messages: Received[] = []
  let isConnected = false
  const parser = createParser({
    onEvent: ({ event, id, data }) =>
      messages.push({ atMs: performance.now(), event, id, data: JSON.parse(data) }),
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

const hintsOf = (messages: Received[]) => messages.filter(({ event }) => event === 'view_counts')
const countOpen = async (client: Client): Promise<Body> =>
  succeeded(
    await client.get(
      `/v1/views/counts?filters=${encodeURIComponent('{"open":{"field":"status","op":"in","value":["new","open"]}}')}`,
    ),
  )

describe('view_counts on the stream', () => {
  test('follows a change of a conversation or an end user, in every process, with its place', async () => {
    const { test: client } = await api.world()
    const other = await api.another()
    const { id } = await conversation(client)
    const changes = [
      () => say(client, id, 'end_user'),
      async () => succeeded(await client.post('/v1/end_users', { name: 'Anna' })),
      () => conversation(client),
    ]
    for (const change of changes) {
      const readers = [await follow(api.url, client), await follow(other.url, client)]
      await change()
      for (const messages of readers) {
        await until('the hint arrives', async () => hintsOf(messages).length === 1)
        const [{ id, data }] = hintsOf(messages) as [Received]
        assert.equal(id, undefined)
        assert.deepEqual(Object.keys(data), ['as_of'])
        const { at, feed_cursor } = data.as_of
        const events = messages.filter(({ event }) => event === undefined)
        assert.ok(events.some(({ data, id }) => data.created_at === at && id === feed_cursor))
      }
    }
    await other.stop()
  })

  test('comes at most once in two seconds, and always after the last change', async () => {
    const { test: client } = await api.world()
    const messages = await follow(api.url, client)
    const untilMs = performance.now() + 4_500
    let made = 0
    while (performance.now() < untilMs) {
      await conversation(client)
      made++
      await sleep(20)
    }
    const { as_of } = await countOpen(client)
    await until('a hint has the last change', async () => {
      const last = hintsOf(messages).at(-1)!.data.as_of
      const { data } = succeeded(
        await client.get(`/v1/events?types=conversation.*&cursor=${last.feed_cursor}`),
      )
      return data.length === 0
    })
    assert.ok(hintsOf(messages).at(-1)!.data.as_of.at <= as_of.at)
    const times = hintsOf(messages).map(({ atMs }) => atMs)
    assert.ok(made > times.length && times.length <= 4, `${times.length} hints after ${made} changes`)
    for (const [i, atMs] of times.slice(1).entries())
      assert.ok(atMs - times[i]! > 1_900, `${atMs - times[i]!} ms apart`)
  })

  test('is for requests that may read views and ask for what is not stored, whatever types they name', async () => {
    const { test: client, live, withScopes } = await api.world()
    const unscoped = await withScopes('events:read', 'conversations:read')
    const told = await follow(api.url, client, 'ephemeral=true&types=tag.created')
    const others = [
      await follow(api.url, unscoped),
      await follow(api.url, client, ''),
      await follow(api.url, client, 'ephemeral=false'),
      await follow(api.url, live),
    ]
    succeeded(await client.post('/v1/tags', { name: 'vip' })) // changes no count
    await until('the event arrives', async () => told.length === 1)
    assert.deepEqual(hintsOf(told), [])
    await conversation(client)
    await conversation(live)
    await until('the hint arrives', async () => hintsOf(told).length === 1)
    for (const messages of others) await until('the event arrives', async () => messages.length > 0)
    await sleep(50)
    assert.deepEqual(
      others.map((messages) => hintsOf(messages).length),
      [0, 0, 0, 1],
    )
  })

  test('on a stream about one conversation tells of changes there', async () => {
    const { test: client } = await api.world()
    const [one, other] = [await conversation(client), await conversation(client)]
    const messages = await follow(api.url, client, `ephemeral=true&conversation_id=${one.id}`)
    await say(client, other.id, 'end_user')
    await say(client, one.id, 'end_user')
    await until('the hint arrives', async () => hintsOf(messages).length === 1)
    assert.equal(messages.filter(({ event }) => event === undefined).length > 0, true)
  })

  test('is not lost on a reader that is slow', async () => {
    const { environments, test: client } = await api.world()
    const ctx = api.context(environments.test)
    let isSlow = false
    const texts: string[] = []
    const everything = { types: [], streamId: null, resourceId: null, reader: null }
    const reader = { send: (text: string) => texts.push(text) > 0 && !isSlow, end: () => undefined }
    const principal = { ...ctx.principal, allows: () => true }
    const from = { after: null, cursorAt: String }
    const live = await liveEvents({ ...ctx, principal }, everything, from, reader, true)
    live.start()
    isSlow = true
    ctx.services.ephemeral.send({
      ...{ tenantId: environments.test.tenantId, streamId: environments.test.tenantId },
      ...{ name: 'example', data: '{}' },
    })
    assert.equal(texts.at(-1), 'event: example\ndata: {}\n\n')
    await conversation(client)
    const other = await follow(api.url, client)
    await conversation(client)
    await until('others have it', async () => hintsOf(other).length === 1)
    const isHint = (text: string) => text.startsWith('event: view_counts')
    assert.ok(!texts.some(isHint))
    isSlow = false
    live.resume()
    await until('the hint arrives', async () => texts.some(isHint))
    live.close()
  })
})
