import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../kernel/errors.ts'
import { hasRepeatedMember, shapeOfJson } from '../../kernel/json.ts'
import type { Route } from '../../resource/resource.ts'

export const bodyLimitBytes = 1024 * 1024

const json = 'application/json'
const mergePatch = 'application/merge-patch+json'

/** The media types of the bodies that a route takes. */
export const mediaTypesFor = ({ method, bytes }: Pick<Route, 'method' | 'bytes'>): string[] => {
  if (bytes) return [bytes.mediaType]
  return method === 'PATCH' ? [json, mergePatch] : [json]
}

/**
 * Accepts JSON bodies in UTF-8; an empty body is undefined.
 * @throws ApiError `malformed_json`, `unsupported_media_type`
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([json, mergePatch], { parseAs: 'buffer' }, (request, body, done) => {
    try {
      requireMediaType(request)
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** JSON is UTF-8 (RFC 8259 section 8.1), and compressed bodies are not accepted. */
function requireMediaType(request: FastifyRequest): void {
  const { headers } = request
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase())
  const foreign = parameters.some((parameter) => /^charset=(?!"?utf-8"?$)/.test(parameter))
  if (!supportedBy(request).includes(type) || foreign) throw unsupportedMediaType(request)
  checkEncoding(request)
}

/** @throws ApiError `unsupported_media_type` for a compressed body */
export function checkEncoding(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw unsupportedMediaType(request, encoding.slice(0, longestEncoding))
}

const longestEncoding = 100

/** Routes without a declaration take the bodies of any with their method. */
const supportedBy = ({ method, routeOptions }: FastifyRequest): string[] =>
  mediaTypesFor(routeOptions.config.route ?? { method: method as Route['method'] })

export const unsupportedMediaType = (request: FastifyRequest, encoding?: string) =>
  new ApiError('unsupported_media_type', {
    supported: supportedBy(request),
    ...(encoding === undefined ? {} : { encoding }),
  })

/** Far beyond any body of the API. Within these limits no body of 1 MiB keeps the event loop busy for long. */
const most = { values: 45_000, membersOfOne: 10_000, levels: 64 }

function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  if (!isUtf8(body)) throw new ApiError('malformed_json', {}, { detail: 'The body is not valid UTF-8.' })
  const shape = shapeOfJson(body, most)
  if (shape.levels > most.levels) throw new ApiError('malformed_json', { max_levels: most.levels })
  if (shape.values > most.values) throw new ApiError('malformed_json', { max_values: most.values })
  if (shape.membersOfOne > most.membersOfOne)
    throw new ApiError('malformed_json', { max_members: most.membersOfOne })
  const value = parsed(body.toString())
  if (hasRepeatedMember(shape, value)) {
    const detail = 'An object in the body has two members with the same name.'
    throw new ApiError('malformed_json', {}, { detail })
  }
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const position = /at position (\d+)/.exec((error as Error).message)?.[1]
    throw new ApiError('malformed_json', position === undefined ? {} : { position: Number(position) })
  }
}
