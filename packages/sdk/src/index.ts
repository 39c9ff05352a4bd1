import { type Operations, operations, type Problem } from './generated.ts'

export type * from './generated.ts'

export type BacklineOptions = {
  /** A secret key, `bkl_live_…` or `bkl_test_…`. */
  apiKey: string
  /** Default `http://127.0.0.1:8080`. */
  baseUrl?: string
  /** Maximum number of retries of a request; default 4. */
  maxRetries?: number
  /** Timeout of one attempt in milliseconds; default 30,000. */
  timeoutMs?: number
  /** The acting operator of all requests (`Backline-Operator`). */
  operatorId?: string
  fetch?: typeof fetch
}

export type CallOptions = {
  /** Default for POST: a new key per call, which its retries share. */
  idempotencyKey?: string
  /** An ETag: the call succeeds only if the object still has it. */
  ifMatch?: string
  signal?: AbortSignal
}

type Name = keyof Operations
type ListName = { [N in Name]: Operations[N]['reply'] extends { data: unknown[] } ? N : never }[Name]
type Item<N extends ListName> = Operations[N]['reply'] extends { data: (infer One)[] } ? One : never
/** `params`, `query` and `body`, if the operation has them. */
type Input<N extends Name> = Operations[N]['input']
type Arguments<N extends Name> =
  Record<never, never> extends Input<N> ? [input?: Input<N> & CallOptions] : [input: Input<N> & CallOptions]

/** An error of the API: `code` is stable, `problem` is the whole response (RFC 9457). */
export class BacklineError extends Error {
  override name = 'BacklineError'
  readonly problem: Problem
  readonly headers: Headers

  constructor(problem: Problem, headers: Headers) {
    super(`${problem.code}: ${problem.detail} (${problem.request_id})`)
    this.problem = problem
    this.headers = headers
  }

  get code() {
    return this.problem.code
  }

  get status() {
    return this.problem.status
  }
}

/** Errors after which the same request with the same key may succeed. */
const worthRetrying = new Set<string>([
  'rate_limited',
  'unavailable',
  'internal_error',
  'idempotency_key_in_use',
])
const firstPauseMs = 200
const longestPauseMs = 10_000

export class Backline {
  readonly #options: Required<Omit<BacklineOptions, 'operatorId'>> & { operatorId?: string }

  constructor(options: BacklineOptions) {
    this.#options = { baseUrl: 'http://127.0.0.1:8080', maxRetries: 4, timeoutMs: 30_000, fetch, ...options }
  }

  /**
   * Calls an operation.
   * @throws BacklineError for errors of the API; TypeError or a DOMException if the server cannot be reached in time
   */
  async call<N extends Name>(name: N, ...[input]: Arguments<N>): Promise<Operations[N]['reply']> {
    const request = this.#request(name, (input ?? {}) as Loose)
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(request, (input as Loose | undefined)?.signal)
      if (outcome.done) return outcome.reply as Operations[N]['reply']
      if (attempt === this.#options.maxRetries) throw outcome.error
      await pause(
        outcome.retryAfterMs ??
          Math.min(longestPauseMs, firstPauseMs * 2 ** attempt * (0.5 + Math.random() / 2)),
      )
    }
  }

  /** Iterates over all items of a list, page by page. */
  async *each<N extends ListName>(name: N, ...[input]: Arguments<N>): AsyncGenerator<Item<N>> {
    let cursor: string | null | undefined
    do {
      const query = { ...(input as Loose | undefined)?.query, ...(cursor ? { cursor } : {}) }
      const page = (await this.call(
        name,
        ...([{ ...input, query }] as unknown as Arguments<N>),
      )) as unknown as Page<Item<N>>
      yield* page.data
      cursor = page.has_more ? page.next_cursor : null // the last page of a feed has one too
    } while (cursor)
  }

  #request(
    name: Name,
    { params = {}, query = {}, body, idempotencyKey, ifMatch }: Loose,
  ): { url: URL; init: RequestInit } {
    const { method, path } = operations[name]
    const filled = path.replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ''))
    const url = new URL(this.#options.baseUrl.replace(/\/$/, '') + filled)
    for (const [key, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(key, String(value))
    const key = idempotencyKey ?? (method === 'POST' ? crypto.randomUUID() : undefined)
    const headers = {
      authorization: `Bearer ${this.#options.apiKey}`,
      accept: 'application/json',
      ...(this.#options.operatorId ? { 'backline-operator': this.#options.operatorId } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    return { url, init: { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) } }
  }

  /** One attempt: the reply, or an error that is worth a retry; other errors are thrown. */
  async #attempt(
    { url, init }: { url: URL; init: RequestInit },
    signal: AbortSignal | undefined,
  ): Promise<Attempt> {
    const timeout = AbortSignal.timeout(this.#options.timeoutMs)
    let response: Response
    let text: string
    try {
      response = await this.#options.fetch(url, {
        ...init,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      })
      text = await response.text()
    } catch (error) {
      if (signal?.aborted) throw error
      return { done: false, error, retryAfterMs: null }
    }
    if (response.ok) return { done: true, reply: text === '' ? undefined : JSON.parse(text) }
    const error = new BacklineError(problemOf(url.pathname, response, text), response.headers)
    if (!worthRetrying.has(error.code)) throw error
    const retryAfter = response.headers.get('retry-after')
    return { done: false, error, retryAfterMs: retryAfter === null ? null : Number(retryAfter) * 1000 }
  }
}

type Loose = CallOptions & {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}
type Page<One> = { data: One[]; has_more: boolean; next_cursor: string | null }
type Attempt = { done: true; reply: unknown } | { done: false; error: unknown; retryAfterMs: number | null }

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The server's own problem, or only the status if a proxy responds with HTML. */
function problemOf(path: string, response: Response, text: string): Problem {
  if (response.headers.get('content-type')?.startsWith('application/problem+json')) return JSON.parse(text)
  return {
    type: 'about:blank',
    title: response.statusText,
    status: response.status,
    code:
      response.status === 503 || response.status === 502 || response.status === 504
        ? 'unavailable'
        : 'internal_error',
    detail: `HTTP ${response.status} from something before the API`,
    instance: path,
    request_id: response.headers.get('request-id') ?? 'unknown',
    params: {},
    errors: [],
  }
}
