import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from './random.ts'

/*
 * Clients that write without pause and record responses. Tests compare these with the stored data after a failure.
 */

/** The maximum duration of a request, in any state of the database: its time limits, and a margin. */
const patienceMs = 120_000

/** The response to a successful write. */
export type Acknowledgement = {
  body: string
  location: string | null
  etag: string | null
  requestId: string
}

/** One write, with its own key. */
export type Write = {
  key: string
  path: string
  body: Record<string, unknown>
  /** A text that occurs only in the objects of this write. */
  mark: string
  kind: 'conversation' | 'conversation with message' | 'message'
  /** The times of the first attempt and of the first success, both by `performance.now()`. */
  sentAt: number | null
  answeredAt: number | null
  acknowledged: Acknowledgement | null
}

export type Reply = { status: number; headers: Headers; text: string; tookMs: number }

/** Sends a write under its key. @throws if there is no response */
export async function attempt(url: string, apiKey: string, write: Write): Promise<Reply> {
  write.sentAt ??= performance.now()
  const reply = await send(url, apiKey, 'POST', write.path, write)
  if (reply.status === 201) write.answeredAt ??= performance.now()
  return reply
}

/** Returns all items of a list. */
export async function walk(url: string, apiKey: string, path: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const search = `limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`
    const { status, text } = await send(
      url,
      apiKey,
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}${search}`,
    )
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    const page = JSON.parse(text)
    items.push(...page.data)
    cursor = page.next_cursor
  }
  return items
}

/** @throws if there is no response */
export async function send(
  url: string,
  apiKey: string,
  method: string,
  path: string,
  write?: Pick<Write, 'key' | 'body'>,
): Promise<Reply> {
  const startedAt = performance.now()
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(write ? { 'idempotency-key': write.key, 'content-type': 'application/json' } : {}),
    },
    body: write ? JSON.stringify(write.body) : null,
    signal: AbortSignal.timeout(patienceMs),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, tookMs: performance.now() - startedAt }
}

export const acknowledgement = ({ text, headers }: Reply): Acknowledgement => ({
  body: text,
  location: headers.get('location'),
  etag: headers.get('etag'),
  requestId: headers.get('original-request-id') ?? headers.get('request-id')!,
})

export type Load = {
  /** All writes, in the order of their first attempts. */
  writes: Write[]
  /** Responses other than success. */
  refusals: Reply[]
  /** The longest response time. */
  longestMs: number
  /** Starts no new requests; resolves after those in progress. */
  stop(): Promise<void>
}

type LoadOptions = {
  url: string
  apiKey: string
  /** A prefix that makes keys and marks unique. */
  name: string
  clients: number
  /** Conversations that several clients write to at once. */
  shared: string[]
  /** The reaction to a missing response: the client ends, or the load fails. */
  onSilence: 'end' | 'fail'
  /** True if clients also write to conversations of their own; true by default. */
  writesToOwn?: boolean
  /** Called after each success. */
  onAcknowledged?: (write: Write) => void
}

/** Starts clients. Each repeats a write until it succeeds, then continues with the next. */
export function startLoad(options: LoadOptions): Load {
  const { url, apiKey, name, clients, shared, onSilence, writesToOwn = true } = options
  let isOver = false
  const load: Load = {
    writes: [],
    refusals: [],
    longestMs: 0,
    stop: async () => {
      isOver = true
      await running
    },
  }

  async function work(client: number): Promise<void> {
    const random = new Random(`${name}/${client}`)
    const own: string[] = []
    for (let count = 0; !isOver; count++) {
      const write = newWrite(`${name}-${client}-${count}`, random, [...shared, ...own.slice(-2)])
      load.writes.push(write)
      while (!isOver && !write.acknowledged) {
        try {
          await tryOnce(write)
        } catch (error) {
          if (onSilence === 'fail') throw error
          return
        }
      }
      if (writesToOwn && write.kind !== 'message' && write.acknowledged)
        own.push(JSON.parse(write.acknowledged.body).id)
    }
  }

  async function tryOnce(write: Write): Promise<void> {
    const reply = await attempt(url, apiKey, write)
    load.longestMs = Math.max(load.longestMs, reply.tookMs)
    if (reply.status === 201) {
      write.acknowledged = acknowledgement(reply)
      options.onAcknowledged?.(write)
    } else {
      load.refusals.push(reply)
      await sleep(20)
    }
  }

  const running = Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
  running.catch(() => undefined) // `stop` rejects with it
  return load
}

/** Every second write has no external id, so that only the key prevents a duplicate. */
function newWrite(mark: string, random: Random, conversations: string[]): Write {
  const externalId = random.chance(0.5) ? { external_id: mark } : {}
  const common = { key: `key ${mark}`, mark, sentAt: null, answeredAt: null, acknowledged: null }
  if (conversations.length > 0 && random.chance(0.6)) {
    const path = `/v1/conversations/${random.pick(conversations)}/messages`
    const author_side = random.pick(['end_user', 'operator', 'system'])
    return { ...common, kind: 'message', path, body: { author_side, body: mark, ...externalId } }
  }
  const path = '/v1/conversations'
  const body = { external_user_id: mark, ...externalId }
  return random.chance(0.4)
    ? { ...common, kind: 'conversation with message', path, body: { ...body, message: { body: mark } } }
    : { ...common, kind: 'conversation', path, body }
}
