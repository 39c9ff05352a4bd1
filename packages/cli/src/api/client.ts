import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '@backline/server/compose/reason.ts'
import { CommandError } from '../errors.ts'
import { problemIn, sentenceOf } from './problem.ts'

export type ApiRequest = {
  query?: Record<string, string> | [string, string][]
  /** A JSON value. */
  body?: unknown
  /** More headers; they replace those of the client. */
  headers?: Record<string, string>
  /** Default for POST: a new one, which the retries share. */
  idempotencyKey?: string
  /** The acting operator. */
  operator?: string
  /** For each attempt; default 30 s. */
  timeoutMs?: number
}

export type ApiResponse = { status: number; reason: string; headers: Headers; text: string }

/** A client of the API. It repeats requests that were limited, shed or lost, with the same Idempotency-Key. */
export type Client = {
  /** The response, whatever its status. @throws CommandError if there is none */
  send(method: string, path: string, request?: ApiRequest): Promise<ApiResponse>
  /** The body of a successful response. @throws ApiRefusal for others */
  call(method: string, path: string, request?: ApiRequest): Promise<Json>
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of all operations; commands read few members
export type Json = any

/** The server refused a request. */
export class ApiRefusal extends CommandError {
  /** The `params` of the problem. */
  readonly params: Record<string, unknown>

  constructor(code: string, message: string, params: Record<string, unknown> = {}) {
    super(code, message)
    this.params = params
  }
}

const usualTimeoutMs = 30_000
const maxRetries = 5
/** A rate-limited request waits for its turn, which can take as many pauses as other requests wait. */
const maxLimited = 100
const maxRetryAfterMs = 60_000
const firstPauseMs = 200
const unavailable = new Set([500, 502, 503, 504])
/** A retry cannot help: there is no such server. */
const hopeless = new Set([
  'bad port',
  'ECONNREFUSED',
  'ENOTFOUND',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
])

/** @param signal ends all requests and pauses */
export function openClient({ url, key }: { url: string; key: string }, signal?: AbortSignal): Client {
  /** A 429 of one request holds back all. */
  let pausedUntilMs = 0

  async function send(method: string, path: string, request: ApiRequest = {}): Promise<ApiResponse> {
    const [target, init] = prepare(url, key, method, path, request)
    let [failures, limited] = [0, 0]
    for (;;) {
      await pause(pausedUntilMs - performance.now(), signal)
      const outcome = await attempt(target, init, request.timeoutMs ?? usualTimeoutMs, signal)
      if (!('lost' in outcome)) {
        if (outcome.status === 429 && limited++ < maxLimited) {
          const waitMs = Math.max(retryAfterMs(outcome.headers) ?? 0, firstPauseMs)
          pausedUntilMs = Math.max(pausedUntilMs, performance.now() + waitMs)
          continue
        }
        if (!isWorthRetrying(outcome) || failures >= maxRetries) return outcome
        await pause(retryAfterMs(outcome.headers) ?? growing(failures), signal)
      } else {
        if (outcome.isFinal || failures >= maxRetries)
          throw new CommandError(
            'unavailable',
            `cannot reach ${url}: ${outcome.lost}; is the server running?`,
          )
        await pause(growing(failures), signal)
      }
      failures++
    }
  }

  return {
    send,
    async call(method, path, request) {
      const response = await send(method, path, request)
      if (response.status >= 200 && response.status < 300) return bodyOf(url, response)
      throw refusalOf(url, method, path, response)
    },
  }
}

function prepare(
  base: string,
  key: string,
  method: string,
  path: string,
  { query = {}, body, headers, idempotencyKey, operator }: ApiRequest,
): [URL, RequestInit] {
  const url = new URL(base + path)
  for (const [name, value] of Array.isArray(query) ? query : Object.entries(query))
    url.searchParams.append(name, value)
  const idempotent = idempotencyKey ?? (method === 'POST' ? randomUUID() : undefined)
  return [
    url,
    {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotent === undefined ? {} : { 'idempotency-key': idempotent }),
        ...(operator === undefined ? {} : { 'backline-operator': operator }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    },
  ]
}

type Lost = { lost: string; isFinal: boolean }

async function attempt(
  url: URL,
  init: RequestInit,
  timeoutMs: number,
  stop: AbortSignal | undefined,
): Promise<ApiResponse | Lost> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const signal = stop ? AbortSignal.any([stop, timeout]) : timeout
    const response = await fetch(url, { ...init, signal })
    const { status, statusText: reason, headers } = response
    return { status, reason, headers, text: await response.text() }
  } catch (error) {
    if (stop?.aborted) throw stopped(error)
    if (timeout.aborted) return { lost: `no response within ${timeoutMs / 1000} s`, isFinal: false }
    const { cause = null } = error as Error // without one, the request was not valid
    return { lost: reasonOf(cause ?? error), isFinal: cause === null || hopeless.has(codeOf(cause)) }
  }
}

const stopped = (cause: unknown) =>
  new CommandError('cancelled', 'stopped; run the same command again to continue', cause)

function codeOf(cause: unknown): string {
  const { code, errors, message } = cause as NodeJS.ErrnoException & { errors?: { code?: string }[] }
  return code ?? errors?.[0]?.code ?? message
}

const isWorthRetrying = ({ status, headers, text }: ApiResponse): boolean =>
  unavailable.has(status) ||
  (status === 409 && problemIn(headers.get('content-type'), text)?.code === 'idempotency_key_in_use')

/** Seconds or a date, at most a minute; null without the header. */
function retryAfterMs(headers: Headers): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), maxRetryAfterMs)
}

const growing = (failures: number) => firstPauseMs * 2 ** failures * (0.5 + Math.random() / 2)

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms <= 0) return
  try {
    await sleep(ms, undefined, signal ? { signal } : {})
  } catch (error) {
    throw stopped(error)
  }
}

function bodyOf(url: string, { text, headers }: ApiResponse): Json {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch (error) {
    const type = headers.get('content-type') ?? 'no media type'
    throw new CommandError('unavailable', `${url} returned ${type} instead of JSON; ${notBackline}`, error)
  }
}

export const notBackline = 'check that it is the address of a Backline server'

function refusalOf(
  url: string,
  method: string,
  path: string,
  { status, headers, text }: ApiResponse,
): ApiRefusal {
  const problem = problemIn(headers.get('content-type'), text)
  if (!problem) return new ApiRefusal('unavailable', `${url} returned ${status}; ${notBackline}`)
  const { code, params } = problem
  const what = code.startsWith('api_key') ? url : `${method} ${path}`
  return new ApiRefusal(code, `${what} returned ${status} ${code}: ${sentenceOf(problem)}`, params)
}
