import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Backline, type RequestOptions } from './index.ts'

type Connection = { pieces: string[]; ending?: 'closed' | 'lost' | 'open' }

/** A client whose connections of the stream send these pieces; the requests' `Last-Event-ID`s and ends. */
function streamOf(connections: Connection[], options: RequestOptions & { after?: string } = {}) {
  const [ids, cancelled]: [(string | null)[], number[]] = [[], []]
  const backline = new Backline({
    apiKey: 'bkl_test_1',
    fetch: async (_, { headers }) => {
      const number = ids.push(new Headers(headers).get('last-event-id'))
      const next = connections.shift()
      if (!next) return refused()
      return new Response(
        bodyOf(next, () => cancelled.push(number)),
        {
          headers: { 'content-type': 'text/event-stream; charset=utf-8' },
        },
      )
    },
  })
  const { after, ...rest } = options
  return { stream: backline.events.stream({ after }, rest), ids, cancelled }
}

const refused = () =>
  new Response(
    JSON.stringify({ code: 'api_key_invalid', status: 401, detail: 'No.', params: {}, errors: [] }),
    {
      status: 401,
      headers: { 'content-type': 'application/problem+json' },
    },
  )

function bodyOf({ pieces, ending = 'closed' }: Connection, cancel: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece !== undefined) controller.enqueue(encoder.encode(piece))
      else if (ending === 'closed') controller.close()
      else if (ending === 'lost') controller.error(new TypeError('terminated'))
      else return new Promise(() => undefined)
    },
    cancel,
  })
}

const event = (id: number) => `id: c${id}\ndata: {"id":"evt_${id}"}\n\n`

/** Reads until the stream throws. */
async function readAll({ stream }: ReturnType<typeof streamOf>): Promise<{ ids: string[]; error: unknown }> {
  const ids: string[] = []
  try {
    for await (const { id } of stream) ids.push(id)
    return { ids, error: null }
  } catch (error) {
    return { ids, error }
  }
}

test('a connection that ends or is lost is resumed after the last event', async () => {
  const opened = streamOf([
    { pieces: ['retry: 1\nid: c0\n: connected\n\n', event(1), event(2)] },
    { pieces: [event(3), 'id: c4\ndata: {"id"'], ending: 'lost' },
    { pieces: [event(4)] },
  ])
  const { ids, error } = await readAll(opened)
  assert.deepEqual(ids, ['evt_1', 'evt_2', 'evt_3', 'evt_4'])
  assert.deepEqual(opened.ids, [null, 'c2', 'c3', 'c4'])
  assert.equal((error as { code: string }).code, 'api_key_invalid')
})

test('a stream that starts at a position resumes there before any event, and tells its position', async () => {
  const opened = streamOf([{ pieces: ['retry: 1\n\n'] }, { pieces: [event(1)] }], { after: 'c0' })
  assert.equal(opened.stream.cursor, 'c0')
  await readAll(opened)
  assert.deepEqual(opened.ids, ['c0', 'c0', 'c1'])
  assert.equal(opened.stream.cursor, 'c1')
})

test('a message without an id does not change the position', async () => {
  const opened = streamOf([{ pieces: ['data: {"id":"evt_1"}\n\n'] }], { after: 'c0' })
  for await (const _ of opened.stream) break
  assert.equal(opened.stream.cursor, 'c0')
})

test('the start position of a stream of new events is kept when no event has arrived', async () => {
  const opened = streamOf([{ pieces: ['retry: 1\nid: c0\n: connected\n\n'], ending: 'lost' }])
  await readAll(opened)
  assert.deepEqual(opened.ids, [null, 'c0'])
})

test('messages are the same however their bytes are cut', async () => {
  const text =
    'retry: 1\r\n: ü\r\n\r\nid: c1\r\ndata: {"id":\r\ndata: "evt_ü€"}\r\n\r\nid: c2\rdata: {"id":"evt_2"}\r\r'
  const bytes = new TextEncoder().encode(text)
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
        controller.enqueue(new TextEncoder().encode('\n'))
        controller.close()
      },
    })
    const answers = [new Response(body, { headers: { 'content-type': 'text/event-stream' } }), refused()]
    const backline = new Backline({ apiKey: 'k', fetch: async () => answers.shift()! })
    const ids: string[] = []
    const reading = (async () => {
      for await (const { id } of backline.events.stream()) ids.push(id)
    })()
    await assert.rejects(reading, { code: 'api_key_invalid' })
    assert.deepEqual(ids, ['evt_ü€', 'evt_2'], `pieces of ${size} bytes`)
  }
})

test('the start and the end of each connection are told', async () => {
  const opened = streamOf([
    { pieces: ['retry: 1\n\n', event(1)] },
    { pieces: [event(2)], ending: 'lost' },
    { pieces: [event(3)], ending: 'open' },
  ])
  const seen: unknown[] = []
  opened.stream.onConnectionChange = (isConnected) => seen.push(isConnected)
  for await (const { id } of opened.stream) {
    seen.push(id)
    if (id === 'evt_3') break
  }
  assert.deepEqual(seen, [true, 'evt_1', false, true, 'evt_2', false, true, 'evt_3', false])
})

test('break closes the connection', async () => {
  const opened = streamOf([{ pieces: [event(1), event(2)], ending: 'open' }])
  for await (const { id } of opened.stream) if (id === 'evt_1') break
  assert.deepEqual(opened.cancelled, [1])
})

test('a signal ends a stream that waits, without an error', async () => {
  const controller = new AbortController()
  const opened = streamOf([{ pieces: [event(1)], ending: 'open' }], { signal: controller.signal })
  const ids: string[] = []
  for await (const { id } of opened.stream) {
    ids.push(id)
    setImmediate(() => controller.abort())
  }
  assert.deepEqual(ids, ['evt_1'])
  assert.deepEqual(opened.cancelled, [1])
})

test('an infinite timeout is none', async () => {
  const opened = streamOf([{ pieces: ['retry: 1\n\n', event(1)] }], { timeoutMs: Number.POSITIVE_INFINITY })
  assert.deepEqual((await readAll(opened)).ids, ['evt_1'])
})

test('a silent connection is replaced', async () => {
  const silent: Connection = { pieces: ['retry: 1\n\n', event(1)], ending: 'open' }
  const opened = streamOf([silent, { pieces: [event(2)] }], { timeoutMs: 30 })
  const { ids } = await readAll(opened)
  assert.deepEqual(ids, ['evt_1', 'evt_2'])
  assert.deepEqual(opened.ids, [null, 'c1', 'c2'])
})

test('a server that cannot be reached at first, or for longer than maxRetries, is an error', async () => {
  const fail = () => Promise.reject(new TypeError('fetch failed'))
  const first = new Backline({ apiKey: 'k', maxRetries: 0, fetch: fail })
  await assert.rejects(first.events.stream()[Symbol.asyncIterator]().next(), { code: 'connection_failed' })

  let connections = 0
  const headers = { 'content-type': 'text/event-stream' }
  const fetching = () =>
    ++connections === 1 ? Promise.resolve(new Response('retry: 1\n\n', { headers })) : fail()
  const later = new Backline({ apiKey: 'k', fetch: fetching })
  const reading = later.events.stream({}, { maxRetries: 1 })[Symbol.asyncIterator]().next()
  await assert.rejects(reading, { code: 'connection_failed' })
  assert.equal(connections, 3)
})

test('an export that breaks off is an error', async () => {
  const body = bodyOf({ pieces: ['{"id":"aud_1"}\n{"id":'], ending: 'lost' }, () => undefined)
  const headers = { 'content-type': 'application/x-ndjson' }
  const backline = new Backline({ apiKey: 'k', fetch: async () => new Response(body, { headers }) })
  const ids: string[] = []
  const reading = (async () => {
    for await (const { id } of backline.auditLog.export()) ids.push(id)
  })()
  await assert.rejects(reading, { code: 'connection_failed' })
  assert.deepEqual(ids, ['aud_1'])
})
