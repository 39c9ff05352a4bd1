import type { FastifyRequest } from 'fastify'
import { ApiError, invalidBody, unavailable } from '../../kernel/errors.ts'
import type { BytesBody, ReceivedBytes } from '../../resource/bytes.ts'
import type { Places } from '../limits/transfer-places.ts'
import { checkEncoding, unsupportedMediaType } from './body.ts'
import { receive, retryAfterSeconds } from './receiving.ts'

/** The largest numbers of requests at once whose bytes arrive. */
const most = { process: 200, environment: 50 }

/**
 * Takes the bytes of a request.
 * @throws ApiError `unsupported_media_type`, `payload_too_large`, `validation_failed` for none, `unavailable`
 */
export async function receiveBytes(
  request: FastifyRequest,
  { mediaType, maxBytes, receive: take }: BytesBody,
  places: Places,
): Promise<ReceivedBytes> {
  const { headers, principal } = request
  const [type = ''] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase())
  if (type !== mediaType) throw unsupportedMediaType(request)
  checkEncoding(request)
  const tooLarge = () => new ApiError('payload_too_large', { limit_bytes: maxBytes })
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  const receiving = receive(request.raw)
  const { tenantId } = principal!.environment
  const leave = places.enter(
    [],
    [
      { name: 'bodies', most: most.process },
      { name: `bodies of ${tenantId}`, most: most.environment },
    ],
    { owners: [tenantId, principal!.holderId], pace: receiving.pace, end: receiving.end },
  )
  if (leave === null) throw unavailable('too_many_at_once', { retryAfterSeconds })
  try {
    const received = await receiving.into((bytes) => take(atMost(maxBytes, bytes, tooLarge)))
    if (received.sizeBytes > 0) return received
    await received.discard()
    throw invalidBody({ pointer: '', code: 'too_short', detail: 'must not be empty' })
  } finally {
    leave()
  }
}

async function* atMost(
  maxBytes: number,
  bytes: AsyncIterable<Buffer>,
  tooLarge: () => ApiError,
): AsyncGenerator<Buffer> {
  let length = 0
  for await (const piece of bytes) {
    length += piece.length
    if (length > maxBytes) throw tooLarge()
    yield piece
  }
}
