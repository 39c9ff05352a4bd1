import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { finished, PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, unavailable } from '../../kernel/errors.ts'
import { networkOf } from '../../kernel/networks.ts'
import { openPlaces, type Places } from '../limits/transfer-places.ts'

/*
 * PUT of bytes to a signed URL. The bytes pass through as they arrive; nothing holds them as a whole. The time limit of
 * requests does not apply: an upload ends if nothing arrives for half a minute, or after the longest duration.
 */

/** An upload of which nothing arrives for this time ends. */
const idleMs = 30_000
const checkMs = 5_000
/** The longest duration of an upload. */
export const longestUploadMs = 3_600_000
/** After a minute, an upload that is slower than this ends. */
const leastBytesPerSecond = 1_024

/**
 * The largest numbers of uploads at once. Uploads of end users have limits of their own, because anybody can become
 * one: together they leave half of the places to others, and one network has few of them.
 */
export type UploadLimits = {
  process: number
  environment: number
  endUsersOfProcess: number
  endUsersOfEnvironment: number
  /** Uploads of end users from one IPv4 address, or from one IPv6 network of 64 bits. */
  network: number
  endUser: number
  file: number
}

const usualLimits: UploadLimits = {
  process: 500,
  environment: 100,
  endUsersOfProcess: 250,
  endUsersOfEnvironment: 50,
  network: 20,
  endUser: 10,
  file: 1,
}

/** Where the bytes of one request go. */
export type Upload = {
  fileId: string
  tenantId: string
  /** The end user who announced the file; null for a key. */
  endUserId: string | null
  maxBytes: number
  /** Stores the bytes, all or none of them. */
  store(bytes: AsyncIterable<Buffer>, sizeBytes: number): Promise<void>
}

/** The connections whose request may take longer than others. */
const slowOnPurpose = new WeakSet<object>()

export const mayTakeLong = (socket: object): boolean => slowOnPurpose.has(socket)

/**
 * Mounts `PUT /uploads/{token}`.
 * @param open returns what the token stands for; throws an ApiError for one that cannot be used
 */
export function exposeUploads(
  app: FastifyInstance,
  open: (token: string) => Promise<Upload>,
  otherLimits: Partial<UploadLimits> = {},
): void {
  const limits = { ...usualLimits, ...otherLimits }
  const places = openPlaces()
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.options('/uploads/:token', { config: { isPreflight: true } }, async (_request, reply) =>
      reply
        .code(204)
        .header('access-control-allow-methods', 'PUT')
        .header('access-control-allow-headers', '*')
        .header('access-control-max-age', '7200')
        .send(),
    )
    scope.put<{ Params: { token: string } }>(
      '/uploads/:token',
      { config: { isPreflight: true } },
      async (request, reply) => {
        const sizeBytes = lengthOf(request)
        const upload = await open(request.params.token)
        if (sizeBytes > upload.maxBytes)
          throw new ApiError('payload_too_large', { limit_bytes: upload.maxBytes })
        const received = receive(request.raw)
        const leave = enter(places, limits, upload, networkOf(request.ip), received)
        try {
          await received.into((bytes) => upload.store(bytes, sizeBytes))
        } finally {
          leave()
        }
        return reply.code(200).send()
      },
    )
  })
}

/** Takes a place in each share. @returns the function that releases them; throws ApiError `unavailable` */
function enter(
  places: Places,
  most: UploadLimits,
  { fileId, tenantId, endUserId }: Upload,
  network: string,
  { pace, end }: Received,
): () => void {
  const own = [{ name: `file ${fileId}`, most: most.file }]
  const common = [
    { name: 'process', most: most.process },
    { name: `environment ${tenantId}`, most: most.environment },
  ]
  if (endUserId !== null) {
    own.push(
      { name: `end user ${endUserId}`, most: most.endUser },
      { name: `network ${network}`, most: most.network },
    )
    common.push(
      { name: 'end users', most: most.endUsersOfProcess },
      { name: `end users of ${tenantId}`, most: most.endUsersOfEnvironment },
    )
  }
  const leave = places.enter(own, common, { owners: [tenantId, network], pace, end })
  if (leave === null) throw unavailable('too_many_at_once', { retryAfterSeconds })
  return leave
}

const retryAfterSeconds = 5

/** The answer to an upload that ends because another one needs its place. */
const gaveWay = () =>
  unavailable('too_many_at_once', {
    retryAfterSeconds,
    detail:
      'Another upload needed the place of this one, which was the slowest. Send all of its bytes again.',
  })

/** @throws ApiError 411 */
function lengthOf({ headers }: FastifyRequest): number {
  const length = headers['content-length']
  if (length !== undefined) return Number(length)
  const detail = 'An upload needs a Content-Length.'
  throw new ApiError('bad_request', {}, { status: 411, detail })
}

type Received = {
  /** Bytes per second so far. */
  pace(): number
  /** Ends the upload, but not the connection: the client is told why. */
  end(): void
  into(store: (bytes: AsyncIterable<Buffer>) => Promise<void>): Promise<void>
}

/** The bytes of a request on their way to the store. */
function receive(request: IncomingMessage): Received {
  const { socket } = request
  const begun = { bytes: socket.bytesRead, at: performance.now() }
  // The end of these bytes does not destroy the connection, as that of the request would.
  const bytes = new PassThrough().on('error', () => undefined) // the store throws it
  return {
    pace() {
      const seconds = (performance.now() - begun.at) / 1_000
      return (socket.bytesRead - begun.bytes + headStartBytes) / (seconds + 1)
    },
    end: () => bytes.destroy(gaveWay()),
    async into(store) {
      slowOnPurpose.add(socket)
      const stopWatching = endIfStalled(socket, request)
      finished(request, { writable: false }, (error) => error && bytes.destroy(error))
      try {
        await store(request.pipe(bytes))
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
