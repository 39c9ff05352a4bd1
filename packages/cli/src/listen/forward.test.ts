import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { newWebhookSecret } from '@backline/server/support/integration/webhook-endpoints/signature.ts'
import { forward, hasSucceeded, type Receiver } from './forward.ts'

const event = {
  id: 'evt_01m7wga9hpe00bx5qvt413hp0j',
  json: '{"id":"evt_1","created_at":"2026-11-20T09:30:00.000Z","data":{}}',
}
/** Longer than the timeout of webhooks, which a busy machine exceeds. */
const patientMs = 120_000
const running = new AbortController().signal

async function receiver(
  t: TestContext,
  answer: (response: ServerResponse, request: IncomingMessage) => unknown,
): Promise<Receiver & { requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    request.resume()
    answer(response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/hook?from=backline`
  return { url, secret: newWebhookSecret(), payload: 'full', requests }
}

describe('forwarding an event', () => {
  test('to an address with a query, over a connection that is not kept', async (t) => {
    const to = await receiver(t, (response) => response.writeHead(204).end())
    const attempt = await forward(event, to, running, patientMs)
    assert.ok(hasSucceeded(attempt))
    assert.equal(attempt.status, 204)
    const [{ url, method, headers }] = to.requests as [IncomingMessage]
    assert.deepEqual(
      [method, url, headers['content-type'], headers.connection],
      ['POST', '/hook?from=backline', 'application/json', 'close'],
    )
  })

  test('a redirect is a failure and is not followed', async (t) => {
    const to = await receiver(t, (response) => response.writeHead(307, { location: '/elsewhere' }).end())
    const attempt = await forward(event, to, running, patientMs)
    assert.equal(hasSucceeded(attempt), false)
    assert.deepEqual([attempt.status, attempt.error, to.requests.length], [307, null, 1])
  })

  test('fails without a response in time; the status of an endless response counts', async (t) => {
    for (const [answer, status, isSuccess] of [
      [() => undefined, null, false],
      [(response: ServerResponse) => response.writeHead(200).write('and'), 200, true],
    ] as const) {
      const attempt = await forward(event, await receiver(t, answer), running, 1_000)
      assert.equal(hasSucceeded(attempt), isSuccess)
      assert.deepEqual([attempt.status, attempt.error], [status, 'no complete response within 1 s'])
      assert.ok(attempt.durationMs > 0)
    }
  })

  test('an endless response is not read to its end', async (t) => {
    const to = await receiver(t, (response) => {
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(8192)));
      }
      response.on('drain', pour)
      pour()
    })
    const attempt = await forward(event, to, running, patientMs)
    assert.ok(hasSucceeded(attempt), JSON.stringify(attempt))
  })

  test('is aborted by its signal', async (t) => {
    const stopping = new AbortController()
    const to = await receiver(t, () => stopping.abort())
    const attempt = await forward(event, to, stopping.signal)
    assert.deepEqual([attempt.status, attempt.error], [null, 'stopped before the response'])
  })
})
