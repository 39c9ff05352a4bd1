import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { NoSuchBytes, StoreUnavailable } from '../../files/store.ts'
import { ApiError, unavailable } from '../../kernel/errors.ts'
import { DatabaseUnavailable } from '../../postgres/errors.ts'
import { bodyLimitBytes, unsupportedMediaType } from '../request/body.ts'
import { problem, problemMediaType } from './problems.ts'

/** Errors of Fastify, converted to errors of the API. */
const ofFastify: Record<string, (request: FastifyRequest) => ApiError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  FST_ERR_CTP_EMPTY_TYPE: unsupportedMediaType,
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ApiError('payload_too_large', { limit_bytes: bodyLimitBytes }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => badRequest('Content-Length does not match the body.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new ApiError('not_found'), // longer than any id
  FST_ERR_BAD_URL: () => badRequest('The path has broken percent-encoding.'),
}

const badRequest = (detail: string) => new ApiError('bad_request', {}, { detail })

function toApiError(error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DatabaseUnavailable) return unavailable('database_unavailable', { cause: error })
  if (error instanceof StoreUnavailable || error instanceof NoSuchBytes)
    return unavailable('file_store_unavailable', { cause: error })
  const known = ofFastify[(error as FastifyError).code]
  if (known) return known(request)
  const status = (error as FastifyError).statusCode
  if (status !== undefined && status >= 400 && status < 500)
    return badRequest('The request is not valid HTTP.')
  return new ApiError('internal_error', {}, { cause: error })
}

/** Sends every error as problem+json and logs server errors with their cause. */
export function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): FastifyReply {
  const known = toApiError(error, request)
  request.problemCode = known.code
  if (known.status >= 500) {
    const log = { request_id: request.id, err: known.details.cause ?? known }
    if (known.code === 'internal_error') request.log.error(log, 'request failed')
    else if (known.details.cause) request.log.warn(log, 'request rejected: service unavailable')
  }
  // Fastify would close the connection of a client that is still sending, which then sees a reset. A connection that
  // ends because the client asked for it says so: a further request on it gets no response.
  if (known.code === 'payload_too_large')
    reply.header('connection', reply.raw.shouldKeepAlive ? 'keep-alive' : 'close')
  const path = request.url.split('?', 1)[0]!
  return reply
    .code(known.status)
    .headers(known.details.headers ?? {})
    .header('request-id', request.id) // errors of the router arrive before any hook
    .header('content-type', problemMediaType)
    .send(Buffer.from(JSON.stringify(problem(known, publicUrl, path, request.id)))) // a string would receive a charset
}
