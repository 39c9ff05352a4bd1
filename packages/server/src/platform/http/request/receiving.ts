import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { finished, PassThrough } from 'node:stream'
import { ApiError, unavailable } from '../../kernel/errors.ts'

/*
 * Bytes of a request that is no JSON. They pass through as they arrive; nothing holds them as a whole. The time limit
 * of requests does not apply: the request ends if nothing arrives for half a minute, or after the longest duration.
 */

/** A request of which nothing arrives for this time ends. */
const idleMs = 30_000
const checkMs = 5_000
/** The longest duration of an upload. */
export const longestUploadMs = 3_600_000
/** After a minute, an upload that is slower than this ends. */
const leastBytesPerSecond = 1_024

/** The connections whose request may take longer than others. */
const slowOnPurpose = new WeakSet<object>()

export const mayTakeLong = (socket: object): boolean => slowOnPurpose.has(socket)

/** The time until a request that found no place is to be sent again. */
export const retryAfterSeconds = 5

/** The answer to an upload that ends because another one needs its place. */
const gaveWay = () =>
  unavailable('too_many_at_once', {
    retryAfterSeconds,
    detail:
      'Another upload needed the place of this one, which was the slowest. Send all of its bytes again.',
  })

export type Receiving = {
  /** Bytes per second so far. */
  pace(): number
  /** Ends the upload, but not the connection: the client is told why. */
  end(): void
  /** @throws ApiError if not all bytes arrive, and what `take` throws */
  into<Taken>(take: (bytes: AsyncIterable<Buffer>) => Promise<Taken>): Promise<Taken>
}

/** The bytes of a request on their way to where they are stored. */
export function receive(request: IncomingMessage): Receiving {
  const { socket } = request
  const begun = { bytes: socket.bytesRead, at: performance.now() }
  // The end of these bytes does not destroy the connection, as that of the request would.
  const bytes = new PassThrough().on('error', () => undefined) // `take` throws it
  return {
    pace() {
      const seconds = (performance.now() - begun.at) / 1_000
      return (socket.bytesRead - begun.bytes + headStartBytes) / (seconds + 1)
    },
    end: () => bytes.destroy(gaveWay()),
    async into(take) {
      slowOnPurpose.add(socket)
      const stopWatching = endIfStalled(socket, request)
      finished(request, { writable: false }, (error) => error && bytes.destroy(error))
      try {
        return await take(request.pipe(bytes))
      } catch (error) {
        if (request.errored ?? request.aborted)
          throw new ApiError('bad_request', {}, { detail: interrupted, cause: error })
        request.unpipe(bytes).resume() // the client reads the response once it has sent everything
        throw error
      } finally {
        stopWatching()
        slowOnPurpose.delete(socket)
      }
    },
  }
}

/** Counted for the first second, so that an upload that has just begun is not the slowest. */
const headStartBytes = 64 * 1_024

const interrupted = 'The upload ended before all of its bytes had arrived.'

/** Ends the connection if nothing arrives for too long. */
function endIfStalled(socket: Socket, request: IncomingMessage): () => void {
  const begunAt = performance.now()
  const first = socket.bytesRead
  let [seen, seenAt] = [first, begunAt]
  const timer = setInterval(() => {
    const now = performance.now()
    if (socket.bytesRead !== seen) [seen, seenAt] = [socket.bytesRead, now]
    const isStalled = now - seenAt > idleMs
    const isTrickle = now - begunAt > 60_000 && seen - first < (leastBytesPerSecond * (now - begunAt)) / 1_000
    if (isStalled || isTrickle || now - begunAt > longestUploadMs) request.destroy()
  }, checkMs).unref()
  return () => clearInterval(timer)
}
