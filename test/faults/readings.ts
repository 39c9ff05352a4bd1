import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { pause } from '@backline/server/platform/kernel/pause.ts'
import { clientOf } from '../harness.ts'
import { endpoint, hookReceiver } from '../hooks.ts'
import { send } from '../load.ts'
import { until } from '../processes.ts'

/* Readers of the journal while the server is killed: a client that follows the feed by its cursor, and webhooks. */

export type FeedEvent = {
  id: string
  type: string
  created_at: string
  data: { object: Record<string, unknown> }
}

export type Follower = {
  events: FeedEvent[]
  /** The server's port may have changed. */
  url: string
  stop(): Promise<void>
}

const pauseMs = 50

/** Follows the feed by its cursor, and retries if there is no response. */
export function followFeed(url: string, apiKey: string): Follower {
  let isOver = false
  let cursor = ''
  const self: Follower = {
    events: [],
    url,
    stop: () => {
      isOver = true
      return running
    },
  }

  /** Returns true if there is more. */
  async function readPage(): Promise<boolean> {
    const { status, text } = await send(self.url, apiKey, 'GET', `/v1/events?limit=100${cursor}`)
    if (status === 503) return false
    assert.equal(status, 200, text)
    const page = JSON.parse(text)
    self.events.push(...page.data)
    cursor = `&cursor=${page.resume_cursor}`
    return page.has_more
  }

  const running = (async () => {
    while (!isOver) {
      const hasMore = await readPage().catch((error) => {
        if (error instanceof assert.AssertionError) throw error
        return false // no response: the server is being killed
      })
      if (!hasMore) await sleep(pauseMs)
    }
  })()
  running.catch(() => undefined) // `stop` rejects with it
  return self
}

/** Follows the stream, and resumes it by `Last-Event-ID` when it ends. */
export function followStream(url: string, apiKey: string): Follower & { connections: number } {
  const closing = new AbortController()
  let lastId = ''
  const self = {
    events: [] as FeedEvent[],
    url,
    connections: 0,
    stop: () => {
      closing.abort()
      return running
    },
  }

  async function readOn(): Promise<void> {
    const headers = { authorization: `Bearer ${apiKey}`, ...(lastId && { 'last-event-id': lastId }) }
    const response = await fetch(`${self.url}/v1/events/stream`, { headers, signal: closing.signal })
    if (response.status !== 503) assert.equal(response.status, 200)
    if (response.status !== 200) return void (await response.body?.cancel())
    self.connections++
    let rest = ''
    let data = ''
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n')
      rest = lines.pop()!
      for (const line of lines) {
        if (line.startsWith('id: ')) lastId = line.slice(4)
        if (line.startsWith('data: ')) data = line.slice(6)
        if (line !== '' || data === '') continue
        self.events.push(JSON.parse(data))
        data = ''
      }
    }
  }

  const running = (async () => {
    while (!closing.signal.aborted) {
      await readOn().catch((error) => {
        if (error instanceof assert.AssertionError) throw error
      })
      await pause(pauseMs, closing.signal)
    }
  })()
  running.catch(() => undefined) // `stop` rejects with it
  return self
}

/** Returns all current events from the first on. */
export async function wholeFeed(url: string, apiKey: string): Promise<FeedEvent[]> {
  const events: FeedEvent[] = []
  for (let cursor = '', hasMore = true; hasMore; ) {
    const { status, text } = await send(url, apiKey, 'GET', `/v1/events?limit=100${cursor}`)
    assert.equal(status, 200, text)
    const page = JSON.parse(text)
    events.push(...page.data)
    cursor = `&cursor=${page.resume_cursor}`
    hasMore = page.has_more
  }
  return events
}

/** Asserts that a follower has received every event once, in the order of the feed. */
export async function assertFollowed(follower: Follower, apiKey: string): Promise<FeedEvent[]> {
  const events = await until('the feed is still', async () => {
    const before = (await wholeFeed(follower.url, apiKey)).length
    await sleep(2 * pauseMs)
    const now = await wholeFeed(follower.url, apiKey)
    return now.length === before && follower.events.length >= before && now
  })
  await follower.stop()
  const ids = events.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length, 'an event is there twice')
  assert.deepEqual(
    follower.events.map(({ id }) => id),
    ids,
    'the follower has seen something else',
  )
  return events
}

/** Asserts that the events of the messages of each conversation are in the order of their sequences. */
export function assertOrdered(events: FeedEvent[]): void {
  const last = new Map<unknown, number>()
  for (const { type, data } of events) {
    if (type !== 'message.created') continue
    const { conversation_id, sequence } = data.object
    assert.equal(sequence, (last.get(conversation_id) ?? 0) + 1, `events of ${conversation_id}`)
    last.set(conversation_id, sequence as number)
  }
}

/** Creates an endpoint for created objects; returns the ids of received events. */
export async function receiveCreated(url: string, apiKey: string): Promise<Set<string>> {
  const ids = new Set<string>()
  const receiver = await hookReceiver(({ event }, outgoing) => {
    ids.add(event.id)
    receiver.hooks.length = 0 // only the ids count, and there will be many
    outgoing.writeHead(204).end()
  })
  const enabled_events = ['conversation.created', 'message.created']
  await endpoint(clientOf(url, apiKey), receiver.url, { enabled_events })
  return ids
}

const deliveryPatienceMs = 120_000

export const assertDelivered = (events: FeedEvent[], received: Set<string>) =>
  until(
    'all webhooks have come',
    () => events.every(({ id, type }) => !type.endsWith('.created') || isOther(type) || received.has(id)),
    deliveryPatienceMs,
  )

const isOther = (type: string) => !/^(conversation|message)\./.test(type)
