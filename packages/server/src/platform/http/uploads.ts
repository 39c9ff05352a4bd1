import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, unavailable } from '../kernel/errors.ts'
import { openPlaces, type Places } from './transfer-places.ts'

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
/** More uploads at once are refused: in this process, of one environment, of one end user, and of one file. */
const most = { all: 500, environment: 200, endUser: 10, file: 1 }

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
export function exposeUploads(app: FastifyInstance, open: (token: string) => Promise<Upload>): void {
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
        const leave = enter(places, upload)
        try {
          await receive(request.raw, (bytes) => upload.store(bytes, sizeBytes))
        } finally {
          leave()
        }
        return reply.code(200).send()
      },
    )
  })
}

/** Takes a place of each kind. @returns the function that releases them; throws ApiError `unavailable` */
function enter(places: Places, { fileId, tenantId, endUserId }: Upload): () => void {
  const taken: [name: string, most: number][] = [
    ['', most.all],
    [tenantId, most.environment],
    [fileId, most.file],
    ...(endUserId === null ? [] : [[endUserId, most.endUser] as [string, number]]),
  ]
  const leave = places.enter(taken)
  if (leave === null) throw unavailable('too_many_at_once', { retryAfterSeconds })
  return leave
}

const retryAfterSeconds = 5

/** @throws ApiError 411 */
function lengthOf({ headers }: FastifyRequest): number {
  const length = headers['content-length']
  if (length !== undefined) return Number(length)
  const detail = 'An upload needs a Content-Length.'
  throw new ApiError('bad_request', {}, { status: 411, detail })
}

async function receive(
  request: IncomingMessage,
  store: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const { socket } = request
  slowOnPurpose.add(socket)
  const stopWatching = endIfStalled(socket, request)
  try {
    // A store that fails must not destroy the connection: the client is told.
    await store(request.iterator({ destroyOnReturn: false }))
  } catch (error) {
    if (request.errored ?? request.aborted)
      throw new ApiError('bad_request', {}, { detail: interrupted, cause: error })
    request.resume() // the client reads the response once it has sent everything
    throw error
  } finally {
    stopWatching()
    slowOnPurpose.delete(socket)
  }
}

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
