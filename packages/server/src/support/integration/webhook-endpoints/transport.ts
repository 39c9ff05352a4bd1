import type { BlockList } from 'node:net'
import { createSecureContext } from 'node:tls'
import { openSemaphore } from '../../../platform/kernel/semaphore.ts'
import { faultOfUrl } from './destination.ts'
import { openAgents } from './transport/agents.ts'
import { type Exchange, exchange, type Message } from './transport/exchange.ts'
import { DeliveryFailure, describeFailure, interrupted, timedOut } from './transport/failures.ts'
import { defaultLimits, type TransportLimits } from './transport/limits.ts'
import { nameResolver, type ResolveName, systemNames } from './transport/name-resolution.ts'
import { limitedNames, sharedNames } from './transport/name-sharing.ts'
import { openConnection } from './transport/opening.ts'

/** The result of an attempt. Either `status` or `error` is null. */
export type Answer = {
  status: number | null
  /** The beginning of the response body as text; null without a response. */
  body: string | null
  /** The reason for a missing response: a short stable text for the owner of the endpoint. */
  error: string | null
  /** The unparsed header: seconds, a date, or anything else. */
  retryAfter: string | null
  /** Measured from the start of the attempt, without the wait for a free connection. */
  durationMs: number
}

export type OutgoingRequest = { url: string; headers: Record<string, string>; body: string | Buffer }

export type Transport = {
  /** Sends a request. Never rejects. A response counts once its header has arrived, whatever happens to its body. */
  post(request: OutgoingRequest): Promise<Answer>
  /** The number of names that are being looked up. */
  readonly lookups: number
  /** Closes all connections. Requests in progress or waiting resolve with the error `interrupted`. */
  close(): Promise<void>
}

type TransportOptions = {
  /** Networks of the configuration that may be private and use plain `http:`. */
  allowed: BlockList
  limits?: Partial<TransportLimits>
  resolve?: ResolveName
  /** PEM certificates that replace those that Node trusts. */
  certificateAuthorities?: string[]
}

/**
 * Sends webhooks: HTTP/1.1 over keep-alive connections, to allowed addresses only. Redirects are not followed; proxies
 * of the environment and cookies are not used.
 */
export function openTransport(options: TransportOptions): Transport {
  const { allowed } = options
  const limits = { ...defaultLimits, ...options.limits }
  const system = allowed.rules.length > 0 ? limitedNames(systemNames) : null
  const names = sharedNames(options.resolve ?? nameResolver({ system }))
  const connecting = {
    allowed,
    connectMs: limits.connectMs,
    resolve: names.resolve,
    // Shared by all connections, because each context holds all trusted certificates.
    secureContext: createSecureContext(
      options.certificateAuthorities && { ca: options.certificateAuthorities },
    ),
  }
  const agents = openAgents((...target) => openConnection(connecting, ...target), limits)
  const slots = openSemaphore({ limitOfKey: limits.connectionsPerOrigin })
  const underWay = new Set<AbortController>()
  let isClosed = false

  async function send(message: Message): Promise<Exchange> {
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(timedOut('timed out', limits.attemptMs)), limits.attemptMs)
    underWay.add(stop)
    let outcome = await exchange(agents, message, limits, stop.signal)
    // A receiver may close an idle connection while a request is sent; this is not its failure. If it has read the
    // request nevertheless, it receives the webhook twice and can detect this by `webhook-id`. Other idle connections
    // may be closed as well.
    if (outcome.isStale) {
      agents.closeIdle(message.url)
      outcome = await exchange(agents, message, limits, stop.signal)
    }
    underWay.delete(stop)
    clearTimeout(timer)
    return outcome
  }

  return {
    async post({ url, headers, body }) {
      let startedAt = performance.now()
      const failed = (error: string) => answered({ status: null, body: null, error, retryAfter: null })
      const answered = (answer: Omit<Answer, 'durationMs'>): Answer => ({
        ...answer,
        durationMs: Math.round(performance.now() - startedAt),
      })
      const fault = faultOfUrl(url, allowed)
      if (fault) return failed(`the URL ${fault.detail}`)
      const bytes = typeof body === 'string' ? Buffer.from(body) : body
      const message = { url: new URL(url), headers, body: bytes }
      const { origin } = message.url
      const release = await slots.acquire(origin, Number.POSITIVE_INFINITY)
      startedAt = performance.now()
      const outcome = release && !isClosed ? await send(message) : null
      release?.()
      if (!outcome) return failed(interrupted)
      const { status, retryAfter } = outcome
      if (status === null) return failed(describeFailure(outcome.failure))
      const text = storedText(outcome.body, limits.storedBodyBytes)
      return answered({ status, body: text, error: null, retryAfter })
    },
    get lookups() {
      return names.pending
    },
    async close() {
      isClosed = true
      for (const stop of underWay) stop.abort(new DeliveryFailure(interrupted))
      slots.close()
      agents.close()
    },
  }
}

/** Returns text that PostgreSQL can store, at most `maxBytes` of UTF-8, without a partial character at the end. */
function storedText(bytes: Buffer, maxBytes: number): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true })
    .decode(bytes, { stream: bytes.length === maxBytes })
    .replaceAll('\0', '')
  const encoded = Buffer.from(text) // replacement characters are longer than the bytes they replace
  if (encoded.length <= maxBytes) return text
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(encoded.subarray(0, maxBytes), { stream: true })
}
