import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from './random.ts'

/*
 * Clients that write without pause and note what they were told, so that it can be compared with what is there
 * after something went wrong.
 */

/** No request may take longer, whatever happens to the database: a client would otherwise wait in vain. */
const patienceMs = 15_000

/** What a client was told about a write. */
export type Acknowledgement = {
  body: string
  location: string | null
  etag: string | null
  requestId: string
}

/** One thing that a client wants done, under a key of its own. */
export type Write = {
  key: string
  path: string
  body: Record<string, unknown>
  /** Text that is found in what this write makes and nowhere else. */
  mark: string
  kind: 'conversation' | 'conversation with message' | 'message'
  /** When it was first sent, and when it was first answered with success; both by `performance.now()`. */
  sentAt: number | null
  answeredAt: number | null
  acknowledged: Acknowledgement | null
}

export type Reply = { status: number; headers: Headers; text: string; tookMs: number }

/** Sends a write under its key. @throws when there is no answer */
export async function attempt(url: string, apiKey: string, write: Write): Promise<Reply> {
  write.sentAt ??= performance.now()
  const reply = await send(url, apiKey, 'POST', write.path, write)
  if (reply.status === 201) write.answeredAt ??= performance.now()
  return reply
}

/** All items of a list. */
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

/** @throws when there is no answer */
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
  /** All that was ever tried, in the order of the first attempts. */
  writes: Write[]
  /** Answers other than success. */
  refusals: Reply[]
  /** The longest time that an answer took. */
  longestMs: number
  /** No new requests; resolves when those that run are over. */
  stop(): Promise<void>
}

type LoadOptions = {
  url: string
  apiKey: string
  /** Makes keys and marks unique. */
  name: string
  clients: number
  /** Conversations that several clients write to at once. */
  shared: string[]
  /** What to do when there is no answer: the client ends, or the load fails. */
  onSilence: 'end' | 'fail'
  /** Told of each success at once. */
  onAcknowledged?: (write: Write) => void
}

/** Starts clients, each of which repeats a write until it is accepted and then goes on to the next. */
export function startLoad(options: LoadOptions): Load {
  const { url, apiKey, name, clients, shared, onSilence } = options
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
      if (write.kind !== 'message' && write.acknowledged) own.push(JSON.parse(write.acknowledged.body).id)
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
  running.catch(() => undefined) // whoever stops the load is told
  return load
}

/** Every second write has no external id, so that nothing but the key keeps it from being done twice. */
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
