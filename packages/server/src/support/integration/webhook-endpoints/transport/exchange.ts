import type { Dispatcher } from 'undici'
import type { Connection } from './connection.ts'
import type { TransportLimits } from './limits.ts'

export type Message = {
  /** Path and query. */
  path: string
  headers: Record<string, string>
  body: string | Buffer
}

/** What came of one request on one connection. */
export type Exchange = {
  /** Null: no answer. */
  status: number | null
  retryAfter: string | null
  /** As much of the body as is kept. */
  body: Buffer
  /** Why there is no answer, or not all of it. */
  failure: unknown
  /** The connection had served before, and the answer did not even begin. */
  isStale: boolean
  /** The answer came to its end, so that another request can follow. */
  isWhole: boolean
}

/**
 * Sends one POST and reads the answer as far as the limits go; it never rejects. It ends with the answer, with an
 * error, or with `signal`; the connection is the caller's to give back or to end.
 */
export function exchange(
  connection: Connection,
  { path, headers, body }: Message,
  limits: TransportLimits,
  signal: AbortSignal,
): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>()
  const kept: Buffer[] = []
  const opensBefore = connection.opens
  let [status, retryAfter, read, isStale] = [null as number | null, null as string | null, 0, false]

  const end = (failure: unknown, isWhole = false) => {
    signal.removeEventListener('abort', expire)
    const stored = Buffer.concat(kept).subarray(0, limits.storedBodyBytes)
    resolve({ status, retryAfter, body: stored, failure, isStale, isWhole })
  }
  const expire = () => end(signal.reason)

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart() {
      isStale = opensBefore > 0 && connection.opens === opensBefore
    },
    onResponseStarted() {
      isStale = false
    },
    onResponseStart(_, statusCode, responseHeaders) {
      if (statusCode < 200) return // an interim answer, such as 103
      status = statusCode
      retryAfter = [responseHeaders['retry-after']].flat()[0] ?? null
    },
    onResponseData(_, chunk) {
      if (read < limits.storedBodyBytes) kept.push(chunk)
      read += chunk.length
      if (read > limits.responseBytes) end(null)
    },
    onResponseEnd() {
      end(null, true)
    },
    onResponseError(_, error) {
      end(error)
    },
  }
  connection.awaitAnswer()
  signal.addEventListener('abort', expire)
  if (signal.aborted) expire()
  else connection.client.dispatch({ path, method: 'POST', headers, body }, handler)
  return promise
}
