import { ApiError, ConnectionError, UnexpectedResponseError } from './errors.ts'

const firstPauseMs = 200
const longestPauseMs = 10_000
const longestRetryAfterMs = 60_000

/** Codes of the API after which the same request with the same key may succeed. */
const transientCodes = new Set<string>([
  'rate_limited',
  'unavailable',
  'internal_error',
  'idempotency_key_in_use',
])
/** Statuses of a proxy after which the same request may succeed. */
const transientStatuses = new Set([429, 502, 503, 504])

/** Performs attempts until one succeeds, fails for good, or is the last. @throws the error of the last attempt */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  {
    maxRetries,
    signal,
    mayPass = isTransient,
  }: {
    maxRetries: number
    signal: AbortSignal | undefined
    mayPass?: ((error: unknown) => boolean) | undefined
  },
): Promise<Result> {
  for (let retries = 0; ; retries++) {
    signal?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      if (retries >= maxRetries || !mayPass(error)) throw error
      await pause(pauseMsAfter(error, retries), signal)
    }
  }
}

/** Whether a retry may succeed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return transientCodes.has(error.code)
  if (error instanceof UnexpectedResponseError) return transientStatuses.has(error.status)
  return error instanceof ConnectionError
}

/** Milliseconds to the next attempt: as the server asks, up to a minute, or longer after each failure. */
function pauseMsAfter(error: unknown, retries: number): number {
  const headers = error instanceof ApiError || error instanceof UnexpectedResponseError ? error.headers : null
  const asked = retryAfterMs(headers?.get('retry-after') ?? null)
  if (asked !== null) return Math.min(asked, longestRetryAfterMs)
  return Math.min(firstPauseMs * 2 ** retries, longestPauseMs) * (0.5 + Math.random() / 2)
}

/** `Retry-After` is a number of seconds or a date (RFC 9110). Null without one, or if the date has passed. */
function retryAfterMs(value: string | null): number | null {
  if (value === null) return null
  const seconds = Number(value)
  if (!Number.isNaN(seconds)) return seconds * 1000
  const ms = Date.parse(value) - Date.now()
  return ms > 0 ? ms : null
}

/** Waits. @throws the signal's reason as soon as it is aborted */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return unlessAborted(end, signal).finally(() => clearTimeout(timer))
}

/** The result of a promise. @throws the signal's reason as soon as it is aborted */
export function unlessAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason)
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort))
  })
}
