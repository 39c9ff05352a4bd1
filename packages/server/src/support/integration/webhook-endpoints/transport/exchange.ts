import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { type AgentRequest, type Agents, portOf } from './agents.ts'
import { DeliveryFailure, isClosedByPeer } from './failures.ts'
import type { TransportLimits } from './limits.ts'

export type Message = { url: URL; headers: Record<string, string>; body: Buffer }

/** The result of one request on one connection. */
export type Exchange = {
  /** Null without a response. */
  status: number | null
  retryAfter: string | null
  /** The part of the body that is stored. */
  body: Buffer
  /** The reason for a missing response. */
  failure: unknown
  /** True if a reused connection was closed by the receiver before the response began. */
  isStale: boolean
}

/** Headers that determine framing or routing of the request. */
const ownHeaders =
  /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

/**
 * Sends one POST and reads the response up to the limits. Never rejects. It ends with the response, with an error, or
 * with `signal`. The connection returns to its agent, or is closed if no request can follow on it.
 */
export async function exchange(
  agents: Agents,
  message: Message,
  limits: TransportLimits,
  signal: AbortSignal,
): Promise<Exchange> {
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>()
  const kept: Buffer[] = []
  let [status, retryAfter] = [null as number | null, null as string | null]
  let [arrivedBytes, bodyBytes] = [0, 0]
  let answer: IncomingMessage | null = null

  const count = (socket: Socket, chunk: Buffer) => {
    arrivedBytes += chunk.length
    // Data after the response was not requested.
    if (answer?.complete) socket.destroy()
    else if (arrivedBytes > limits.wireBytes) socket.destroy(new DeliveryFailure('response too large'))
  }

  const read = (response: IncomingMessage) => {
    if (response.statusCode! < 200) return fail(new DeliveryFailure('malformed response'))
    answer = response
    status = response.statusCode!
    retryAfter = response.headers['retry-after'] ?? null
    agents.noteAnswer(response)
    response.on('data', (chunk: Buffer) => {
      if (bodyBytes < limits.storedBodyBytes) kept.push(chunk)
      bodyBytes += chunk.length
      if (bodyBytes > limits.responseBytes) end()
    })
    response.on('error', () => undefined) // the header counts, whatever happens to the body
    response.once('close', () => end())
  }

  const send = async (sent: ClientRequest) => {
    const expire = () => fail(signal.reason)
    signal.addEventListener('abort', expire)
    sent.on('socket', (socket) => {
      const countOn = (chunk: Buffer) => count(socket, chunk)
      socket.prependListener('data', countOn) // before the parser, so that `complete` describes earlier data only
      sent.once('close', () => socket.off('data', countOn))
    })
    sent.on('response', read)
    sent.on('upgrade', (_, socket) => {
      socket.destroy()
      fail(new DeliveryFailure('malformed response'))
    })
    // A part of the body that arrived before an error may not have reached `read` yet.
    sent.on('error', (error) => answer ?? fail(error))
    sent.once('close', () => answer ?? fail(new DeliveryFailure('connection reset')))
    sent.end(message.body)
    try {
      await ended
    } finally {
      signal.removeEventListener('abort', expire)
      sent.destroy() // closes its connection, unless that was returned to the agent
    }
  }

  let sent: ClientRequest | null = null
  let failure: unknown = null
  try {
    signal.throwIfAborted()
    sent = request(optionsOf(agents, message, limits, signal))
    await send(sent)
  } catch (error) {
    failure = error
  }
  const isStale = sent?.reusedSocket === true && arrivedBytes === 0 && isClosedByPeer(failure)
  const body = Buffer.concat(kept).subarray(0, limits.storedBodyBytes)
  return { status, retryAfter, body, failure, isStale }
}

/** @throws DeliveryFailure */
function optionsOf(
  agents: Agents,
  { url, headers, body }: Message,
  limits: TransportLimits,
  stop: AbortSignal,
): AgentRequest {
  if (Object.keys(headers).some((name) => ownHeaders.test(name)))
    throw new DeliveryFailure('invalid request header')
  return {
    agent: agents.of(url),
    protocol: url.protocol,
    hostname: url.hostname,
    port: portOf(url),
    method: 'POST',
    path: url.pathname + url.search,
    headers: { host: url.host, connection: 'keep-alive', ...headers, 'content-length': body.length },
    maxHeaderSize: limits.headerBytes,
    insecureHTTPParser: false, // explicit, because the environment can change the default
    stop,
  }
}
