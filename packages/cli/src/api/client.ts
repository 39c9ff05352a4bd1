import { randomUUID } from 'node:crypto'
import { ApiError, BacklineError, ConnectionError, TimeoutError } from '@backline/sdk/errors.ts'
import type { Request } from '@backline/sdk/request.ts'
import { isTransient, withRetries } from '@backline/sdk/retry.ts'
import { attempt } from '@backline/sdk/transport.ts'
import { reasonOf } from '@backline/server/compose/reason.ts'
import { CommandError } from '../errors.ts'
import { sentenceOf } from './problem.ts'

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
/** A retry cannot help: there is no such server. */
const hopeless = new Set([
  'bad port',
  'ECONNREFUSED',
  'ENOTFOUND',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
])

/** A response, with the error of the SDK for one that is not 2xx. */
type Exchange = { response: ApiResponse; error: BacklineError | null }

/** @param signal ends all requests and pauses */
export function openClient({ url, key }: { url: string; key: string }, signal?: AbortSignal): Client {
  async function exchange(method: string, path: string, given: ApiRequest = {}): Promise<Exchange> {
    const request = requestOf(url, key, method, path, given)
    const { timeoutMs = usualTimeoutMs } = given
    const latest: { response: ApiResponse | null } = { response: null }
    let [failures, limited] = [0, 0]
    /** Keeps the response as it came, for commands that print it. */
    async function fetchKept(to: string, init: RequestInit): Promise<Response> {
      latest.response = null
      const received = await fetch(to, init)
      const { status, statusText: reason, headers } = received
      const text = await received.text()
      latest.response = { status, reason, headers, text }
      return new Response(text || null, received)
    }
    /** Also a 5xx of anything between here and the server. */
    const mayPass = (error: unknown) => {
      const status = latest.response?.status ?? 0
      if (status === 429) return ++limited <= maxLimited
      return (status >= 500 || (isTransient(error) && !isHopeless(error))) && ++failures <= maxRetries
    }
    try {
      const send = () => attempt(request, { fetch: fetchKept, signal, timeoutMs }, () => null)
      const error = await withRetries(send, { maxRetries: Number.POSITIVE_INFINITY, signal, mayPass })
      return { response: latest.response!, error }
    } catch (error) {
      if (signal?.aborted)
        throw new CommandError('cancelled', 'stopped; run the same command again to continue', error)
      if (!(error instanceof BacklineError)) throw error
      if (latest.response) return { response: latest.response, error }
      const reason = reasonOfLoss(error, timeoutMs)
      throw new CommandError('unavailable', `cannot reach ${url}: ${reason}; is the server running?`)
    }
  }

  return {
    send: async (method, path, request) => (await exchange(method, path, request)).response,
    async call(method, path, request) {
      const { response, error } = await exchange(method, path, request)
      if (error === null) return bodyOf(url, response)
      throw refusalOf(url, `${method} ${path}`, response.status, error)
    },
  }
}

function requestOf(
  base: string,
  key: string,
  method: string,
  path: string,
  { query = {}, body, headers, idempotencyKey, operator }: ApiRequest,
): Request {
  const url = new URL(base + path)
  for (const [name, value] of Array.isArray(query) ? query : Object.entries(query))
    url.searchParams.append(name, value)
  const idempotent = idempotencyKey ?? (method === 'POST' ? randomUUID() : undefined)
  return {
    method,
    url: url.href,
    headers: new Headers({
      authorization: `Bearer ${key}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotent === undefined ? {} : { 'idempotency-key': idempotent }),
      ...(operator === undefined ? {} : { 'backline-operator': operator }),
      ...headers,
    }),
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    mayBeElsewhere: false,
  }
}

type SystemError = NodeJS.ErrnoException & { errors?: { code?: string }[] }

/** The error of the connection itself, which `fetch` has as a cause; undefined for a request that is not valid. */
export const causeOf = (error: unknown) =>
  ((error as Error).cause as Error | undefined)?.cause as SystemError | undefined

function isHopeless(error: unknown): boolean {
  if (!(error instanceof ConnectionError) || error instanceof TimeoutError) return false
  const cause = causeOf(error)
  return cause === undefined || hopeless.has(cause.code ?? cause.errors?.[0]?.code ?? cause.message)
}

/** The reason why there is no response, or no more of one. @param timeoutMs for a response, or without data */
export function reasonOfLoss(error: BacklineError, timeoutMs: number): string {
  if (error instanceof TimeoutError) return `no response within ${timeoutMs / 1000} s`
  if (error.cause === undefined) return `no data received for ${timeoutMs / 1000} s`
  return reasonOf(causeOf(error) ?? error.cause)
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

function refusalOf(url: string, operation: string, status: number, error: BacklineError): ApiRefusal {
  if (!(error instanceof ApiError))
    return new ApiRefusal('unavailable', `${url} returned ${status}; ${notBackline}`)
  const { code, params, problem } = error
  const what = code.startsWith('api_key') ? url : operation
  return new ApiRefusal(code, `${what} returned ${status} ${code}: ${sentenceOf(problem)}`, params)
}
