import { type ApiKey, Credential } from './credential.ts'

/** Options of a client. `undefined` means the default. */
export type BacklineOptions = {
  /**
   * A secret key (`bkl_live_…`, `bkl_test_…`), an end-user token (`bkl_eut_…`) or a publishable key (`bkl_pub_…`), or a
   * function that returns one. The function is called before the first request, and again when the API has refused what
   * it returned (401), once for all requests that wait for it. An error that it throws ends these requests. It must not
   * wait for requests of the same client, which wait for it.
   */
  apiKey: ApiKey
  /** The address of the server; default `http://127.0.0.1:8080`. */
  baseUrl?: string | undefined
  /** Maximum number of retries of a request; default 4. */
  maxRetries?: number | undefined
  /** Timeout of one attempt in milliseconds; default 60,000; the server ends a request after 30 seconds. */
  timeoutMs?: number | undefined
  /** The acting operator of all requests (`Backline-Operator`). */
  operatorId?: string | undefined
  /** Headers of all requests. */
  headers?: Record<string, string> | undefined
  /** Replaces the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /**
   * Allows a browser to use a secret key. Everybody who opens the page can then read it, and do with it what its scopes
   * allow.
   */
  dangerouslyAllowBrowser?: boolean | undefined
}

/** Options of a request. `undefined` means the value of the client. */
export type RequestOptions = {
  /**
   * Identifies a write, so that it is performed once however often it is sent. Default: a new key, which its retries
   * share. Pass your own to repeat the request after a crash.
   */
  idempotencyKey?: string | undefined
  /** The acting operator (`Backline-Operator`); null for none. */
  operatorId?: string | null | undefined
  /** An ETag: the write succeeds only if the object still has it; else `PreconditionFailedError`. */
  ifMatch?: string | undefined
  /** An ETag: the read throws `NotModifiedError` if the object still has it. */
  ifNoneMatch?: string | undefined
  /** Ends the request, its retries and the pauses between them. The request then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Timeout of one attempt in milliseconds; for streams, the longest time without data. */
  timeoutMs?: number | undefined
  /** Maximum number of retries. */
  maxRetries?: number | undefined
  /** More headers, which replace those of the client. */
  headers?: Record<string, string> | undefined
}

/** Options with their defaults. */
export type Settings = {
  credential: Credential
  baseUrl: string
  maxRetries: number
  timeoutMs: number
  operatorId: string | undefined
  headers: Record<string, string>
  fetch(url: string, init: RequestInit): Promise<Response>
}

/** Checks options and applies defaults. @throws TypeError that names the option */
export function settingsOf(options: BacklineOptions): Settings {
  const { apiKey, baseUrl = 'http://127.0.0.1:8080', maxRetries = 4, timeoutMs = 60_000 } = options ?? {}
  const credential = new Credential(apiKey, options?.dangerouslyAllowBrowser === true)
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl))
    throw new TypeError(`baseUrl is not an http or https URL: ${baseUrl}`)
  checkNumbers({ maxRetries, timeoutMs })
  return {
    credential,
    baseUrl: baseUrl.replace(/(\/v1)?\/*$/, ''), // paths begin with the version
    maxRetries,
    timeoutMs,
    operatorId: options.operatorId,
    headers: options.headers ?? {},
    // A method call would give fetch a wrong `this`, which browsers reject.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  }
}

const optionNames = new Set<string>([
  'idempotencyKey',
  'operatorId',
  'ifMatch',
  'ifNoneMatch',
  'signal',
  'timeoutMs',
  'maxRetries',
  'headers',
] satisfies (keyof RequestOptions)[])

/** @throws TypeError for an unknown option, such as a field of the body that is passed as an option */
export function checkRequestOptions(operation: string, options: RequestOptions): void {
  const unknown = Object.keys(options).find((name) => !optionNames.has(name))
  if (unknown !== undefined)
    throw new TypeError(
      `${operation} has no option "${unknown}"; options are ${[...optionNames].join(', ')}.`,
    )
  checkNumbers(options)
}

function checkNumbers({
  maxRetries = 0,
  timeoutMs = 1,
}: Pick<RequestOptions, 'maxRetries' | 'timeoutMs'>): void {
  if (!(maxRetries >= 0)) throw new TypeError(`maxRetries must be 0 or more; it is ${maxRetries}.`)
  if (!(timeoutMs > 0)) throw new TypeError(`timeoutMs must be more than 0; it is ${timeoutMs}.`)
}
