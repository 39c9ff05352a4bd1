import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, unavailable } from '../../kernel/errors.ts'
import { networkOf } from '../../kernel/networks.ts'
import { openPlaces, type Places } from '../limits/transfer-places.ts'
import { type Receiving, receive, retryAfterSeconds } from './receiving.ts'

/* PUT of bytes to a signed URL. */

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
        const receiving = receive(request.raw)
        const leave = enter(places, limits, upload, networkOf(request.ip), receiving)
        try {
          await receiving.into((bytes) => upload.store(bytes, sizeBytes))
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
  { pace, end }: Receiving,
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

/** @throws ApiError 411 */
function lengthOf({ headers }: FastifyRequest): number {
  const length = headers['content-length']
  if (length !== undefined) return Number(length)
  const detail = 'An upload needs a Content-Length.'
  throw new ApiError('bad_request', {}, { status: 411, detail })
}
