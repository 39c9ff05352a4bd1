import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import { frames } from './fuzz-frames.ts'
import { gatherMaterial, secretKeyRoutes } from './fuzz-material.ts'
import { type FuzzRequest, requestTo, toBytes } from './fuzz-requests.ts'
import { service } from './harness.ts'
import { assertWellFormed, type Problem } from './problem-shape.ts'
import { cases, Random, seedOf } from './random.ts'
import { converse, headerOf, NoAnswer, type RawAnswer, RawClient } from './raw-http.ts'
import { isThorough, rounds, turns } from './thorough.ts'

/*
 * Sends requests of every kind that a hostile or broken client could send, to every route. A failure names the seed and
 * the number of the request, which together repeat it:
 *   BACKLINE_SEED=… BACKLINE_FUZZ_ONLY=<number> npm run test:file -- test/fuzz.test.ts
 */
const leastRequests = rounds(1_500, 200)
const seconds = rounds(5, 0)
const clients = 8

/* A clock may move for 22 seconds if many jobs wait: longer than a client of this test waits for a response. */
const backline = service({ advanceWithinMs: 1_000 })

type Sent = { index: number; route: Route; request: FuzzRequest; answer: RawAnswer }

test('no request gives a 5xx, an error of another shape or silence, and what is refused leaves no trace', async (t) => {
  const routes = backline.resources
    .flatMap((resource) => resource.routes)
    .filter(({ kind }) => kind !== 'stream' && kind !== 'live') // their responses are not JSON, and some never end
  const material = await gatherMaterial(backline)
  const before = await countRows()
  const sent: Sent[] = []
  const faults: string[] = []
  const seed = seedOf(t)
  const numbers = cases(leastRequests, seconds)

  async function work(): Promise<void> {
    const client = new RawClient(backline.url)
    let previous: { route: Route; request: FuzzRequest } | null = null
    for (let next = numbers.next(); !next.done && faults.length < 10; next = numbers.next()) {
      const index = next.value
      const random = new Random(`${seed}/${index}`)
      const route = routes[index % routes.length]!
      const request = requestTo(route, `fuzz-${index}`, random, material)
      try {
        const answer = await client.request(request.method, toBytes(request))
        assertParametersOf(route, assertWellFormed(answer, request.method))
        assertSuccess(answer, request.method)
        sent.push({ index, route, request, answer })
      } catch (error) {
        faults.push(describe(`${seed}/${index}`, route, request, error as Error))
        // The previous request of this connection may have left it in a bad state.
        if (error instanceof NoAnswer && previous)
          faults.push(describe('before it', previous.route, previous.request, error))
      }
      previous = { route, request }
      // Node reports no broken request after one with `Upgrade` (node_http_parser.cc), and so leaves it unanswered.
      if (request.headers.some(([name]) => name.toLowerCase() === 'upgrade')) client.close()
    }
    client.close()
  }
  await Promise.all(Array.from({ length: clients }, work))

  assert.equal(faults.length, 0, faults.join('\n\n'))
  const counts = tally(sent)
  t.diagnostic(`${sent.length} requests, ${JSON.stringify(counts)}`)
  if (sent.length === 1) return
  // The others are so rare that a short run can do without one.
  for (const status of isThorough ? [200, 201, 400, 401, 404, 405, 409, 415, 422] : [200, 400, 404, 422])
    assert.ok(counts[status], `never ${status}`)
  await assertNothingStoredByRefused(sent, before)
})

const describe = (number: string, route: Route, request: FuzzRequest, error: Error) =>
  `${number}, to ${route.name}: ${error.message}\n${toBytes(request).toString('latin1').slice(0, 1500)}`

/** Faults of other codes than `invalid_query` may name parameters of the path, and no others. */
function assertParametersOf({ params = {} }: Route, problem: Problem | null): void {
  if (problem === null || problem.code === 'invalid_query') return
  for (const { parameter } of problem.errors)
    assert.ok(parameter === undefined || parameter in params, `${parameter} is no parameter of the path`)
}

function assertSuccess(answer: RawAnswer, method: string): void {
  if (answer.status >= 300 || answer.status === 204 || method === 'HEAD') return
  const text = answer.body.toString()
  const type = headerOf(answer, 'content-type')
  if (type === 'message/rfc822') return
  const lines = type === 'application/x-ndjson' ? text.split('\n').filter(Boolean) : null
  if (!lines) assert.match(type ?? '', /^application\/json; charset=utf-8$/)
  for (const json of lines ?? [text]) assert.equal(typeof JSON.parse(json), 'object')
}

function tally(sent: Sent[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { answer } of sent) counts[answer.status] = (counts[answer.status] ?? 0) + 1
  return counts
}

type Counts = Record<'conversations' | 'messages' | 'events' | 'idempotency_keys' | 'api_keys', number>

/** Deleted conversations count, and of messages those without the event of a creation. */
async function countRows(): Promise<Counts> {
  const [row] = await backline.db.rows<Counts>(sql`select
    (select count(*) from conversations) + (select count(*) from events where type = 'conversation.deleted') as conversations,
    (select count(*) from messages m where not exists (
      select 1 from events e where e.tenant_id = m.tenant_id and e.resource_id = m.id and e.type = 'message.created')) as messages,
    (select count(*) from events where request_id like 'req%') as events, (select count(*) from idempotency_keys) as idempotency_keys,
    (select count(*) from api_keys) as api_keys`)
  return row!
}

/** Asserts that each new row belongs to a successful request, and each successful create to a row. */
async function assertNothingStoredByRefused(sent: Sent[], before: Counts): Promise<void> {
  const requestId = ({ answer }: Sent) => headerOf(answer, 'request-id')!
  const done = sent.filter(
    ({ answer }) => answer.status < 300 && headerOf(answer, 'idempotent-replayed') !== 'true',
  )
  const accepted = new Set(done.map(requestId))
  const keyed = done
    .filter(({ answer }) => headerOf(answer, 'idempotent-replayed') === 'false')
    .map(requestId)
  const own = sent.map(requestId)
  const events = await backline.db.rows<{ type: string; request_id: string }>(
    sql`select type, request_id from events where request_id = any(${own}::text[])`,
  )
  const keys = await backline.db.rows<{ request_id: string }>(
    sql`select request_id from idempotency_keys where request_id = any(${own}::text[])`,
  )
  assert.deepEqual(
    events.filter((event) => !accepted.has(event.request_id)),
    [],
    'events of refused requests',
  )
  assert.deepEqual(
    keys.map((key) => key.request_id).sort(),
    keyed.sort(),
    'keys are those of accepted requests',
  )
  const created = (type: string) => events.filter((event) => event.type === type).length
  const after = await countRows()
  assert.deepEqual(after, {
    conversations: before.conversations + created('conversation.created'),
    messages: before.messages,
    api_keys: before.api_keys + created('api_key.created'),
    events: before.events + events.length,
    idempotency_keys: before.idempotency_keys + keys.length,
  })
}

test('bytes that are no request are refused in the shape of all errors, and store nothing', async (t) => {
  const world = await backline.world()
  for (const frame of frames(world.test.key, 'frame')) {
    await t.test(frame.name, async () => {
      const before = await countRows()
      const pieces = frame.pieces.map((piece) => Buffer.from(piece as string))
      const answers = await converse(backline.url, pieces, frame)
      const statuses = answers.map(({ status }) => status)
      const asExpected = frame.statuses.map((each, i) => [each].flat().includes(statuses[i]!))
      assert.ok(statuses.length === asExpected.length && asExpected.every(Boolean), `answers: ${statuses}`)
      for (const [i, answer] of answers.entries()) assertWellFormed(answer, frame.methods?.[i] ?? 'GET')
      if (!frame.statuses.includes(201)) assert.deepEqual(await countRows(), before)
    })
  }
})

test('413 says whether the connection ends', async () => {
  const { test: client } = await backline.world()
  const body = `"${'x'.repeat(1024 * 1024)}"`
  for (const [asked, said] of [
    ['close', 'close'],
    ['keep-alive', 'keep-alive'],
  ]) {
    const head = `POST /v1/tags HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nIdempotency-Key: ${asked}\r\nContent-Type: application/json`
    const request = `${head}\r\nConnection: ${asked}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const [answer] = await converse(backline.url, [Buffer.from(request)])
    assert.equal(answer?.status, 413)
    assert.equal(headerOf(answer!, 'connection'), said)
  }
})

test('422 at the root for a body that is no object, on every route that writes', async () => {
  const { keys, ids } = await gatherMaterial(backline)
  const bodies = turns()
  const faults: string[] = []
  for (const route of secretKeyRoutes(backline)) {
    if (route.kind !== 'write' || route.bytes) continue
    const path = route.path.replace(/\{(\w+)\}/g, (_, name) =>
      route.texts?.properties[name] ? 'text' : ids.own.get(route.params![name]!)![0]!,
    )
    for (const body of bodies(['null', '[]', '1', '"x"'], 1)) {
      const answer = await fetch(`${backline.url}/v1${path}`, {
        method: route.method,
        body,
        headers: {
          authorization: `Bearer ${keys.full}`,
          'idempotency-key': `no object ${route.name} ${body}`,
          'content-type': 'application/json',
        },
      })
      const pointer = answer.status === 422 ? ((await answer.json()) as Problem).errors[0]?.pointer : null
      if (pointer !== '') faults.push(`${route.method} ${route.path} ${body}: ${answer.status} at ${pointer}`)
    }
  }
  assert.deepEqual(faults, [])
})

test('any time that a filter takes can be searched for', async () => {
  const { test: client } = await backline.world()
  const times = ['0000-01-01T00:00:00Z', '2026-11-20T10:00:00+23:59', '9999-12-31T23:59:59.999999999-23:59']
  for (const parameter of ['created_after', 'created_before', 'updated_after']) {
    for (const time of times) {
      const { status } = await client.get(`/v1/conversations?${parameter}=${encodeURIComponent(time)}`)
      assert.ok(status === 200 || status === 400, `${parameter}=${time}: ${status}`)
    }
  }
})

test('the link to the next page leads to this server, whatever host the client names', async () => {
  const { test: client } = await backline.world()
  for (const name of ['a', 'b']) await client.post('/v1/conversations', { external_user_id: name })
  for (const target of [
    'http://evil.example/v1/conversations',
    '/v1/conversations',
    '//evil.example/v1/conversations',
  ]) {
    const head = `GET ${target}?limit=1 HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer ${client.key}\r\n\r\n`
    const [answer] = await converse(backline.url, [Buffer.from(head)])
    assertWellFormed(answer!, 'GET')
    if (!target.startsWith('//')) assert.equal(answer!.status, 200)
    assert.doesNotMatch(headerOf(answer!, 'link') ?? '', /evil/)
  }
})
