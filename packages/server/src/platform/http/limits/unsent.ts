import { setMaxListeners } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counts } from '../../kernel/counts.ts'
import { unavailable } from '../../kernel/errors.ts'

/** A client that reads nothing of its response for this time is disconnected. */
export const slowReaderMs = 30_000
/** Smaller responses fit into the buffers of a connection and are not counted. */
const countedBytes = 4 * 1024

/** Bytes of responses that clients have not read yet. */
export type Unsent = {
  readonly bytes: number
  /** May a request run, given the unread responses of this holder of a credential? */
  hasRoom(holderId: string): boolean
  /**
   * Keeps room for what a request is about to read, until its response is known. What it reads later, such as beside
   * an error of another read, is not sent.
   * @throws ApiError `unavailable` if there is none
   */
  reserve(request: FastifyRequest, bytes: number): void
}

/**
 * @param most in the process
 * @param ofOne of one holder, and of all requests without a credential together
 */
export type UnsentLimits = { most: number; ofOne: number }

/**
 * Limits the memory of unread responses. Responses to slow readers end. A read without room for its response receives
 * 503, and reads no large rows before. A write has already taken effect, so its response is always sent; `hasRoom` is
 * checked before.
 */
export function boundUnsent(app: FastifyInstance, limits: UnsentLimits, readerMs = slowReaderMs): Unsent {
  const byKey = new Counts()
  /** Null for requests whose response is known. */
  const reserved = new WeakMap<FastifyRequest, number | null>()
  let total = 0

  endStalled(app.server, readerMs)

  const holderOf = (request: FastifyRequest) => request.principal?.holderId ?? ''
  const fits = (key: string, size: number) =>
    total + size <= limits.most && byKey.of(key) + size <= limits.ofOne

  function count(key: string, size: number): void {
    total += size
    byKey.add(key, size)
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    const key = holderOf(request)
    count(key, -(reserved.get(request) ?? 0))
    reserved.set(request, null)
    const size = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0
    if (size < countedBytes) return done()
    const isRead = request.method === 'GET' && reply.statusCode < 400
    if (isRead && !fits(key, size)) return done(unavailable('unread_responses'))
    const { raw: response } = reply
    const { socket } = request.raw
    if (socket.destroyed) return done()
    count(key, size)
    let isCounted = true
    function release() {
      if (!isCounted) return
      isCounted = false
      response.off('close', release)
      socket.off('close', release)
      count(key, -size)
    }
    response.once('close', release)
    setMaxListeners(0, socket) // pipelined requests wait together
    socket.once('close', release) // the only event of the two for a response that waits behind another
    done()
  })

  return {
    get bytes() {
      return total
    },
    hasRoom: (holderId) => byKey.of(holderId) < limits.ofOne,
    reserve(request, bytes) {
      const before = reserved.get(request)
      if (before === null) return
      const key = holderOf(request)
      if (!fits(key, bytes)) throw unavailable('unread_responses')
      count(key, bytes)
      reserved.set(request, (before ?? 0) + bytes)
    },
  }
}

/** The number of checks of a stalled connection before it ends. */
const looks = 3

/**
 * Ends connections whose client has read nothing of a response for `readerMs`, and at most a third longer. Node emits
 * `timeout` after a time in which nothing was written, not even a part of the waiting data: several in a row, without
 * progress in between, are one long stall.
 */
function endStalled(server: Server, readerMs: number): void {
  const lookMs = readerMs / looks
  const stalls = new WeakMap<Socket, { count: number; at: number }>()
  server.setTimeout(lookMs, (socket) => {
    // It was idle for the keep-alive time, which is different.
    if (socket.timeout !== lookMs) return void socket.destroy()
    if (socket.writableLength === 0) return
    const at = performance.now()
    const before = stalls.get(socket)
    const count = before && at - before.at < lookMs * 1.05 ? before.count + 1 : 1
    if (count === looks) return void socket.destroy()
    stalls.set(socket, { count, at })
    socket.setTimeout(lookMs)
  })
}
