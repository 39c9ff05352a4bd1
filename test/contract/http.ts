import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { errorCatalogue, fieldErrorCodes } from '@backline/server/platform/kernel/errors.ts'
import { type Answer, exchange } from '../exchange.ts'

/*
 * HTTP without the restrictions of a usual client: any method, repeated headers, any bytes as a body. The general rules
 * for responses are checked here, on every response that any suite receives.
 */

export type Request = {
  method: string
  /** Includes the query. */
  path: string
  /** The API key; null sends no `Authorization`. */
  key: string | null
  /** Null omits a header that is sent by default; a list sends the header several times. */
  headers?: Record<string, string | string[] | null>
  /** Text and bytes are sent unchanged, other values as JSON, undefined not at all. */
  body?: unknown
}

export type Sent = Answer & { request: Request }

/** The default of `readConfig`. */
export const publicUrl = 'http://127.0.0.1:8080'

/** The operators for whom the requests of keys act that must act for one. */
const operators = new Map<string, Promise<string | null>>()

/** The operator for whom requests with a key act; null for a key that cannot create one. */
export function operatorOf(server: { url: string }, key: string): Promise<string | null> {
  const known = operators.get(key)
  if (known) return known
  const email = `${randomUUID()}@example.com`
  const body = { name: 'For whom requests act', email }
  const made = exchangeJson(server, { method: 'POST', path: '/v1/operators', key, body }).then(
    ({ status, body }) => (status === 201 ? (body.id as string) : null),
  )
  operators.set(key, made)
  return made
}

/** True for a request that has to act for an operator. */
const mustAct = ({ path }: Request): boolean =>
  /^\/v\d+\/notification/.test(path) || /[?&](unread|follower_id)=me\b|[?&]include=[^&]*read_state/.test(path)

/**
 * Sends a request. Every POST gets a fresh Idempotency-Key unless `headers` has one, or null. What has to act for an
 * operator does so, unless `headers` names one or null.
 */
export async function send(server: { url: string }, request: Request): Promise<Sent> {
  const { key, headers = {} } = request
  const names = 'backline-operator' in headers || 'cookie' in headers
  const operator = key !== null && !names && mustAct(request) ? await operatorOf(server, key) : null
  if (operator === null) return exchangeJson(server, request)
  return exchangeJson(server, { ...request, headers: { ...headers, 'backline-operator': operator } })
}

async function exchangeJson(server: { url: string }, request: Request): Promise<Sent> {
  const { method, path, key, body } = request
  const asIs = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
  const text = asIs ? body : JSON.stringify(body)
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries({
    authorization: key === null ? null : `Bearer ${key}`,
    'content-type': body === undefined ? null : 'application/json',
    'content-length': text === undefined ? null : String(Buffer.byteLength(text)),
    'idempotency-key': method === 'POST' ? randomUUID() : null,
    ...request.headers,
  })) {
    if (value !== null) headers[name] = value
  }
  const answer = await exchange(server.url, { method, path, headers }, text)
  checkAnswer({ ...answer, request })
  return { ...answer, request }
}

/** `POST /v1/x: 422 {…}`, to begin the message of a failed assertion. */
export const describe = ({ request, status, text }: Sent) =>
  `${request.method} ${request.path}: ${status} ${text.slice(0, 1000)}`

/** Asserts the rules for every response (contract 1.1, 1.4): a request id, a media type, the error format, no 5xx. */
function checkAnswer(answer: Sent): void {
  const { request, status, headers, text, body } = answer
  const what = describe(answer)
  assert.match(headers.get('request-id') ?? '', /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/, `Request-Id of ${what}`)
  assert.equal(headers.get('x-content-type-options'), 'nosniff', what)
  assert.ok(status < 500, what)
  if (request.method === 'HEAD' || status === 204 || status === 304) {
    assert.equal(text, '', what)
  } else if (status < 400) {
    assert.match(
      headers.get('content-type') ?? '',
      /^(application\/json; charset=utf-8$|text\/|application\/x-ndjson$|message\/rfc822$)/,
      what,
    )
  } else {
    assert.match(headers.get('content-type') ?? '', /^application\/problem\+json(; charset=utf-8)?$/, what)
    assert.equal(body?.status, status, what)
    checkProblem(body, request, headers, what)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the body is what is being examined
function checkProblem(body: any, { path }: Request, headers: Headers, what: string): void {
  const members = ['type', 'title', 'status', 'code', 'detail', 'instance', 'request_id', 'params', 'errors']
  assert.deepEqual(Object.keys(body), members, what)
  const entry = errorCatalogue[body.code as keyof typeof errorCatalogue]
  assert.ok(entry, `A code of the catalogue: ${what}`)
  assert.equal(body.type, `${publicUrl}/problems/${body.code}`, what)
  assert.equal(body.title, entry[1], what)
  assert.ok(body.code === 'bad_request' || body.status === entry[0], what)
  assert.equal(body.instance, path.split('?', 1)[0], what)
  assert.equal(body.request_id, headers.get('request-id'), what)
  assert.ok(typeof body.detail === 'string' && body.detail !== '', what)
  assert.ok(body.params !== null && typeof body.params === 'object' && !Array.isArray(body.params), what)
  assert.ok(Array.isArray(body.errors), what)
  for (const fault of body.errors) {
    const { code, detail, ...place } = fault
    assert.ok(fieldErrorCodes.includes(code), what)
    assert.ok(typeof detail === 'string' && detail !== '', what)
    // A parameter that is JSON is named together with the part of it.
    if (place.parameter === 'filter' || place.parameter === 'filters') delete place.pointer
    assert.equal(Object.keys(place).length, 1, what)
    assert.match(Object.keys(place)[0]!, /^(pointer|parameter|header)$/, what)
    assert.equal(typeof Object.values(place)[0], 'string', what)
  }
  assert.doesNotMatch(
    JSON.stringify(body.detail),
    /\bselect\b.*\bfrom\b|\binsert into\b|\.ts:\d|node_modules|at \S+ \(/i,
    what,
  )
}

/** Asserts that the response is an error with this code of the catalogue and its status. */
export function refused(answer: Sent, code: keyof typeof errorCatalogue): void {
  assert.equal(answer.body?.code, code, describe(answer))
  assert.equal(answer.status, errorCatalogue[code][0], describe(answer))
}
