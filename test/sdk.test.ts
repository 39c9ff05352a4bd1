import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  Backline,
  type BacklineOptions,
  ConflictError,
  type Event,
  NotModifiedError,
  PreconditionFailedError,
  ValidationError,
} from '@backline/sdk/index.ts'
import { succeeded } from './desk.ts'
import { service } from './harness.ts'

const api = service()

async function backline(options: Partial<BacklineOptions> = {}): Promise<Backline> {
  const { test } = await api.world()
  return new Backline({ apiKey: test.key, baseUrl: api.url, ...options })
}

/** Sends each request, and loses the first response of those that `loses` names. */
function losing(how: () => Promise<Response>, loses = (_: RequestInit) => true) {
  const sent: RequestInit[] = []
  const fetching = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init)
    if (!loses(init)) return response
    return sent.push(init) === 1 ? how() : response
  }
  return { sent, fetching }
}

describe('methods', () => {
  test('create, read, change and delete with types of the API', async () => {
    const client = await backline()
    const created = await client.conversations.create({ external_user_id: 'user_42' })
    assert.equal(created.status, 'new')
    const changed = await client.conversations.update(created.id, { priority: 'high' }, { ifMatch: '"1"' })
    assert.equal(changed.version, 2)
    assert.deepEqual(await client.conversations.retrieve(created.id), changed)
    const message = await client.conversations.messages.create(created.id, {
      author_side: 'end_user',
      body: 'Hello',
    })
    const { data } = await client.conversations.messages.list(created.id)
    assert.deepEqual(
      data.map(({ id }) => id),
      [message.id],
    )
    const { id } = await client.tags.create({ name: 'vip' })
    assert.equal(await client.tags.delete(id), undefined)
  })

  test('act for the operator of the request', async () => {
    const client = await backline()
    const { id } = await client.conversations.create({ external_user_id: 'user_42' })
    const operator = await client.operators.create({ name: 'Ada', email: 'ada@example.com' })
    const claimed = await client.conversations.claim(id, { operatorId: operator.id })
    assert.equal(claimed.assignee_id, operator.id)
  })

  test('give the headers of the response', async () => {
    const client = await backline()
    const idempotencyKey = 'the-first'
    const create = () =>
      client.conversations.create({ external_user_id: 'user_42' }, { idempotencyKey }).withResponse()
    const [first, second] = [await create(), await create()]
    assert.deepEqual(second.data, first.data)
    assert.equal(first.response.headers.get('etag'), '"1"')
    assert.match(first.response.headers.get('request-id')!, /^req_/)
    assert.equal(first.response.headers.get('idempotent-replayed'), 'false')
    assert.equal(second.response.headers.get('idempotent-replayed'), 'true')
  })

  test('reach at least 95 % of the operations, each once', async () => {
    const reached = await requestsOf(callEveryMethod)
    const known = documented.map(({ request }) => request)
    assert.equal(new Set(reached).size, reached.length)
    assert.deepEqual(
      reached.filter((each) => !known.includes(each)),
      [],
    )
    assert.ok(reached.length >= 0.95 * known.length, `${reached.length} of ${known.length} operations`)
  })

  test('are not needed: call reaches every operation', async () => {
    for (const { operationId, request } of documented) {
      const names = [...request.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
      const params = Object.fromEntries(names.map((name) => [name, `{${name}}`]))
      const call = (client: Backline) =>
        settled(client.call(operationId as 'getConversation', { params } as never))
      assert.deepEqual(await requestsOf(call), [request])
    }
  })
})

/** The operations of the document; `request` is `GET /v1/tags/{id}`. */
const documented = (() => {
  const { paths } = JSON.parse(readFileSync(join(import.meta.dirname, '../openapi/v1.json'), 'utf8'))
  return Object.entries<Record<string, { operationId: string }>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      operationId,
      request: `${method.toUpperCase()} ${path}`,
    })),
  )
})()

/** The requests that a client sends, whose ids are the names of their parameters. */
async function requestsOf(use: (client: Backline) => Promise<void>): Promise<string[]> {
  const requests: string[] = []
  const fetching = async (url: string, { method }: RequestInit) => {
    requests.push(`${method} ${decodeURIComponent(new URL(url).pathname)}`)
    throw new Error('This is only counted')
  }
  await use(new Backline({ apiKey: 'bkl_test_1', fetch: fetching, maxRetries: 0 }))
  return requests
}

async function callEveryMethod(client: Backline): Promise<void> {
  const visit = async (group: object): Promise<void> => {
    for (const value of Object.values(group)) if (isGroup(value)) await visit(value)
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(group))) {
      const method = (group as Record<string, unknown>)[name]
      if (name === 'constructor' || typeof method !== 'function') continue
      if (name === 'wait') continue // repeats another one
      const args = /^\w+\((.*?)\)/
        .exec(String(method))![1]!
        .split(',')
        .map((arg) => arg.trim())
      const ids = args
        .filter((arg) => /^(id|code|token)$|Id$/.test(arg))
        .map((arg) => arg.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
      await settled(method.call(group, ...ids.map((id) => `{${id}}`)))
    }
  }
  for (const value of Object.values(client)) if (isGroup(value)) await visit(value)
}

/** Waits for a reply, or for the first item of a stream. */
async function settled(reply: PromiseLike<unknown> | AsyncIterable<unknown>): Promise<void> {
  try {
    if ('then' in reply) await reply
    else await reply[Symbol.asyncIterator]().next()
  } catch {} // nothing responds
}

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && /Resource$/.test(value?.constructor?.name ?? '')

describe('lists', () => {
  test('are a page if awaited, and all items if iterated', async () => {
    const client = await backline()
    const all = Array.from({ length: 7 }, (_, i) => `user_${i}`)
    for (const external_user_id of all) await client.conversations.create({ external_user_id })
    const query = { limit: 3, sort: 'created_at', status: ['new', 'open'] } as const
    const page = await client.conversations.list(query)
    assert.equal(page.data.length, 3)
    assert.equal(page.has_more, true)
    const seen: (string | null)[] = []
    for await (const each of client.conversations.list(query)) seen.push(each.external_user_id)
    assert.deepEqual(seen, all)
    const { data: rest } = await client.conversations.list({ ...query, cursor: page.next_cursor! })
    assert.equal(rest[0]!.external_user_id, 'user_3')
  })

  test('of a feed end with the last event, although the last page has a cursor', async () => {
    const client = await backline()
    for (let i = 0; i < 5; i++) await client.tags.create({ name: `tag ${i}` })
    const types: string[] = []
    for await (const { type } of client.events.list({ limit: 2, types: ['tag.*'] })) types.push(type)
    assert.deepEqual(types, Array(5).fill('tag.created'))
  })

  test('of lines are read as they arrive', async () => {
    const { live } = await api.world()
    const client = new Backline({ apiKey: live.key, baseUrl: api.url })
    await client.tags.create({ name: 'vip' })
    for await (const entry of client.auditLog.export({ action: ['tag.*'] }))
      assert.equal(entry.action, 'tag.created')
  })
})

describe('refusals', () => {
  test('have a class with literal codes, and are not tried again', async () => {
    const { sent, fetching } = losing(
      () => assert.fail(),
      () => false,
    )
    const client = await backline({ fetch: fetching })
    const { id } = await client.conversations.create({ external_user_id: 'user_42' })
    await assert.rejects(
      async () => client.conversations.reopen(id),
      (error) => {
        assert.ok(error instanceof ConflictError)
        const codes: 'already_exists' | 'resource_in_use' | 'invalid_transition' | string = error.code
        assert.equal(codes, 'invalid_transition')
        assert.equal(error.status, 409)
        assert.equal(error.params.from, 'new')
        return true
      },
    )
    assert.equal(sent.length, 0)
  })

  test('name the invalid field', async () => {
    const client = await backline()
    await assert.rejects(
      async () => client.conversations.create({ external_user_id: '' }),
      (error) => error instanceof ValidationError && /external_user_id/.test(error.message),
    )
  })

  test('tell an object that has changed from one that has not', async () => {
    const client = await backline()
    const { id } = await client.tags.create({ name: 'vip' })
    await client.tags.update(id, { name: 'VIP' })
    await assert.rejects(
      async () => client.tags.update(id, { name: 'vip!' }, { ifMatch: '"1"' }),
      PreconditionFailedError,
    )
    const { response } = await client.tags.retrieve(id).withResponse()
    const ifNoneMatch = response.headers.get('etag')!
    await assert.rejects(async () => client.tags.retrieve(id, { ifNoneMatch }), NotModifiedError)
  })
})

describe('a response that gets lost', () => {
  for (const [what, lose] of Object.entries({
    'in a broken connection': () => Promise.reject(new TypeError('fetch failed')),
    'behind a proxy': () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 })),
  })) {
    test(`${what} is asked for again with the same key, and the effect is there once`, async () => {
      const { sent, fetching } = losing(lose, ({ method }) => method === 'POST')
      const client = await backline({ fetch: fetching })
      await client.conversations.create({ external_user_id: 'lost' })
      const keys = sent.map(({ headers }) => new Headers(headers).get('idempotency-key'))
      assert.equal(keys.length, 2)
      assert.equal(keys[0], keys[1])
      const { data } = await client.conversations.list({ external_user_id: 'lost' })
      assert.equal(data.length, 1)
    })
  }

  test('does not make a change conflict with itself, nor a deletion find nothing', async () => {
    const lost = losing(
      () => Promise.reject(new TypeError('fetch failed')),
      ({ method }) => method !== 'POST',
    )
    const client = await backline({ fetch: lost.fetching })
    const { id } = await client.tags.create({ name: 'vip' })
    const changed = await client.tags.update(id, { name: 'VIP' }, { ifMatch: '"1"' })
    assert.equal(changed.version, 2)
    lost.sent.length = 0
    assert.equal(await client.tags.delete(id), undefined)
    assert.equal(lost.sent.length, 2)
  })
})

describe('the stream of events', () => {
  test('resumes after a lost connection, and ends with break and with a signal', async () => {
    let connections = 0
    const client = await backline({
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        if (!url.includes('/events/stream')) return response
        return ++connections % 2 === 1 ? cutAfterAnEvent(response) : response
      },
    })
    await client.tags.create({ name: 'before' })
    const { resume_cursor } = await client.events.list()
    for (let i = 0; i < 3; i++) await client.tags.create({ name: `tag ${i}` })
    const stream = client.events.stream({ after: resume_cursor!, types: ['tag.*'] })
    const names: string[] = []
    for await (const event of stream) {
      assert.equal(event.type, 'tag.created')
      names.push(nameOf(event))
      if (names.length === 3) break
    }
    assert.deepEqual(names, ['tag 0', 'tag 1', 'tag 2'])
    assert.ok(connections >= 2)

    const controller = new AbortController()
    await client.tags.create({ name: 'later' })
    for await (const event of client.events.stream(
      { after: stream.cursor! },
      { signal: controller.signal },
    )) {
      names.push(nameOf(event))
      controller.abort()
    }
    assert.deepEqual(names.slice(3), ['later'])
  })

  test('throws what a retry does not mend', async () => {
    const client = await backline()
    const invalid = async () => {
      for await (const _ of client.events.stream({ after: 'nonsense' })) assert.fail()
    }
    await assert.rejects(invalid, { code: 'cursor_invalid' })
  })
})

const nameOf = (event: Event): string => (event.type === 'tag.created' ? event.data.object.name : event.type)

/** The same response, whose connection breaks after the first event. */
function cutAfterAnEvent(response: Response): Response {
  const body = response.body!.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        const [, first] = /^(.*?data: .*?\n\n)/s.exec(new TextDecoder().decode(piece)) ?? []
        controller.enqueue(first === undefined ? piece : new TextEncoder().encode(first))
        if (first !== undefined) controller.error(new TypeError('terminated'))
      },
    }),
  )
  return new Response(body, { status: response.status, headers: response.headers })
}

test('a page of another origin may send each header that the client sends', async () => {
  const { test: key } = await api.world()
  const { token } = succeeded(await key.post('/v1/end_user_sessions', { external_user_id: 'user_42' }))
  const refused: string[] = []
  const { me } = new Backline({
    apiKey: token,
    baseUrl: api.url,
    async fetch(url, init) {
      const preflight = await fetch(url, { method: 'OPTIONS' })
      const accepted = preflight.headers.get('access-control-allow-headers')!.toLowerCase().split(', ')
      for (const [name] of new Headers(init.headers)) if (!accepted.includes(name)) refused.push(name)
      return fetch(url, init)
    },
  })
  const { id } = await me.conversations.create({ message: { body: 'Hello' } })
  await me.conversations.retrieve(id, { ifNoneMatch: '"0"', headers: { range: 'bytes=0-9' } })
  assert.deepEqual(refused, [])
})
