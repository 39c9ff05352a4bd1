import type { BlockList } from 'node:net'
import { createSecureContext } from 'node:tls'
import { faultOfUrl } from './destination.ts'
import { openAgents } from './transport/agents.ts'
import { type Exchange, exchange, type Message } from './transport/exchange.ts'
import { DeliveryFailure, describeFailure, interrupted, timedOut } from './transport/failures.ts'
import { defaultLimits, type TransportLimits } from './transport/limits.ts'
import { nameResolver, type ResolveName } from './transport/name-resolution.ts'
import { openConnection } from './transport/opening.ts'
import { openTurns } from './transport/turns.ts'

/** What came of an attempt; either `status` or `error` is null. */
export type Answer = {
  status: number | null
  /** The beginning of the answer's body as text; null when there was no answer. */
  body: string | null
  /** Why there was no answer: a short stable text, for the owner of the endpoint. */
  error: string | null
  /** The header as it came: seconds, a date, or anything else. */
  retryAfter: string | null
  /** From the first step of the attempt; waiting for a free connection is none. */
  durationMs: number
}

export type OutgoingRequest = { url: string; headers: Record<string, string>; body: string | Buffer }

export type Transport = {
  /** Never rejects. An answer counts once its header has arrived, whatever becomes of its body. */
  post(request: OutgoingRequest): Promise<Answer>
  /** Ends all connections; what is under way or waits is answered by the error `interrupted`. */
  close(): Promise<void>
}

type TransportOptions = {
  /** Networks of the configuration that may be private and take plain `http:`. */
  allowed: BlockList
  limits?: Partial<TransportLimits>
  resolve?: ResolveName
  /** In place of those that Node trusts, as PEM. */
  certificateAuthorities?: string[]
}

/**
 * Sends webhooks: HTTP/1.1 over connections that are kept alive, to addresses that may be reached and nowhere else.
 * Redirects are answers like others; proxies of the environment and cookies are not known.
 */
export function openTransport(options: TransportOptions): Transport {
  const { allowed } = options
  const limits = { ...defaultLimits, ...options.limits }
  const connecting = {
    allowed,
    connectMs: limits.connectMs,
    resolve: options.resolve ?? nameResolver({ asksSystem: allowed.rules.length > 0 }),
    // One for all: each would hold the trusted certificates again.
    secureContext: createSecureContext(
      options.certificateAuthorities && { ca: options.certificateAuthorities },
    ),
  }
  const agents = openAgents((...target) => openConnection(connecting, ...target), limits)
  const turns = openTurns(limits.connectionsPerOrigin)
  const underWay = new Set<AbortController>()
  let isClosed = false

  async function send(message: Message): Promise<Exchange> {
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(timedOut('timed out', limits.attemptMs)), limits.attemptMs)
    underWay.add(stop)
    let outcome = await exchange(agents, message, limits, stop.signal)
    // Receivers close idle connections, also in the moment of a request; that is no failure of theirs. Should it have
    // been read all the same, it arrives twice, which its `webhook-id` tells. Other idle ones may be closed as well.
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
      await turns.take(origin)
      startedAt = performance.now()
      const outcome = isClosed ? null : await send(message)
      turns.giveBack(origin)
      if (!outcome) return failed(interrupted)
      const { status, retryAfter } = outcome
      if (status === null) return failed(describeFailure(outcome.failure))
      const text = storedText(outcome.body, limits.storedBodyBytes)
      return answered({ status, body: text, error: null, retryAfter })
    },
    async close() {
      isClosed = true
      for (const stop of underWay) stop.abort(new DeliveryFailure(interrupted))
      agents.close()
    },
  }
}

/** Text that PostgreSQL can store, of at most so many bytes in UTF-8; what is cut off leaves no half character. */
function storedText(bytes: Buffer, maxBytes: number): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true })
    .decode(bytes, { stream: bytes.length === maxBytes })
    .replaceAll('\0', '')
  const encoded = Buffer.from(text) // replacement characters are longer than what they stand for
  if (encoded.length <= maxBytes) return text
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(encoded.subarray(0, maxBytes), { stream: true })
}
