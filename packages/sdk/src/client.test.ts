import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import {
  Backline,
  type BacklineOptions,
  ConnectionError,
  InternalError,
  NotFoundError,
  TimeoutError,
  UnexpectedResponseError,
  ValidationError,
} from './index.ts'
import type { Problem } from './types.generated.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void

/** A client of a server that responds as the handler does, and the requests that arrived. */
async function clientOf(t: TestContext, handle: Handler, options: Partial<BacklineOptions> = {}) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => handle(request, response, requests.push(request)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const baseUrl = `http://127.0.0.1:${port}`
  return { backline: new Backline({ apiKey: 'bkl_test_1', baseUrl, ...options }), baseUrl, requests }
}

function html(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/html', 'retry-after': '0' })
  response.end('<html><title>Oops</title>\n<h1>Nothing here</h1></html>')
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const problemOf = (status: number, code: string, more: Partial<Problem> = {}) => ({
  type: `http://127.0.0.1/problems/${code}`,
  title: 'A problem',
  status,
  code,
  detail: 'Something is wrong.',
  instance: '/v1',
  request_id: 'req_1',
  params: {},
  errors: [],
  ...more,
})

const problem = (response: ServerResponse, status: number, code: string, headers = { 'retry-after': '0' }) =>
  response
    .writeHead(status, { 'content-type': 'application/problem+json', ...headers })
    .end(JSON.stringify(problemOf(status, code)))

const emptyPage = { object: 'list', data: [], has_more: false, next_cursor: null }

describe('options', () => {
  const message = /apiKey is missing/
  test('a client without a key is not created', () => {
    assert.throws(() => new Backline({} as BacklineOptions), message)
    assert.throws(() => new Backline({ apiKey: undefined as unknown as string }), message)
    assert.throws(() => new (Backline as unknown as new () => Backline)(), message)
    assert.throws(() => new Backline({ apiKey: 'bkl_test_1\n' }), /line break/)
  })

  test('a base URL that is none, or a number that cannot be, is refused', () => {
    assert.throws(() => new Backline({ apiKey: 'k', baseUrl: '127.0.0.1:8080' }), /baseUrl is not/)
    assert.throws(() => new Backline({ apiKey: 'k', maxRetries: Number.NaN }), /maxRetries/)
    assert.throws(() => new Backline({ apiKey: 'k', timeoutMs: -1 }), /timeoutMs/)
  })

  test('a path parameter that is missing, and an unknown option, throw before anything is sent', async (t) => {
    const { backline, requests } = await clientOf(t, (_, response) => json(response, {}))
    const missing = undefined as unknown as string
    assert.throws(() => backline.conversations.retrieve(missing), /getConversation needs id/)
    assert.throws(() => backline.departments.operators.add('dept_1', ''), /needs operator_id/)
    // Otherwise this would be DELETE /v1/operators/op_1.
    assert.throws(() => backline.departments.operators.remove('..', 'op_1'), /needs id/)
    assert.throws(() => backline.conversations.claim('c', { body: 1 } as never), /no option "body"/)
    assert.throws(() => backline.call('nothing' as 'getWorkspace'), /no operation "nothing"/)
    assert.equal(requests.length, 0)
  })

  test('undefined options are the defaults', async (t) => {
    const { backline, requests } = await clientOf(t, (_, response) => problem(response, 503, 'unavailable'), {
      maxRetries: undefined,
      timeoutMs: undefined,
      operatorId: undefined,
      headers: undefined,
      fetch: undefined,
    })
    await assert.rejects(async () => backline.workspace.retrieve({ maxRetries: undefined }), {
      code: 'unavailable',
    })
    assert.equal(requests.length, 5)
  })

  test('a path of the base URL precedes those of the API', async (t) => {
    const { baseUrl, requests } = await clientOf(t, (_, response) => json(response, {}))
    await new Backline({ apiKey: 'k', baseUrl: `${baseUrl}/support/` }).workspace.retrieve()
    assert.equal(requests[0]!.url, '/support/v1/workspace')
  })

  test('headers and the operator of a request replace those of the client', async (t) => {
    const { backline, requests } = await clientOf(t, (_, response) => json(response, {}), {
      operatorId: 'op_1',
      headers: { 'x-team': 'a', traceparent: 'client' },
    })
    await backline.conversations.claim('conv_1')
    await backline.conversations.claim('conv_1', {
      operatorId: 'op_2',
      headers: { traceparent: 'request' },
      idempotencyKey: 'mine',
      ifMatch: '"3"',
    })
    await backline.conversations.claim('conv_1', { operatorId: null })
    const seen = requests.map(({ headers }) => [
      headers['backline-operator'],
      headers.traceparent,
      headers['x-team'],
    ])
    assert.deepEqual(seen, [
      ['op_1', 'client', 'a'],
      ['op_2', 'request', 'a'],
      [undefined, 'client', 'a'],
    ])
    assert.equal(requests[1]!.headers['idempotency-key'], 'mine')
    assert.equal(requests[1]!.headers['if-match'], '"3"')
    assert.match(requests[0]!.headers['user-agent']!, /^backline-sdk\/\d/)
    assert.match(requests[0]!.headers.authorization!, /^Bearer bkl_test_1$/)
  })

  test('queries take lists, times, and nothing for undefined', async (t) => {
    const { backline, requests } = await clientOf(t, (_, response) => json(response, emptyPage))
    const created_after = new Date('2026-11-20T09:30:00Z')
    await backline.conversations.list({ status: ['new', 'open'], created_after, tag: undefined, limit: 5 })
    const { searchParams } = new URL(requests[0]!.url!, 'http://x')
    assert.deepEqual(Object.fromEntries(searchParams), {
      status: 'new,open',
      created_after: '2026-11-20T09:30:00.000Z',
      limit: '5',
    })
  })
})

describe('a response that is not of the API', () => {
  test('a 404 of another server is said to be that, and not tried again', async (t) => {
    const { backline, requests } = await clientOf(t, (_, response) => html(response, 404))
    await assert.rejects(
      async () => backline.conversations.list(),
      (error) => {
        assert.ok(error instanceof UnexpectedResponseError)
        assert.equal(error.status, 404)
        assert.match(error.message, /GET http:.* was answered with 404 and text\/html: "Oops Nothing here"/)
        assert.match(error.message, /check baseUrl/)
        return true
      },
    )
    assert.equal(requests.length, 1)
  })

  test('a 200 with HTML is said to be that', async (t) => {
    const { backline, requests } = await clientOf(t, (_, response) => html(response, 200))
    await assert.rejects(async () => backline.conversations.list(), UnexpectedResponseError)
    assert.equal(requests.length, 1)
  })

  test('a redirect is not followed and names its target', async (t) => {
    const { backline, requests } = await clientOf(t, (_, response) =>
      response.writeHead(301, { location: 'https://example.com/' }).end(),
    )
    const creating = async () => backline.tags.create({ name: 'vip' })
    await assert.rejects(creating, /redirected to https:\/\/example\.com\//)
    assert.equal(requests.length, 1)
  })

  for (const [name, body] of [
    ['without a code', { type: 'about:blank', title: 'Forbidden', status: 403 }],
    ['with a code and nothing else', { code: 'blocked', title: 'Forbidden', status: 403 }],
    ['that is null', null],
  ] as const) {
    test(`a problem of a gateway ${name} is said to be that, and not tried again`, async (t) => {
      const { backline, requests } = await clientOf(t, (_, response) =>
        response.writeHead(403, { 'content-type': 'application/problem+json' }).end(JSON.stringify(body)),
      )
      await assert.rejects(
        async () => backline.workspace.retrieve(),
        (error) => {
          assert.ok(error instanceof UnexpectedResponseError)
          assert.equal(error.status, 403)
          assert.match(error.message, /was answered with 403 and application\/problem\+json/)
          return true
        },
      )
      assert.equal(requests.length, 1)
    })
  }

  for (const [status, expected] of [
    [500, 1],
    [501, 1],
    [429, 3],
    [502, 3],
    [503, 3],
    [504, 3],
  ] as const) {
    test(`${status} of a proxy: ${expected === 1 ? 'no retry' : 'retries'}`, async (t) => {
      const { backline, requests } = await clientOf(t, (_, response) => html(response, status), {
        maxRetries: 2,
      })
      await assert.rejects(async () => backline.workspace.retrieve(), { code: 'unexpected_response', status })
      assert.equal(requests.length, expected)
    })
  }
})

describe('retries', () => {
  for (const [code, status] of [
    ['rate_limited', 429],
    ['unavailable', 503],
    ['internal_error', 500],
    ['idempotency_key_in_use', 409],
  ] as const) {
    test(`a write is repeated with its key after ${code}`, async (t) => {
      const { backline, requests } = await clientOf(t, (_, response, count) =>
        count < 3 ? problem(response, status, code) : json(response, { name: 'vip' }),
      )
      assert.equal((await backline.tags.create({ name: 'vip' })).name, 'vip')
      const keys = requests.map(({ headers }) => headers['idempotency-key'])
      assert.equal(keys.length, 3)
      assert.match(keys[0] as string, /^[0-9a-f]{32}$/)
      assert.equal(new Set(keys).size, 1)
    })
  }

  for (const [code, status] of [
    ['invalid_transition', 409],
    ['not_found', 404],
    ['validation_failed', 422],
    ['idempotency_key_reused', 422],
    ['api_key_invalid', 401],
  ] as const) {
    test(`${code} is final`, async (t) => {
      const { backline, requests } = await clientOf(t, (_, response) => problem(response, status, code))
      await assert.rejects(async () => backline.tags.create({ name: 'vip' }), { code, status })
      assert.equal(requests.length, 1)
    })
  }

  test('a connection that breaks is tried again, also in the middle of a body', async (t) => {
    const { backline, requests } = await clientOf(t, (request, response, count) => {
      if (count === 1) request.socket.destroy()
      else if (count === 2) {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        response.write('{"na', () => request.socket.destroy())
      } else json(response, { name: 'Acme' })
    })
    assert.equal((await backline.workspace.retrieve()).name, 'Acme')
    assert.equal(requests.length, 3)
  })

  test('a server that cannot be reached is a ConnectionError that names it', async () => {
    const backline = new Backline({ apiKey: 'k', baseUrl: 'http://127.0.0.1:1', maxRetries: 0 })
    await assert.rejects(
      async () => backline.workspace.retrieve(),
      (error) => {
        assert.ok(error instanceof ConnectionError)
        assert.match(error.message, /http:\/\/127\.0\.0\.1:1 failed: .*ECONNREFUSED|bad port/)
        return true
      },
    )
  })

  test('a server that does not respond is a TimeoutError', async (t) => {
    let sent = 0
    const counting = (url: string, init: RequestInit) => {
      sent++
      return fetch(url, init)
    }
    const { backline } = await clientOf(t, () => undefined, { maxRetries: 1, fetch: counting })
    await assert.rejects(async () => backline.workspace.retrieve({ timeoutMs: 20 }), TimeoutError)
    assert.equal(sent, 2)
  })
})

describe('a signal', () => {
  test('ends a pause', async (t) => {
    const controller = new AbortController()
    const { backline, requests } = await clientOf(t, (_, response) => {
      problem(response, 503, 'unavailable', { 'retry-after': '3600' })
      setImmediate(() => controller.abort(new Error('Enough')))
    })
    await assert.rejects(async () => backline.workspace.retrieve({ signal: controller.signal }), /Enough/)
    assert.equal(requests.length, 1)
  })

  test('ends a request that waits for its response', async (t) => {
    const controller = new AbortController()
    const { backline } = await clientOf(t, () => controller.abort())
    await assert.rejects(async () => backline.workspace.retrieve({ signal: controller.signal }), {
      name: 'AbortError',
    })
  })

  test('that is aborted already sends nothing', async (t) => {
    const { backline, requests } = await clientOf(t, (_, response) => json(response, {}))
    await assert.rejects(async () => backline.workspace.retrieve({ signal: AbortSignal.abort() }))
    assert.equal(requests.length, 0)
  })
})

describe('errors', () => {
  const rejected = async (t: TestContext, body: unknown, status: number) => {
    const { backline } = await clientOf(t, (_, response) =>
      response.writeHead(status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(body)),
    )
    return backline.workspace.retrieve({ maxRetries: 0 }).catch((error) => error)
  }

  test('the message names the first invalid field', async (t) => {
    const errors = [{ pointer: '/external_user_id', code: 'required', detail: 'is required' }] as const
    const body = problemOf(422, 'validation_failed', { detail: '1 field is wrong.', errors: [...errors] })
    const error = await rejected(t, body, 422)
    assert.ok(error instanceof ValidationError)
    assert.equal(error.message, 'validation_failed: 1 field is wrong. external_user_id: is required (req_1)')
    assert.deepEqual(error.errors, errors)
    assert.equal(error.requestId, 'req_1')
  })

  test('a code of a newer server has the class of its status', async (t) => {
    const error = await rejected(t, problemOf(404, 'route_vanished'), 404)
    assert.ok(error instanceof NotFoundError)
    assert.equal(error.name, 'NotFoundError')
    assert.equal(error.code, 'route_vanished')
    assert.ok((await rejected(t, problemOf(500, 'internal_error'), 500)) instanceof InternalError)
  })

  test('a rejection is handled by whoever asks for the response', async (t) => {
    const { backline } = await clientOf(t, (_, response) => problem(response, 404, 'not_found'))
    // An unhandled rejection would fail this test.
    await assert.rejects(backline.conversations.retrieve('conv_1').withResponse(), NotFoundError)
    await assert.rejects(async () => {
      for await (const _ of backline.conversations.list()) assert.fail()
    }, NotFoundError)
  })
})
