import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { type buildConnector, Client } from 'undici'
import { DeliveryFailure } from './failures.ts'
import type { TransportLimits } from './limits.ts'

/** A place for one connection to an origin, which serves one request at a time. */
export type Connection = {
  readonly origin: string
  readonly client: Client
  /** How often it was opened; undici opens it anew when it was closed between two requests. */
  readonly opens: number
  /** It is open, and not too old for another request. */
  readonly isUsable: boolean
  /** What arrives from here on answers the next request. */
  awaitAnswer(): void
  end(): Promise<void>
}

export type Connect = (signal: AbortSignal) => buildConnector.connector

/** @param closed told each time that the connection was closed, by either side */
export function openConnection(
  origin: string,
  connect: Connect,
  limits: TransportLimits,
  closed: () => void,
): Connection {
  const ending = new AbortController()
  const open = connect(ending.signal)
  let [opens, openedAt, bytesAllowed] = [0, 0, limits.wireBytes]
  let socket: Socket | null = null
  let isAwaiting = false

  const awaitAnswer = () => {
    bytesAllowed = (socket?.bytesRead ?? 0) + limits.wireBytes
    isAwaiting = true
  }

  const watch = (opened: Socket) => {
    socket = opened
    awaitAnswer()
    opened.on('readable', () => {
      if (opened.bytesRead > bytesAllowed) opened.destroy(new DeliveryFailure('response too large'))
    })
    const read = opened.read.bind(opened)
    opened.read = (size) => {
      const chunk: Buffer | null = read(size)
      if (chunk && isAwaiting) disguiseContinue(chunk)
      if (chunk) isAwaiting = false
      return chunk
    }
  }

  const client = new Client(origin, {
    connect: (options, callback) =>
      open(options, (...[error, opened]) => {
        if (error) return callback(error, null)
        watch(opened)
        callback(null, opened)
      }),
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0, // the attempt as a whole is timed, more exactly than undici's coarse timers do
    bodyTimeout: 0,
    maxHeaderSize: limits.headerBytes,
    keepAliveTimeout: limits.idleMs,
    keepAliveMaxTimeout: limits.idleMs, // what the receiver says may only shorten it
    useMilo: false, // said, because the environment could say otherwise
  })
  client.on('connect', () => {
    opens++
    openedAt = performance.now()
  })
  client.on('disconnect', () => {
    socket = null
    closed()
  })
  ;(client as EventEmitter).on('error', () => undefined) // an 'error' that nobody hears would end the process

  return {
    origin,
    client,
    get opens() {
      return opens
    },
    get isUsable() {
      return socket?.destroyed === false && performance.now() - openedAt < limits.connectionLifeMs
    },
    awaitAnswer,
    end() {
      ending.abort()
      return client.destroy()
    },
  }
}

/**
 * Makes an unasked-for `100 Continue` a `102`. RFC 9110, section 15.2, has clients pass over both; undici ends the
 * connection at the first. It is seen at the beginning of what arrives, where servers and proxies send it.
 */
function disguiseContinue(chunk: Buffer): void {
  const statusLine = chunk.toString('latin1', 0, 13)
  if (/^HTTP\/1\.[01] 100[ \r]/.test(statusLine)) chunk.write('102', 9, 'latin1')
}
