import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Logger } from 'pino'
import type { Target } from './settings.ts'

/** The outcome of an export: `later` if the receiver may accept the same request at another time. */
export type Delivered = 'done' | 'refused' | 'later'

export type Exporter = {
  /** Never rejects. @param request a message of OTLP @param signal ends it early, at a shutdown */
  send(request: object, signal?: AbortSignal): Promise<Delivered>
}

const compress = promisify(gzip)
/** Failures are logged at most once in this time. */
const quietMs = 60_000
/** The statuses that OTLP lists as worth a retry. */
const isTemporary = (status: number) => [429, 502, 503, 504].includes(status)

/** Sends requests by OTLP over HTTP, as JSON. A receiver that fails costs one log line per minute. */
export function openExporter(
  what: string,
  { url, headers, timeoutMs, isCompressed }: Target,
  log: Pick<Logger, 'warn'>,
): Exporter {
  let silentUntil = 0
  const endpoint = new URL(url)
  const { origin, pathname } = endpoint

  function complain(reason: string): void {
    if (performance.now() < silentUntil) return
    silentUntil = performance.now() + quietMs
    log.warn({ endpoint: origin + pathname, reason }, `exporting ${what} failed; will retry`)
  }

  return {
    async send(request, signal) {
      try {
        const json = JSON.stringify(request)
        const timeout = AbortSignal.timeout(timeoutMs)
        const response = await fetch(endpoint, {
          method: 'POST',
          headers: {
            'user-agent': 'Backline-OTLP-Exporter',
            ...headers,
            'content-type': 'application/json',
            ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
          },
          body: isCompressed ? new Uint8Array(await compress(json)) : json,
          redirect: 'error',
          signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
        })
        await response.body?.cancel()
        if (response.ok) return 'done'
        complain(`status ${response.status}`)
        return isTemporary(response.status) ? 'later' : 'refused'
      } catch (error) {
        if (!signal?.aborted) complain(reasonOf(error))
        return 'later'
      }
    },
  }
}

/** `fetch` hides the reason of a failed connection in the cause of its error. Messages may contain secret headers. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as Error
  const code = (cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : name === 'TimeoutError' ? 'no response in time' : name
}
