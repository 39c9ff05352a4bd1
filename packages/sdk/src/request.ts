import { blobOf, type UploadBytes } from './bytes.ts'
import { type Operation, userAgent } from './operations.generated.ts'
import type { RequestOptions, Settings } from './options.ts'

/** A request as each attempt sends it. */
export type Request = {
  method: string
  url: string
  headers: Headers
  /** JSON, or bytes. */
  body: string | Blob | undefined
  /** Whether a redirect leads to the response. */
  mayBeElsewhere: boolean
}

/** The input of any operation. */
export type Input = {
  params?: Record<string, string> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
}

/** @throws TypeError for a missing path parameter */
export function requestOf(
  name: string,
  { method, path, accept, reply, contentType = 'application/json', repeated = [] }: Operation,
  { params = {}, query = {}, body }: Input,
  { headers, ...options }: RequestOptions,
  settings: Settings,
): Request {
  const target = path.replace(/\{(\w+)\}/g, (_, param: string) => segmentOf(name, param, params[param]))
  const { operatorId = settings.operatorId, ifMatch, ifNoneMatch } = options
  const idempotencyKey = options.idempotencyKey ?? (method === 'GET' ? undefined : newKey())
  const own = {
    accept,
    'user-agent': userAgent,
    'content-type': body === undefined ? undefined : contentType,
    'backline-operator': operatorId,
    'idempotency-key': idempotencyKey,
    'if-match': ifMatch,
    'if-none-match': ifNoneMatch,
  }
  return {
    method,
    url: settings.baseUrl + target + searchOf(query, repeated),
    headers: merged(settings.headers, own, headers),
    body:
      body === undefined
        ? undefined
        : contentType === 'application/json'
          ? JSON.stringify(body)
          : bytesOf(body),
    mayBeElsewhere: reply === 'bytes',
  }
}

const bytesOf = (body: unknown): string | Blob =>
  typeof body === 'string' ? body : blobOf(body as UploadBytes)

function segmentOf(name: string, param: string, value: unknown): string {
  if (typeof value !== 'string' || value === '')
    throw new TypeError(`${name} needs ${param}, a text that is not empty; it is ${JSON.stringify(value)}.`)
  // `fetch` would take them for steps in the path, and call another operation.
  if (value === '.' || value === '..')
    throw new TypeError(`${name} needs ${param}; it is ${JSON.stringify(value)}.`)
  return encodeURIComponent(value)
}

/**
 * Lists are repeated or separated by commas, times are ISO 8601, filters are JSON, and null and undefined are left out.
 */
function searchOf(query: Record<string, unknown>, repeated: readonly string[]): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    if (repeated.includes(name) && Array.isArray(value))
      for (const each of value) search.append(name, textOf(each))
    else search.set(name, textOf(value))
  }
  return search.size === 0 ? '' : `?${search}`
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value)
}

/** A random key. `crypto.randomUUID` does not exist in pages without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Headers of later arguments replace those of earlier ones; null and undefined are left out. */
function merged(...all: (Record<string, string | null | undefined> | undefined)[]): Headers {
  const headers = new Headers()
  for (const some of all)
    for (const [name, value] of Object.entries(some ?? {}))
      if (value !== undefined && value !== null) headers.set(name, value)
  return headers
}
