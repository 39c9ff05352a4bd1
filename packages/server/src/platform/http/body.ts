import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../kernel/errors.ts'

export const bodyLimitBytes = 1024 * 1024

const json = 'application/json'
const mergePatch = 'application/merge-patch+json'

export const mediaTypesFor = (method: string): string[] => (method === 'PATCH' ? [json, mergePatch] : [json])

/**
 * Accepts JSON bodies in UTF-8; an empty body is undefined.
 * @throws ApiError `malformed_json`, `unsupported_media_type`
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([json, mergePatch], { parseAs: 'buffer' }, (request, body, done) => {
    try {
      requireMediaType(request.method, request.headers)
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** JSON is UTF-8 (RFC 8259 section 8.1), and compressed bodies are not accepted. */
function requireMediaType(method: string, headers: IncomingHttpHeaders): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase())
  const foreign = parameters.some((parameter) => /^charset=(?!"?utf-8"?$)/.test(parameter))
  const encoded = (headers['content-encoding'] ?? 'identity') !== 'identity'
  if (!mediaTypesFor(method).includes(type) || foreign || encoded) throw unsupportedMediaType(method)
}

export const unsupportedMediaType = (method: string) =>
  new ApiError('unsupported_media_type', { supported: mediaTypesFor(method) })

function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  if (!isUtf8(body)) throw new ApiError('malformed_json', {}, { detail: 'The body is not valid UTF-8.' })
  const text = body.toString()
  const value = parsed(text)
  if (countMembersOf(value) < countMembersIn(text)) {
    const detail = 'An object in the body has two members with the same name.' // RFC 8259 section 4 leaves it undefined
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

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a]

/** Counts the members of all objects in a valid JSON text: each has one colon outside of strings. */
function countMembersIn(text: string): number {
  let count = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) inString = !inString
    else if (inString && code === backslash) i++
    else if (!inString && code === colon) count++
  }
  return count
}

/** Counts the members of all objects in a value, without recursion, because a body can be nested deeply. */
function countMembersOf(value: unknown): number {
  let count = 0
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    const members = Object.values(next)
    if (!Array.isArray(next)) count += members.length
    for (const member of members) if (typeof member === 'object') waiting.push(member)
  }
  return count
}
