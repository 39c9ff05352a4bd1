import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { follow, type Happening } from './follow.ts'

/* A server with scripted responses, one per connection; test/listen.system.test.ts uses the real one. */

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown

const optionOf = { types: '--events', cursor: '--since' }
const usual = { silentMs: 30_000, longestWaitMs: 10_000 }

/** Follows a server with these responses until `enough` events have arrived. */
async function followed(
  t: TestContext,
  answers: Answer[],
  enough: (happenings: Happening[]) => boolean,
  { limits = usual, ...more }: { limits?: typeof usual; types?: string[]; since?: string } = {},
) {
  const requests: { url: string; lastEventId: unknown; at: number }[] = []
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    requests.push({ url, lastEventId: headers['last-event-id'], at: performance.now() })
    answers[Math.min(requests.length, answers.length) - 1]!(response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = new AbortController()
  t.after(() => {
    stop.abort()
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const source = { url, key: 'bkl_test_x', types: undefined, since: undefined, optionOf, ...more }
  const happenings: Happening[] = []
  for await (const happening of follow(source, stop.signal, limits)) {
    happenings.push(happening)
    if (enough(happenings)) break
  }
  return { happenings, requests }
}

function stream(response: ServerResponse, ...pieces: string[]): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const piece of pieces) response.write(piece)
  return response
}

const begin = (cursor: string, retryMs = 1) => `retry: ${retryMs}\nid: ${cursor}\n: connected\n\n`
const eventsOf = (happenings: Happening[]) => happenings.flatMap((h) => (h.kind === 'event' ? [h.event] : []))
const haveEvents = (count: number) => (happenings: Happening[]) => eventsOf(happenings).length === count

describe('following the stream', () => {
  test('continues after the last id, with or without an event', async (t) => {
    const { happenings, requests } = await followed(
      t,
      [
        (response) =>
          stream(
            response,
            begin('a'),
            'id: b\ndata: {"n":1}\n\n',
            'id: c\n: \n\n',
            'id: lost\ndata: {"cut',
          ).end(),
        (response) => stream(response, begin('c'), 'id: d\ndata: {"n":2}\n\n'),
      ],
      haveEvents(2),
      { types: ['x.*', 'y.z'], since: 'a' },
    )
    assert.deepEqual(
      requests.map(({ url, lastEventId }) => [url, lastEventId]),
      [
        ['/v1/events/stream?types=x.*%2Cy.z&cursor=a', undefined],
        ['/v1/events/stream?types=x.*%2Cy.z&cursor=a', 'c'],
      ],
    )
    assert.deepEqual(
      happenings.map(({ kind }) => kind),
      ['connected', 'event', 'lost', 'connected', 'event'],
    )
    assert.deepEqual(happenings[2], { kind: 'lost', reason: 'closed by the server' })
    assert.deepEqual(eventsOf(happenings), [
      { json: '{"n":1}', before: 'a', cursor: 'b' },
      { json: '{"n":2}', before: 'c', cursor: 'd' },
    ])
  })

  test('reads data that is split anywhere, even within a character', async (t) => {
    const bytes = Buffer.from(`${begin('a')}id: b\r\ndata: {"text":"Grüße 🔑"}\r\n\r\n`)
    const { happenings } = await followed(
      t,
      [
        async (response) => {
          stream(response)
          for (const byte of bytes) {
            response.write(Buffer.from([byte]))
            await new Promise((resolve) => setImmediate(resolve))
          }
        },
      ],
      haveEvents(1),
    )
    assert.equal(eventsOf(happenings)[0]!.json, '{"text":"Grüße 🔑"}')
  })

  test('a silent connection is closed', async (t) => {
    const { happenings } = await followed(
      t,
      [
        (response) => stream(response, begin('a')),
        (response) => stream(response, begin('a'), 'id: b\ndata: 1\n\n'),
      ],
      haveEvents(1),
      { limits: { ...usual, silentMs: 1_000 } },
    )
    assert.deepEqual(happenings[1], { kind: 'lost', reason: 'no data received for 1 s' })
  })

  test('a connection that breaks is reported as closed by the server', async (t) => {
    const { happenings } = await followed(
      t,
      [
        (response) => {
          stream(response, begin('a'))
          setTimeout(() => response.socket!.resetAndDestroy(), 20)
        },
        (response) => stream(response, begin('a'), 'id: b\ndata: 1\n\n'),
      ],
      haveEvents(1),
    )
    assert.deepEqual(happenings[1], { kind: 'lost', reason: 'closed by the server' })
  })

  test('a slow consumer does not lose its connection', async (t) => {
    const event = `data: "${'x'.repeat(10_000)}"\n\n`
    const server = createServer((_, response) => {
      stream(response, begin('a'), ...Array.from({ length: 200 }, (_, i) => `id: ${i}\n${event}`))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const stop = new AbortController()
    t.after(() => {
      stop.abort()
      server.closeAllConnections()
      server.close()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const source = { url, key: 'bkl_test_x', types: undefined, since: undefined, optionOf }
    let events = 0
    for await (const { kind } of follow(source, stop.signal, { ...usual, silentMs: 500 })) {
      assert.notEqual(kind, 'lost')
      if (kind === 'event' && ++events % 100 === 1) await new Promise((resolve) => setTimeout(resolve, 1_000))
      if (events === 200) break
    }
  })

  test('waits for the retry time of the server, doubles it up to a limit, and reports the loss once', async (t) => {
    const away: Answer = (response) => response.writeHead(503).end()
    const lost: Answer = (response) => stream(response, begin('a', 20)).end()
    const { happenings, requests } = await followed(
      t,
      [lost, away, away, away, away, (response) => stream(response, begin('a'), 'id: b\ndata: 1\n\n')],
      haveEvents(1),
      { limits: { ...usual, longestWaitMs: 100 } },
    )
    assert.deepEqual(
      happenings.map(({ kind }) => kind),
      ['connected', 'lost', 'connected', 'event'],
    )
    const waited = requests.slice(1).map(({ at }, i) => at - requests[i]!.at)
    const least = [20, 40, 80, 100, 100]
    assert.ok(
      least.every((ms, i) => waited[i]! > ms - 5),
      `waited ${waited}`,
    )
    assert.ok(requests.slice(1).every(({ lastEventId }) => lastEventId === 'a'))
  })

  test('ends when the server rejects the request, with its message and the name of the option', async (t) => {
    const errors = [{ parameter: 'types', code: 'not_allowed', detail: 'must be names' }]
    const refused: Answer = (response) =>
      response.writeHead(400, { 'content-type': 'application/problem+json; charset=utf-8' }).end(
        JSON.stringify({
          status: 400,
          code: 'invalid_query',
          detail: 'types must be names.',
          params: {},
          errors,
        }),
      )
    const lost: Answer = (response) => stream(response, begin('a')).end()
    await assert.rejects(
      followed(t, [lost, refused], () => false),
      { name: 'CommandError', code: 'invalid_query', message: /returned 400: --events must be names$/ },
    )
  })

  test('ends at once when the first connection fails, for any reason', async (t) => {
    const page: Answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')
    const moved: Answer = (response) => response.writeHead(302, { location: '/elsewhere' }).end()
    const away: Answer = (response) => response.writeHead(503).end()
    const broken: Answer = (response) => response.destroy()
    for (const [answer, message] of [
      [page, /did not return an event stream/],
      [moved, /returned 302; check that it is the address of a Backline server/],
      [away, /cannot stream events from .*: the server returned 503; is the server running/],
      [broken, /cannot stream events from /],
    ] as const)
      await assert.rejects(
        followed(t, [answer], () => false),
        { name: 'CommandError', code: 'unavailable', message },
      )
  })
})
